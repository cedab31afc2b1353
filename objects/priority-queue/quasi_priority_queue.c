/* quasi_priority_queue.c - a sorted list from whose first items any may leave.
 *
 * An insert links its node where it belongs, by a CAS; a delmin marks any of the
 * first K + 1 nodes that are not marked yet.
 *
 *     first -> 1 -> x -> 4 -> 7        K = 1: 1 or 4 may leave
 *
 * A quasi priority queue is among the subjects of Round-Up (2015), Table I.
 * -DK=2 relaxes it further; with K = 0 it is a priority queue.
 *
 * Proof sketch.  Nodes stay in the list and stay marked.  An insert takes effect
 * with the CAS that links its node.  A delmin walks to the items, and walks a
 * second time up to the one it has chosen: if it meets as many nodes, none was
 * linked before that one between the two walks.  So there was a moment at which
 * no more than K smaller items were there, priority-queue:k=K.  It takes effect
 * then, if afterwards its CAS marks the node: nobody else can have had the item
 * in between.  Meanwhile others may count it among the K smaller than theirs,
 * which only makes them take smaller ones.  Empty: both walks came to the end
 * past as many marked nodes.
 *
 * FAULT_FAR (b2 in the paper): chooses among K + 2 items.
 * FAULT_ONE_WALK: one walk.  A small item is inserted behind it, and then a
 * larger one before it: it takes the larger one.
 *
 * Nodes stay until teardown. */
#include <plumb/object.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef K
#define K 1
#endif

#ifdef FAULT_FAR
enum { WINDOW = K + 2 };
#else
enum { WINDOW = K + 1 };
#endif

struct node {
    _Atomic(struct node *) next;
    _Atomic bool taken;
    int64_t item;
};

static _Atomic(struct node *) first;

static void setup(void)
{
    atomic_init(&first, NULL);
}

static void teardown(void)
{
    for (struct node *n = atomic_load(&first), *next; n; n = next) {
        next = atomic_load(&n->next);
        free(n);
    }
}

/* Where a node with `item` belongs; what is there now is `*next`. */
static _Atomic(struct node *) *place(int64_t item, struct node **next)
{
    _Atomic(struct node *) *at = &first;
    while ((*next = atomic_load(at)) && (*next)->item < item)
        at = &(*next)->next;
    return at;
}

static void insert(plumb_invocation *i)
{
    struct node *const n = malloc(sizeof *n), *next;
    if (!n)
        abort();
    n->item = plumb_arg(i, 0);
    atomic_init(&n->taken, false);
    for (;; plumb_retry()) {
        _Atomic(struct node *) *const at = place(n->item, &next);
        atomic_init(&n->next, next);
        if (atomic_compare_exchange_strong(at, &next, n))
            return;
    }
}

struct candidates {
    struct node *node[WINDOW];
    unsigned position[WINDOW];
    unsigned count;
    unsigned walked; /* nodes */
};

static void look(struct candidates *c)
{
    *c = (struct candidates){ .count = 0 };
    for (struct node *n = atomic_load(&first); n && c->count < WINDOW;
         n = atomic_load(&n->next), c->walked++)
        if (!atomic_load(&n->taken)) {
            c->position[c->count] = c->walked;
            c->node[c->count++] = n;
        }
}

/* Is `n` still behind as many nodes?  If it is NULL, the end. */
static bool is_still(const struct node *n, unsigned position)
{
#ifdef FAULT_ONE_WALK
    (void)n, (void)position;
    return true;
#else
    unsigned walked = 0;
    for (struct node *at = atomic_load(&first); at != n && walked <= position;
         at = atomic_load(&at->next))
        walked++;
    return walked == position;
#endif
}

static bool take(struct node *n)
{
    bool taken = false;
    return atomic_compare_exchange_strong(&n->taken, &taken, true);
}

static void delmin(plumb_invocation *i)
{
    for (;; plumb_retry()) {
        struct candidates c;
        look(&c);
        if (c.count == 0 && is_still(NULL, c.walked)) {
            plumb_term(i, "empty");
            return;
        }
        if (c.count == 0)
            continue;
        const unsigned drawn = plumb_choose(c.count);
        struct node *const n = c.node[drawn];
        if (is_still(n, c.position[drawn]) && take(n)) {
            plumb_return(i, n->item);
            return;
        }
    }
}

#define TEXT(x) #x
#if K == 0
#define SPEC_OF(k) "priority-queue"
#else
#define SPEC_OF(k) "priority-queue:k=" TEXT(k)
#endif

PLUMB_OBJECT(.name = "P", .spec = SPEC_OF(K), .setup = setup,
             .teardown = teardown,
             .operations = { { "insert", insert, { PLUMB_RANGE(1, 20) } },
                             { "delmin", delmin } });
