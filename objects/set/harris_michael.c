/* harris_michael.c - a set that is a sorted list without locks.
 *
 * Timothy Harris, 2001, in the form of Maged Michael, 2002 and 2004, with
 * hazard pointers.  A node is deleted in two steps: a mark is set in its own
 * `next`, so that nothing can be linked behind it any more; then it is
 * unlinked, by the deleter or by whoever comes along.
 *
 * Proof sketch.  The set is the keys of the nodes that are reachable from
 * `first` and not marked.  `next` of a marked node does not change, so the list
 * is changed only at nodes that are not marked, hence reachable.
 * - find() returns a node that is not marked, its predecessor, which was not
 *   marked and pointed to it, and has smaller keys before it: at the last look
 *   at the predecessor's link, the key was in the set, or not.
 * - insert = true linearizes at its CAS: the predecessor is unmarked and still
 *   points to the successor.  delete = true linearizes at the CAS that marks:
 *   only one can.  All else linearizes in find(), where it looked last.
 * - Reclamation: whoever unlinks a node retires it; it is unlinked once, as no
 *   link leads to it afterwards.  find() sets the slot for a node, and then
 *   looks whether the predecessor, itself protected and not marked, still
 *   points to it: so it was not unlinked when the slot was set.
 *
 * FAULT_UNMARKED: delete does not mark, it only unlinks.  An insert that found
 * the node as its predecessor links the new one behind it: nobody finds it.
 * (Nodes then stay until teardown, so that this is all that happens.) */
#include <plumb/object.h>
#ifdef FAULT_UNMARKED
#include "../smr/pool.h"
#endif
#include "../smr/hazard.h"

/* A pointer to a node; 1 more if the node that holds it is deleted. */
typedef uintptr_t reference;

struct node {
    struct hazard_link retired;
    _Atomic reference next;
    int64_t key;
};

/* Where find() stopped: *link leads to `at`, the first with a key not less. */
struct place {
    _Atomic reference *link;
    struct node *at;
    reference next; /* of `at`, if there is one */
};

enum { OF_PREDECESSOR, OF_NODE }; /* the slots */

static _Atomic reference first;

static bool is_marked(reference r)
{
    return r & 1;
}

static struct node *node_of(reference r)
{
    return (struct node *)(r & ~(reference)1);
}

static reference load(_Atomic reference *link)
{
    return atomic_load_explicit(link, memory_order_seq_cst);
}

static bool cas(_Atomic reference *link, reference old, reference new)
{
    /* relaxed if it fails: all is read again */
    if (atomic_compare_exchange_strong_explicit(
            link, &old, new, memory_order_seq_cst, memory_order_relaxed))
        return true;
    plumb_retry();
    return false;
}

static struct node *node_make(int64_t key)
{
#ifdef FAULT_UNMARKED
    struct node *const n = pool_take(sizeof *n);
#else
    struct node *const n = malloc(sizeof *n);
    if (!n)
        abort();
#endif
    n->key = key;
    return n;
}

static void node_discard(struct node *n)
{
#ifdef FAULT_UNMARKED
    pool_give(n);
#else
    free(n);
#endif
}

/* Unlink p->at, which is marked. */
static bool unlink_marked(const struct place *p)
{
    if (!cas(p->link, (reference)p->at, (reference)node_of(p->next)))
        return false;
#ifndef FAULT_UNMARKED
    hazard_retire(&p->at->retired);
#endif
    return true;
}

/* Protect the node behind p->link, and read its `next`.  False if the link
 * changed meanwhile, or is marked: the walk has to begin again. */
static bool look(struct place *p)
{
    const reference r = load(p->link);
    if (is_marked(r))
        return false;
    p->at = node_of(r);
    hazard_set(OF_NODE, p->at);
    if (load(p->link) != r)
        return false;
    if (p->at)
        p->next = load(&p->at->next);
    return load(p->link) == r;
}

/* Walk to the key, or to where it would be.  False: begin again. */
static bool walk(struct place *p, int64_t key)
{
    p->link = &first;
    while (look(p)) {
        if (!p->at)
            return true;
        if (is_marked(p->next)) {
            if (!unlink_marked(p))
                return false;
        } else if (p->at->key >= key)
            return true;
        else {
            hazard_set(OF_PREDECESSOR, p->at);
            p->link = &p->at->next;
        }
    }
    plumb_retry();
    return false;
}

/* Is the key there?  Afterwards the slots protect what `p` names. */
static bool find(struct place *p, int64_t key)
{
    while (!walk(p, key))
        ;
    return p->at && p->at->key == key;
}

static void insert(plumb_invocation *i)
{
    struct node *const n = node_make(plumb_arg(i, 0));
    struct place p;
    bool is_new;
    do {
        is_new = !find(&p, n->key);
        /* relaxed: published by the CAS */
        atomic_store_explicit(&n->next, (reference)p.at, memory_order_relaxed);
    } while (is_new && !cas(p.link, (reference)p.at, (reference)n));
    if (!is_new)
        node_discard(n);
    hazard_clear();
    plumb_return_bool(i, is_new);
}

/* Take out p->at, in two steps.  False if somebody was faster. */
static bool take(struct place *p)
{
#ifdef FAULT_UNMARKED
    return unlink_marked(p);
#endif
    if (!cas(&p->at->next, p->next, p->next | 1))
        return false;
    if (!unlink_marked(p))
        find(p, p->at->key); /* will unlink it */
    return true;
}

static void delete (plumb_invocation *i)
{
    const int64_t key = plumb_arg(i, 0);
    struct place p;
    bool found;
    do
        found = find(&p, key);
    while (found && !take(&p));
    hazard_clear();
    plumb_return_bool(i, found);
}

static void member(plumb_invocation *i)
{
    struct place p;
    const bool found = find(&p, plumb_arg(i, 0));
    hazard_clear();
    plumb_return_bool(i, found);
}

static void setup(void)
{
    atomic_init(&first, 0);
}

static void teardown(void)
{
#ifdef FAULT_UNMARKED
    hazard_drain();
    pool_drain();
#else
    for (struct node *n = node_of(load(&first)); n;) {
        struct node *const next = node_of(load(&n->next));
        free(n);
        n = next;
    }
    hazard_drain();
#endif
}

PLUMB_OBJECT(.name = "S", .spec = "set", .setup = setup, .teardown = teardown,
             .operations = { { "insert", insert, { PLUMB_RANGE(1, 4) } },
                             { "delete", delete, { PLUMB_RANGE(1, 4) } },
                             { "member", member, { PLUMB_RANGE(1, 4) } } });
