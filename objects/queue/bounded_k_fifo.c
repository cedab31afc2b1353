/* bounded_k_fifo.c - a ring of segments, at whose ends many may work.
 *
 * The bounded k-FIFO queue of Kirsch, Lippautz & Payer, "Fast and scalable,
 * lock-free k-FIFO queues" (PaCT 2013); bk-queue in Scal and Round-Up.  As
 * unbounded_k_fifo.c, but in a ring: segment n lies at n modulo SEGMENTS.  Their
 * k is K + 1 here, the number of slots of a segment.
 *
 * `head` and `tail` count up; each has a second count in the lower bits, by
 * which an enqueue lets a removal of the head segment fail.
 *
 * It is full when the segment behind the tail is that of the head, which has
 * items.  Segments need not be full: there may be as few items as segments, so
 * only for K = 0 is that a queue of bounded size (cap=SEGMENTS).  Elsewhere
 * `full` is no answer of the specification: choose SEGMENTS large enough.
 *
 * FAULT_STALE_FULL: does not look again at `head` before it answers full; the
 * head that it knows may be one of long ago.  (As in Scal, up to 2013.) */
#include "../common/slots.h"

#ifndef SEGMENTS
#define SEGMENTS 16
#endif

#define SEGMENT ((uint64_t)1 << 16) /* by which an end moves to the next one */

static struct slots ring[SEGMENTS];
static _Atomic uint64_t head, tail;

static uint64_t number(uint64_t end)
{
    return end / SEGMENT;
}

static struct slots *segment(uint64_t end)
{
    return &ring[number(end) % SEGMENTS];
}

static void setup(void)
{
    for (unsigned n = 0; n < SEGMENTS; n++)
        slots_init(&ring[n]);
    atomic_init(&head, 0);
    atomic_init(&tail, 0);
}

static void advance(_Atomic uint64_t *end, uint64_t from)
{
    /* if it fails, somebody else moved it */
    atomic_compare_exchange_strong(end, &from, (number(from) + 1) * SEGMENT);
}

static void advance_head(uint64_t from)
{
    const uint64_t last = atomic_load(&tail);
    if (atomic_load(&head) != from)
        return;
    if (number(last) == number(from))
        advance(&tail, last);
    advance(&head, from);
}

/* An item was put into the segment of `last`, into the slot that is `f` now.
 * Will it be found? */
static bool committed(uint64_t last, const struct found *f)
{
    if (slots_load(segment(last), f->index) != f->word)
        return true; /* somebody has it */
    uint64_t first = atomic_load(&head);
    if (number(first) < number(last))
        return true;
    if (number(first) == number(last) &&
        atomic_compare_exchange_strong(&head, &first, first + 1))
        return true;
    return !slots_replace(segment(last), f, slot_without(f->word));
}

static bool has_items(struct slots *s)
{
    for (unsigned n = 0; n <= K; n++)
        if (slot_has_item(slots_load(s, n)))
            return true;
    return false;
}

static bool is_still_head(uint64_t first)
{
#ifdef FAULT_STALE_FULL
    (void)first;
    return true;
#else
    return atomic_load(&head) == first;
#endif
}

/* No slot was empty in the segment of `last`.  Is the ring full?  If not, make
 * room. */
static bool is_full(uint64_t first, uint64_t last)
{
    if (number(last) + 1 - number(first) < SEGMENTS) {
        advance(&tail, last);
        return false;
    }
    if (has_items(segment(first)) && is_still_head(first))
        return true;
    advance_head(first);
    return false;
}

static void enq(plumb_invocation *i)
{
    const uint64_t item = slot_of(plumb_arg(i, 0));
    for (;; plumb_retry()) {
        struct found f;
        const uint64_t last = atomic_load(&tail), first = atomic_load(&head);
        const bool room = slots_find(segment(last), false, &f);
        if (last != atomic_load(&tail))
            continue;
        if (!room && is_full(first, last)) {
            plumb_term(i, "full");
            return;
        }
        if (room && slots_replace(segment(last), &f, slot_with(f.word, item))) {
            f.word = slot_with(f.word, item);
            if (committed(last, &f))
                return;
        }
    }
}

static void deq(plumb_invocation *i)
{
    for (;; plumb_retry()) {
        struct found f;
        const uint64_t first = atomic_load(&head);
        const bool item = slots_find(segment(first), true, &f);
        const uint64_t last = atomic_load(&tail);
        if (first != atomic_load(&head))
            continue;
        const bool alone = number(first) == number(last);
        if (item && alone)
            advance(&tail, last);
        if (item && slots_replace(segment(first), &f, slot_without(f.word))) {
            plumb_return(i, slot_item(f.word));
            return;
        }
        if (!item && alone) {
            plumb_term(i, "empty");
            return;
        }
        if (!item)
            advance_head(first);
    }
}

#define TEXT(x) #x
#if K == 0
#define SPEC_OF(k, segments) "queue:cap=" TEXT(segments)
#else
#define SPEC_OF(k, segments) "queue:k=" TEXT(k)
#endif

PLUMB_OBJECT(.name = "Q", .spec = SPEC_OF(K, SEGMENTS), .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
