/* treiber_counted.c - Treiber's stack with a count beside its top.
 *
 * Treiber's own remedy for ABA (1986): the top is a pointer and a count in one
 * word, and every removal increments the count.  Nodes come from a pool and
 * stay mapped, so a late reader finds a node, though perhaps another one.
 *
 * Libraries add an operation that takes the whole list at once.  A stack that
 * answers one value can use it, too: to pop the last node is to take all.
 * That is what pop does here when the top node has no successor, so that
 * pop_all is tested by the plain specification of a stack.
 *
 * Proof sketch.  The stack is the list that begins at `top`.
 * - push linearizes at its successful CAS.  It does not increment the count
 *   and may be deceived by ABA, which is harmless: it needs to know which node
 *   is the top one, and its CAS makes sure of that.
 * - pop linearizes at its successful CAS.  The count is the one that was read
 *   before `next`, so no node was removed since, and a node that is in the
 *   list and not removed does not change: `next` is the successor.  That holds
 *   for `next` being NULL as well, so take_all() takes just one.
 * - pop = empty linearizes where it reads NULL from `top`.
 * - The value is read after the CAS, when the node belongs to this pop alone.
 *
 * FAULT_POP_ALL: taking all does not increment the count (there is no
 * successor, so what could go wrong?  Concurrency Kit 0.7.1 has this in
 * ck_stack_batch_pop_mpmc).  Another pop has read the node with no successor;
 * the stack is emptied, the node pushed again on top of another: its CAS
 * succeeds and loses the other one. */
#include "../smr/pool.h"
#include "../smr/tagged.h"
#include <plumb/object.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
    int64_t value;
};

static _Atomic tagged top;

static void push(plumb_invocation *i)
{
    struct node *const n = pool_take(sizeof *n);
    n->value = plumb_arg(i, 0);
    /* relaxed: the CAS tells whether it is still the top */
    tagged old = atomic_load_explicit(&top, memory_order_relaxed);
    for (;;) {
        /* relaxed: published by the CAS; others that read it are late, and
         * their CAS fails */
        atomic_store_explicit(&n->next, tagged_pointer(old),
                              memory_order_relaxed);
        /* release: pairs with the acquire loads and CAS in take() */
        if (atomic_compare_exchange_strong_explicit(
                &top, &old, tagged_make(n, tagged_tag(old)),
                memory_order_acq_rel, memory_order_relaxed))
            return;
        plumb_retry();
    }
}

/* Replace the top, which was `old`, by a list of fewer nodes. */
static bool replace(tagged old, struct node *rest)
{
    /* acq_rel: acquires the value from push(); the release keeps what pushes
     * released before, for those who read it from here */
    return atomic_compare_exchange_strong_explicit(
        &top, &old, tagged_make(rest, tagged_tag(old) + 1),
        memory_order_acq_rel, memory_order_relaxed);
}

/* Replace the top, which was `old`, by nothing. */
static bool take_all(tagged old)
{
#ifdef FAULT_POP_ALL
    return atomic_compare_exchange_strong_explicit(
        &top, &old, tagged_make(NULL, tagged_tag(old)), memory_order_acq_rel,
        memory_order_relaxed);
#else
    return replace(old, NULL);
#endif
}

/* The node that was the top one, taken out; or NULL. */
static struct node *take(void)
{
    for (;;) {
        /* acquire: pairs with the release in push() */
        const tagged old = atomic_load_explicit(&top, memory_order_acquire);
        struct node *const n = tagged_pointer(old);
        if (!n)
            return NULL;
        /* relaxed: the load above acquired it, unless it was used again */
        struct node *const next =
            atomic_load_explicit(&n->next, memory_order_relaxed);
        if (next ? replace(old, next) : take_all(old))
            return n;
        plumb_retry();
    }
}

static void pop(plumb_invocation *i)
{
    struct node *const n = take();
    if (!n) {
        plumb_term(i, "empty");
        return;
    }
    plumb_return(i, n->value);
    pool_give(n);
}

static void setup(void)
{
    atomic_init(&top, tagged_make(NULL, 0));
}

PLUMB_OBJECT(.name = "S", .spec = "stack", .setup = setup,
             .teardown = pool_drain,
             .operations = { { "push", push, { PLUMB_FRESH } },
                             { "pop", pop } });
