/* treiber.c - the stack that is a list with a CAS at its top.
 *
 * R. Kent Treiber, 1986.  push puts a node before the top one, pop replaces
 * the top node by its successor, both with one CAS.  Nodes are reclaimed with
 * hazard pointers (smr/hazard.h).
 *
 * Proof sketch.  The stack is the list that begins at `top`.
 * - push linearizes at its successful CAS: `next` was the top then, and the
 *   node is not in the list before, so the CAS puts it on the list as it is.
 * - pop linearizes at its successful CAS.  The node is protected since before
 *   its `next` was read, so it was not used again.  Nodes in the list do not
 *   change.  So if it is the top node now, it was all the time (it can come
 *   back only as a new node), and `next` is its successor.
 * - pop = empty linearizes where it reads NULL from `top`.
 * - Reclamation: only the pop whose CAS took a node out retires it, once, and
 *   pops read a node only while a slot names it.
 *
 * FAULT_ABA: a popped node is free at once, although others may be between
 * reading its `next` and their CAS.  When it is pushed again, their CAS
 * succeeds and brings back a successor that was popped long ago. */
#include <plumb/object.h>
#ifdef FAULT_ABA
#include "../smr/pool.h"
#define HAZARD_RECLAIM pool_give
#endif
#include "../smr/hazard.h"

struct node {
    struct hazard_link retired;
    _Atomic(struct node *) next;
    _Atomic int64_t value; /* atomic for the sake of FAULT_ABA */
};

static _Atomic(struct node *) top;

static struct node *node_make(void)
{
#ifdef FAULT_ABA
    return pool_take(sizeof(struct node));
#else
    struct node *const n = malloc(sizeof *n);
    if (!n)
        abort();
    return n;
#endif
}

static void node_retire(struct node *n)
{
#ifdef FAULT_ABA
    pool_give(n);
#else
    hazard_retire(&n->retired);
#endif
}

static void push(plumb_invocation *i)
{
    struct node *const n = node_make();
    /* relaxed: published by the CAS */
    atomic_store_explicit(&n->value, plumb_arg(i, 0), memory_order_relaxed);
    /* relaxed: the CAS tells whether it is still the top */
    struct node *next = atomic_load_explicit(&top, memory_order_relaxed);
    for (;;) {
        /* relaxed: published by the CAS */
        atomic_store_explicit(&n->next, next, memory_order_relaxed);
        /* seq_cst: its release pairs with the load in protect_top(); relaxed
         * when it fails, as above */
        if (atomic_compare_exchange_strong_explicit(
                &top, &next, n, memory_order_seq_cst, memory_order_relaxed))
            return;
        plumb_retry();
    }
}

/* The top node, and it will not be reclaimed; or NULL. */
static struct node *protect_top(void)
{
    for (;;) {
        struct node *const n = atomic_load_explicit(&top, memory_order_seq_cst);
        hazard_set(0, n);
        if (n == atomic_load_explicit(&top, memory_order_seq_cst))
            return n;
        plumb_retry();
    }
}

/* The node that was the top one, taken out; or NULL. */
static struct node *take_top(void)
{
    for (;;) {
        struct node *n = protect_top();
        if (!n)
            return NULL;
        /* relaxed: protect_top() acquired it */
        struct node *const next =
            atomic_load_explicit(&n->next, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(
                &top, &n, next, memory_order_seq_cst, memory_order_relaxed))
            return n;
        plumb_retry();
    }
}

static void pop(plumb_invocation *i)
{
    struct node *const n = take_top();
    hazard_clear();
    if (!n) {
        plumb_term(i, "empty");
        return;
    }
    /* relaxed: protect_top() acquired it */
    plumb_return(i, atomic_load_explicit(&n->value, memory_order_relaxed));
    node_retire(n);
}

static void setup(void)
{
    atomic_init(&top, NULL);
}

static void teardown(void)
{
#ifdef FAULT_ABA
    pool_drain();
#else
    for (struct node *n = atomic_load(&top); n;) {
        struct node *const next = atomic_load(&n->next);
        free(n);
        n = next;
    }
#endif
    hazard_drain();
}

PLUMB_OBJECT(.name = "S", .spec = "stack", .setup = setup, .teardown = teardown,
             .operations = { { "push", push, { PLUMB_FRESH } },
                             { "pop", pop } });
