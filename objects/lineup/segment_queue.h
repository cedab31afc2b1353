/* segment_queue.h - a queue of short arrays.
 *
 * ConcurrentQueue of .NET 4.0, small: a list of segments with two slots each.
 * An enqueue claims a slot by incrementing `high` and fills it later; who
 * claims the last slot appends the next segment.  A dequeue claims an item by a
 * CAS on `low`, then waits until its slot is filled; who takes the last one
 * moves `head` on.
 *
 * - enqueue takes effect when it increments `high`, if there was a slot;
 * - a dequeue takes effect at its CAS: the item was claimed by then, since high
 *   was read before, and low did not change.  Empty: where it reads that high
 *   is below low, or that a segment that is used up has no successor;
 * - peek takes effect when it reads low, or at the enqueue of its item, if that
 *   was later; no dequeue can take the item in between;
 * - count and to_array take effect between two readings of all four positions
 *   that agree.  Positions only grow, so between them nothing changed.
 *
 * FAULT_UNFILLED: a dequeue that finds the first slot claimed but not yet
 * filled does not wait: it says that the queue is empty.  Behind that slot may
 * be items whose enqueue is long over. */
#ifndef OBJECTS_LINEUP_SEGMENT_QUEUE_H
#define OBJECTS_LINEUP_SEGMENT_QUEUE_H

#include "../common/lock.h"
#include "collected.h"

#include <stdatomic.h>

enum { SEGMENT_SLOTS = 2 };

struct segment {
    int64_t index; /* how many slots are in those before */
    atomic_int low, high;
    struct {
        atomic_bool filled;
        int64_t item;
    } slot[SEGMENT_SLOTS];
    _Atomic(struct segment *) next;
};

struct segment_queue {
    _Atomic(struct segment *) head, tail;
    struct segment first;
};

/* Where a queue begins and ends, at one moment. */
struct segment_span {
    struct segment *head;
    int low;
    int64_t length;
};

static inline void segment_queue_init(struct segment_queue *q)
{
    q->first.index = 0;
    atomic_store(&q->first.low, 0);
    atomic_store(&q->first.high, 0);
    atomic_store(&q->first.next, NULL);
    for (int s = 0; s < SEGMENT_SLOTS; s++)
        atomic_store(&q->first.slot[s].filled, false);
    atomic_store(&q->head, &q->first);
    atomic_store(&q->tail, &q->first);
}

/* One behind the last slot that is claimed. */
static inline int segment_high(struct segment *s)
{
    const int high = atomic_load(&s->high);
    return high < SEGMENT_SLOTS ? high : SEGMENT_SLOTS;
}

static inline bool segment_is_empty(struct segment *s)
{
    const int low = atomic_load(&s->low);
    return low >= segment_high(s);
}

static inline int64_t segment_item(struct segment *s, int at)
{
    while (!atomic_load(&s->slot[at].filled))
        try_again();
    return s->slot[at].item;
}

/* ---- enqueue ---- */

static inline void segment_queue_grow(const plumb_invocation *i,
                                      struct segment_queue *q,
                                      struct segment *last)
{
    struct segment *const s = collected_new(i, sizeof *s);
    s->index = last->index + SEGMENT_SLOTS;
    atomic_store(&last->next, s);
    atomic_store(&q->tail, s);
}

static inline bool segment_append(const plumb_invocation *i,
                                  struct segment_queue *q, struct segment *s,
                                  int64_t item)
{
    if (atomic_load(&s->high) >= SEGMENT_SLOTS)
        return false;
    const int at = atomic_fetch_add(&s->high, 1);
    if (at >= SEGMENT_SLOTS)
        return false;
    s->slot[at].item = item;
    atomic_store(&s->slot[at].filled, true);
    if (at == SEGMENT_SLOTS - 1)
        segment_queue_grow(i, q, s);
    return true;
}

static inline void segment_queue_enqueue(const plumb_invocation *i,
                                         struct segment_queue *q, int64_t item)
{
    while (!segment_append(i, q, atomic_load(&q->tail), item))
        try_again();
}

/* ---- dequeue, peek ---- */

static inline bool segment_queue_is_empty(struct segment_queue *q)
{
    for (;;) {
        struct segment *const head = atomic_load(&q->head);
        if (!segment_is_empty(head))
            return false;
        if (!atomic_load(&head->next))
            return true;
        try_again(); /* somebody is about to move the head */
    }
}

/* The item at `low` is taken; if it is the last, so is the segment. */
static inline int64_t segment_leave(struct segment_queue *q, struct segment *s,
                                    int low)
{
    const int64_t item = segment_item(s, low);
    if (low == SEGMENT_SLOTS - 1) {
        while (!atomic_load(&s->next))
            try_again();
        atomic_store(&q->head, atomic_load(&s->next));
    }
    return item;
}

/* False if the segment has no item. */
static inline bool segment_remove(struct segment_queue *q, struct segment *s,
                                  int64_t *item)
{
    int low = atomic_load(&s->low);
    while (low < segment_high(s)) {
#ifdef FAULT_UNFILLED
        if (!atomic_load(&s->slot[low].filled))
            return false;
#endif
        if (atomic_compare_exchange_strong(&s->low, &low, low + 1)) {
            *item = segment_leave(q, s, low);
            return true;
        }
        plumb_retry();
    }
    return false;
}

static inline bool segment_queue_dequeue(struct segment_queue *q, int64_t *item)
{
    while (!segment_queue_is_empty(q)) {
        if (segment_remove(q, atomic_load(&q->head), item))
            return true;
#ifdef FAULT_UNFILLED
        return false;
#endif
    }
    return false;
}

static inline bool segment_queue_peek(struct segment_queue *q, int64_t *item)
{
    while (!segment_queue_is_empty(q)) {
        struct segment *const s = atomic_load(&q->head);
        const int low = atomic_load(&s->low);
        if (low >= segment_high(s))
            continue;
        *item = segment_item(s, low);
        return true;
    }
    return false;
}

/* ---- the whole of it ---- */

static inline struct segment_span segment_queue_span(struct segment_queue *q)
{
    for (;;) {
        struct segment *const head = atomic_load(&q->head);
        struct segment *const tail = atomic_load(&q->tail);
        const int low = atomic_load(&head->low);
        const int high = segment_high(tail);
        if (head == atomic_load(&q->head) && tail == atomic_load(&q->tail) &&
            low == atomic_load(&head->low) && high == segment_high(tail) &&
            head->index <= tail->index)
            return (struct segment_span){
                head, low, tail->index + high - head->index - low
            };
        try_again();
    }
}

/* Answers all items, the first first. */
static inline void segment_queue_to_array(plumb_invocation *i,
                                          struct segment_queue *q)
{
    const struct segment_span span = segment_queue_span(q);
    struct segment *s = span.head;
    int at = span.low;
    for (int64_t n = 0; n < span.length; n++) {
        if (at == SEGMENT_SLOTS) {
            s = atomic_load(&s->next);
            at = 0;
        }
        plumb_return(i, segment_item(s, at++));
    }
}

#endif
