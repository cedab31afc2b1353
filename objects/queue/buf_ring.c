/* buf_ring.c - a ring with two indices on each side, as in FreeBSD.
 *
 * Kip Macy's buf_ring (FreeBSD 8, 2008).  A producer claims a slot by a CAS of
 * `claimed` on its side, writes there, waits for the producers before it, and
 * then moves `done` on.  Consumers do the same on theirs.
 *
 *     consumers.done <= consumers.claimed <= producers.done
 *                                         <= producers.claimed
 *     producers.claimed - consumers.done <= CAPACITY
 *
 * The indices count up for ever; there is one slot more than CAPACITY, as in
 * the original, whose indices are taken modulo the size.  In a ring for one
 * item faults show soonest; -DCAPACITY=7 makes a larger one.
 *
 * Proof sketch.  The n-th successful enq claims n and lets others see it in
 * order, and so does the n-th deq: the order is first in, first out.
 * - A claim is right because indices never come back: if the CAS finds n, then
 *   nobody claimed since, and the opposite `done` can only have moved on.
 * - Between claiming and done, an operation is half done.  To tell full, enq
 *   counts the slots that were claimed; to tell empty, deq counts the items
 *   that are done.  So a half-done enq may look done to the one and not done to
 *   the other, and so may a deq: `empty` and `full` are weak.  Each tells the
 *   truth about some moment: no item was there to be claimed, no slot free.
 * - full: `producers.claimed` was the same before and after `consumers.done`
 *   was read, so the difference was CAPACITY then.
 *
 * FAULT_MASKED: the indices are kept modulo the number of slots.  A deq that
 * slept before its CAS finds its old index again after one lap, and takes a
 * slot that was emptied long ago.
 *
 * FAULT_FULL (FreeBSD 9.3): the second look at `producers.claimed` is missing.
 * If it was read long ago, `consumers.done` may be beyond it, the difference
 * wraps around, and an empty ring is full. */
#include <plumb/object.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef CAPACITY
#define CAPACITY 1
#endif
#define SLOTS (CAPACITY + 1u)

struct side {
    _Atomic uint64_t claimed, done;
};

static struct side producers, consumers;
static _Atomic int64_t ring[SLOTS];

static uint64_t load(_Atomic uint64_t *index)
{
    return atomic_load_explicit(index, memory_order_seq_cst);
}

static uint64_t next(uint64_t index)
{
#ifdef FAULT_MASKED
    return (index + 1) % SLOTS;
#else
    return index + 1;
#endif
}

static uint64_t distance(uint64_t from, uint64_t to)
{
#ifdef FAULT_MASKED
    return (to + SLOTS - from) % SLOTS;
#else
    return to - from;
#endif
}

static bool claim(struct side *side, uint64_t index)
{
    /* relaxed if it fails: all is read again */
    if (atomic_compare_exchange_strong_explicit(
            &side->claimed, &index, next(index), memory_order_seq_cst,
            memory_order_relaxed))
        return true;
    plumb_retry();
    return false;
}

/* When all before are done, so are we.  A store would do, as nobody else waits
 * for this index; but where indices come around two may, and must not both
 * count as one, or all would wait for ever. */
static void finish(struct side *side, uint64_t index)
{
    uint64_t expected = index;
    /* relaxed if it fails: it is tried again */
    while (!atomic_compare_exchange_strong_explicit(
        &side->done, &expected, next(index), memory_order_seq_cst,
        memory_order_relaxed)) {
        expected = index;
        plumb_retry();
        sched_yield();
    }
}

static bool is_full(uint64_t claimed)
{
    if (distance(load(&consumers.done), claimed) < CAPACITY)
        return false;
#ifdef FAULT_FULL
    return true;
#else
    return claimed == load(&producers.claimed);
#endif
}

static void enq(plumb_invocation *i)
{
    uint64_t index;
    do {
        index = load(&producers.claimed);
        if (is_full(index)) {
            plumb_term(i, "full");
            return;
        }
    } while (!claim(&producers, index));
    /* relaxed: published by finish() */
    atomic_store_explicit(&ring[index % SLOTS], plumb_arg(i, 0),
                          memory_order_relaxed);
    finish(&producers, index);
}

static void deq(plumb_invocation *i)
{
    uint64_t index;
    do {
        index = load(&consumers.claimed);
        if (index == load(&producers.done)) {
            plumb_term(i, "empty");
            return;
        }
    } while (!claim(&consumers, index));
    /* relaxed: the load of `done` acquired it */
    plumb_return(
        i, atomic_load_explicit(&ring[index % SLOTS], memory_order_relaxed));
    finish(&consumers, index);
}

static void reset(struct side *side)
{
    atomic_init(&side->claimed, 0);
    atomic_init(&side->done, 0);
}

static void setup(void)
{
    reset(&producers);
    reset(&consumers);
}

#define TEXT(x)       #x
#define SPEC_OF(size) "queue:cap=" TEXT(size)

PLUMB_OBJECT(.name = "Q", .spec = SPEC_OF(CAPACITY), .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
