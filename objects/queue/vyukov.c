/* vyukov.c - a bounded ring for many producers and consumers.
 *
 * Dmitry Vyukov, 2010.  Cells are numbered 0, 1, 2, ... for ever; cell n lies
 * at n modulo CAPACITY.  An enq claims the next number from `tail`, a deq from
 * `head`.  Each place has a turn that says what may be done there:
 *
 *     turn == n              free, the enq that claims n may write
 *     turn == n + 1          filled, the deq that claims n may read
 *     turn == n + CAPACITY   free again, for the next lap
 *
 * Proof sketch.  enq linearizes at its CAS of `tail`, deq at its CAS of `head`.
 * n is claimed by a deq only after it was filled, so after it was claimed by
 * an enq; and by an enq only after it was emptied in the lap before.  So always
 * head <= tail <= head + CAPACITY, and the n-th deq gets the n-th enq's value.
 * The CAS makes sure that nobody else claimed n: indices do not come around.
 * - A turn is written by one thread at a time, the one that claimed.
 * - deq = empty, with RECHECK: `head` was n, then `tail` was n.  head was not
 *   beyond tail, so it was n still: the ring was empty when `tail` was read.
 * - enq = full, with RECHECK: `tail` was n, then `head` was n - CAPACITY.
 *   Until `head` moves on, nobody can claim n: the ring was full then.
 * - If the index says otherwise, someone claimed n and is not done.  Wait.
 *
 * Without RECHECK, as published, "not filled yet" is answered as empty, and
 * "not emptied yet" as full, although items behind it were enqueued long ago.
 * That fails the queue's specification, and is what one pays for not waiting:
 * its empty and full are weak. */
#include <plumb/object.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef CAPACITY
#define CAPACITY 4
#endif

struct cell {
    _Atomic uint64_t turn;
    int64_t value;
};

static struct cell ring[CAPACITY];
static _Atomic uint64_t head, tail;

static uint64_t load(_Atomic uint64_t *index)
{
    return atomic_load_explicit(index, memory_order_seq_cst);
}

static uint64_t turn_of(uint64_t n)
{
    /* acquire: pairs with the release in pass_turn() */
    return atomic_load_explicit(&ring[n % CAPACITY].turn, memory_order_acquire);
}

static void pass_turn(uint64_t n, uint64_t turn)
{
    /* release: pairs with the acquire in turn_of() */
    atomic_store_explicit(&ring[n % CAPACITY].turn, turn, memory_order_release);
}

/* Turns and numbers are far from wrapping around, but a turn may be behind. */
static bool is_before(uint64_t a, uint64_t b)
{
    return (int64_t)(a - b) < 0;
}

/* Claim the number at `index`, when its place has the turn number + `ahead`.
 * False if that turn is still to come. */
static bool claim(_Atomic uint64_t *index, unsigned ahead, uint64_t *number)
{
    for (;; plumb_retry()) {
        uint64_t n = load(index);
        const uint64_t turn = turn_of(n);
        *number = n;
        if (is_before(turn, n + ahead))
            return false;
        /* relaxed if it fails: `index` is read again */
        if (turn == n + ahead &&
            atomic_compare_exchange_strong_explicit(
                index, &n, n + 1, memory_order_seq_cst, memory_order_relaxed))
            return true;
    }
}

/* The other index was `limit` for certain?  If not, somebody is on the way:
 * let that one go on. */
static bool is_certain(_Atomic uint64_t *other, uint64_t limit)
{
#ifdef RECHECK
    if (load(other) != limit) {
        plumb_retry();
        sched_yield();
        return false;
    }
#else
    (void)other, (void)limit;
#endif
    return true;
}

static void enq(plumb_invocation *i)
{
    uint64_t n;
    while (!claim(&tail, 0, &n))
        if (is_certain(&head, n - CAPACITY)) {
            plumb_term(i, "full");
            return;
        }
    ring[n % CAPACITY].value = plumb_arg(i, 0);
    pass_turn(n, n + 1);
}

static void deq(plumb_invocation *i)
{
    uint64_t n;
    while (!claim(&head, 1, &n))
        if (is_certain(&tail, n)) {
            plumb_term(i, "empty");
            return;
        }
    plumb_return(i, ring[n % CAPACITY].value);
    pass_turn(n, n + CAPACITY);
}

static void setup(void)
{
    atomic_init(&head, 0);
    atomic_init(&tail, 0);
    for (uint64_t n = 0; n < CAPACITY; n++)
        atomic_init(&ring[n].turn, n);
}

#define TEXT(x)       #x
#define SPEC_OF(size) "queue:cap=" TEXT(size)

PLUMB_OBJECT(.name = "Q", .spec = SPEC_OF(CAPACITY), .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
