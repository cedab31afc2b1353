/* unbounded_k_fifo.c - a list of segments, at whose ends many may work.
 *
 * The unbounded k-FIFO queue of Kirsch, Lippautz & Payer, "Fast and scalable,
 * lock-free k-FIFO queues" (PaCT 2013); ubk-queue in Scal and Round-Up.  Their
 * k is K + 1 here, the number of slots of a segment.  An enqueue fills an empty
 * slot of the tail segment, a dequeue empties a filled one of the head segment.
 *
 *     head -> | 2  . | -> | 3  4 | -> | .  5 | <- tail        K = 1
 *
 * Unlike the segments of segment_queue.c these need not be full: a dequeue that
 * finds head and tail in the same segment first moves the tail on.
 *
 * Where it takes effect (the paper has the proof):
 * - An enqueue that is slow may fill its slot when the tail has moved on, or
 *   even the head.  So it looks again afterwards: `committed`.  If the segment
 *   is still in the queue behind the head, the item will be found.  If it is
 *   the head, some dequeue may just have found it empty, and be about to remove
 *   it: the enqueue changes the count of `head`, so that the removal fails, or
 *   has failed itself.  If the segment is gone, it takes its item back, unless
 *   a dequeue has it already.
 * - A dequeue takes effect with the CAS that empties its slot.  In one segment
 *   at most K items are before it, and at most K others overtake it: k=K.
 * - Empty: no slot of the head segment had an item, and afterwards it still was
 *   the tail segment, too, so that nobody had emptied a slot in it: all were
 *   empty when the first was looked at.
 *
 * FAULT_NO_COMMIT: an enqueue does not look again; its item may be lost with a
 * segment that is removed.
 *
 * Segments stay until teardown. */
#include "../common/slots.h"
#include "../smr/tagged.h"

#include <stddef.h>

struct segment {
    struct slots slots;
    _Atomic(struct segment *) next;
    _Atomic bool removed; /* or about to be */
};

static struct segment *oldest; /* of all segments, for teardown */
static _Atomic tagged head, tail;

static struct segment *segment(tagged end)
{
    return tagged_pointer(end);
}

static struct segment *make_segment(void)
{
    struct segment *const s = malloc(sizeof *s);
    if (!s)
        abort();
    slots_init(&s->slots);
    atomic_init(&s->next, NULL);
    atomic_init(&s->removed, false);
    return s;
}

static void setup(void)
{
    oldest = make_segment();
    atomic_init(&head, tagged_make(oldest, 0));
    atomic_init(&tail, tagged_make(oldest, 0));
}

static void teardown(void)
{
    for (struct segment *s = oldest, *next; s; s = next) {
        next = atomic_load(&s->next);
        free(s);
    }
}

/* Move one end to `to`, if it is `from`, also in its count. */
static bool move(_Atomic tagged *end, tagged from, struct segment *to)
{
    return atomic_compare_exchange_strong(
        end, &from, tagged_make(to, tagged_tag(from) + 1));
}

static void advance_tail(tagged from)
{
    struct segment *next = atomic_load(&segment(from)->next);
    if (!next) {
        struct segment *const fresh = make_segment();
        if (atomic_compare_exchange_strong(&segment(from)->next, &next, fresh))
            next = fresh;
        else
            free(fresh);
    }
    move(&tail, from, next);
}

static void advance_head(tagged from)
{
    const tagged end = atomic_load(&tail);
    if (atomic_load(&head) != from)
        return;
    if (segment(end) == segment(from))
        advance_tail(end);
    atomic_store(&segment(from)->removed, true);
    move(&head, from, atomic_load(&segment(from)->next));
}

/* An item was put into a slot of `s`, which is `f` now.  Will it be found? */
static bool committed(struct segment *s, const struct found *f)
{
#ifdef FAULT_NO_COMMIT
    (void)s, (void)f;
    return true;
#else
    if (slots_load(&s->slots, f->index) != f->word)
        return true; /* somebody has it */
    const tagged first = atomic_load(&head);
    if (!atomic_load(&s->removed)) {
        if (segment(first) != s || move(&head, first, s))
            return true;
    }
    return !slots_replace(&s->slots, f, slot_without(f->word));
#endif
}

static void enq(plumb_invocation *i)
{
    const uint64_t item = slot_of(plumb_arg(i, 0));
    for (;; plumb_retry()) {
        struct found f;
        const tagged last = atomic_load(&tail);
        struct segment *const s = segment(last);
        const bool room = slots_find(&s->slots, false, &f);
        if (last != atomic_load(&tail))
            continue;
        if (!room) {
            advance_tail(last);
        } else if (slots_replace(&s->slots, &f, slot_with(f.word, item))) {
            f.word = slot_with(f.word, item);
            if (committed(s, &f))
                return;
        }
    }
}

static void deq(plumb_invocation *i)
{
    for (;; plumb_retry()) {
        struct found f;
        const tagged first = atomic_load(&head);
        struct segment *const s = segment(first);
        const bool item = slots_find(&s->slots, true, &f);
        const tagged last = atomic_load(&tail);
        if (first != atomic_load(&head))
            continue;
        if (item && s == segment(last))
            advance_tail(last);
        if (item && slots_replace(&s->slots, &f, slot_without(f.word))) {
            plumb_return(i, slot_item(f.word));
            return;
        }
        if (!item && s == segment(last)) {
            plumb_term(i, "empty");
            return;
        }
        if (!item)
            advance_head(first);
    }
}

#define TEXT(x)    #x
#define SPEC_OF(k) "queue:k=" TEXT(k)

PLUMB_OBJECT(.name = "Q", .spec = SPEC_OF(K), .setup = setup,
             .teardown = teardown,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
