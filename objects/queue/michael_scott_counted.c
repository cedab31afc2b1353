/* michael_scott_counted.c - Michael and Scott's queue with counted pointers.
 *
 * As printed in 1996: `head`, `tail` and every `next` are a pointer and a
 * count, and every CAS increments the count.  Nodes come from a pool and stay
 * mapped.  A node that is used again keeps the count of its `next`.
 *
 *     head                              tail, or one behind
 *      |                                 |
 *      v                                 v
 *     dummy -> first item -> ... -> last item -> NULL
 *
 * Proof sketch.  The items are those behind the node `head` points to.  No
 * count is ever the same twice in the life of the word (see tagged.h for how
 * far that is true), so a word that is found unchanged never changed.
 * - enq linearizes at the CAS of `next`.  `tail` was the same before and after
 *   `next` was read, so the node was in the list then, and the last one.  Had
 *   it left the list since, it would have got a successor, and its `next` a
 *   higher count, which it keeps when it is used again: the CAS would fail.
 * - deq = ok linearizes at the CAS of `head`: unchanged, so the node is the
 *   one that `next` and the value were read from, and in between nobody took
 *   the first item and wrote another value into its node.
 * - deq = empty linearizes where it read NULL from `next`: `head` is found
 *   unchanged afterwards, so that node was the dummy then.
 * - Nodes go back to the pool by the deq whose CAS took them out.  Others may
 *   still read them; what they read is thrown away when their CAS, or their
 *   second look at `head` or `tail`, fails.
 *
 * FAULT_TAG_RESET: a node that is used again begins with count 0.  An enq that
 * slept before its CAS of `next` then links its item behind a node that is
 * just being prepared by another enq, and nobody finds it for a while.
 *
 * FAULT_STALE_EMPTY: deq answers empty without a second look at `head`
 * (Concurrency Kit 0.7.1 does in ck_fifo_mpmc_dequeue).  If the dummy it read
 * was used again and is now the last node, it has no successor, although the
 * queue was never empty. */
#include "../smr/pool.h"
#include "../smr/tagged.h"
#include <plumb/object.h>
#include <stdatomic.h>

struct node {
    _Atomic tagged next;
    _Atomic int64_t value; /* late readers may see it change */
};

static _Atomic tagged head, tail;

/* The algorithm compares words that were read one after the other; all is
 * seq_cst, as its authors assume. */
static tagged load(_Atomic tagged *from)
{
    return atomic_load_explicit(from, memory_order_seq_cst);
}

static bool cas(_Atomic tagged *at, tagged old, const struct node *new)
{
    /* relaxed if it fails: all is read again */
    return atomic_compare_exchange_strong_explicit(
        at, &old, tagged_make(new, tagged_tag(old) + 1), memory_order_seq_cst,
        memory_order_relaxed);
}

static struct node *node_make(int64_t value)
{
    struct node *const n = pool_take(sizeof *n);
#ifdef FAULT_TAG_RESET
    const uint64_t tag = 0;
#else
    const uint64_t tag = tagged_tag(load(&n->next));
#endif
    /* relaxed: published by the CAS in enq() */
    atomic_store_explicit(&n->next, tagged_make(NULL, tag),
                          memory_order_relaxed);
    atomic_store_explicit(&n->value, value, memory_order_relaxed);
    return n;
}

static void enq(plumb_invocation *i)
{
    struct node *const n = node_make(plumb_arg(i, 0));
    for (;; plumb_retry()) {
        const tagged last = load(&tail);
        struct node *const at = tagged_pointer(last);
        const tagged next = load(&at->next);
        if (last != load(&tail))
            continue;
        if (tagged_pointer(next))
            cas(&tail, last, tagged_pointer(next)); /* help who linked it */
        else if (cas(&at->next, next, n)) {
            cas(&tail, last, n);
            return;
        }
    }
}

/* Take out the first item.  The node that was the dummy, NULL if there is
 * none. */
static struct node *take(int64_t *value)
{
    for (;; plumb_retry()) {
        const tagged first = load(&head);
        const tagged last = load(&tail);
        struct node *const dummy = tagged_pointer(first);
        struct node *const next = tagged_pointer(load(&dummy->next));
#ifdef FAULT_STALE_EMPTY
        if (dummy == tagged_pointer(last) && !next)
            return NULL;
#endif
        if (first != load(&head))
            continue;
        if (dummy == tagged_pointer(last)) {
            if (!next)
                return NULL;
            cas(&tail, last, next);
            continue;
        }
        /* relaxed: the load of `next` acquired it, and if it is another one by
         * now, the CAS fails */
        *value = atomic_load_explicit(&next->value, memory_order_relaxed);
        if (cas(&head, first, next))
            return dummy;
    }
}

static void deq(plumb_invocation *i)
{
    int64_t value;
    struct node *const dummy = take(&value);
    if (dummy) {
        plumb_return(i, value);
        pool_give(dummy);
    } else
        plumb_term(i, "empty");
}

static void setup(void)
{
    const struct node *const dummy = node_make(0);
    atomic_init(&head, tagged_make(dummy, 0));
    atomic_init(&tail, tagged_make(dummy, 0));
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .teardown = pool_drain,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
