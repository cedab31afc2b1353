/* effects.c - see effects.h. */
#include "check/effects.h"

#include "base/arena.h"
#include "check/keyed.h"
#include <string.h>

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

static void sort_by_digit(const struct plumb_effect *from, uint32_t count,
                          unsigned shift, struct plumb_effect *to)
{
    uint32_t start[DIGITS + 1] = { 0 };
    for (uint32_t i = 0; i < count; i++)
        start[(from[i].place >> shift) % DIGITS + 1]++;
    for (uint32_t d = 1; d < DIGITS; d++)
        start[d] += start[d - 1];
    for (uint32_t i = 0; i < count; i++)
        to[start[(from[i].place >> shift) % DIGITS]++] = from[i];
}

static bool is_sorted(const struct plumb_effect *effect, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (effect[i].place < effect[i - 1].place)
            return false;
    return true;
}

/* By place; equal ones stay as they are. */
static bool sort(struct plumb_effect *effect, uint32_t count,
                 struct plumb_arena *scratch)
{
    if (is_sorted(effect, count))
        return true;
    struct plumb_effect *const other =
        plumb_arena_alloc(scratch, count * sizeof *other);
    struct plumb_effect *from = effect, *to = other;
    uint32_t most = 0;
    if (!other)
        return false;
    for (uint32_t i = 0; i < count; i++)
        most |= effect[i].place;
    for (unsigned shift = 0; shift < 32 && most >> shift; shift += DIGIT) {
        sort_by_digit(from, count, shift, to);
        struct plumb_effect *const swap = from;
        from = to;
        to = swap;
    }
    if (from != effect)
        memcpy(effect, from, count * sizeof *effect);
    return true;
}

/* Those that took effect at their own returns, from event number *at on, as
 * far as the event of that rank; how many are in the order then. */
static uint32_t follow(const struct plumb_tape *tape, const bool *own,
                       uint32_t rank, uint32_t *at, uint32_t *order,
                       uint32_t count)
{
    const uint32_t events = tape->events;
    const bool dense =
        plumb_tape_rank(tape, tape->event[events - 1]) == events - 1;
    uint32_t end = rank < events ? rank : events;
    if (!dense)
        for (end = *at; end < events; end++)
            if (plumb_tape_rank(tape, tape->event[end]) >= rank)
                break;
    for (uint32_t i = *at; i < end; i++) {
        const uint32_t e = tape->event[i];
        order[count] = e / 2;
        count += e & own[e / 2];
    }
    *at = end > *at ? end : *at;
    return count;
}

bool plumb_effects_order(struct plumb_monitoring *m, const bool *own,
                         struct plumb_effect *effect, uint32_t effects,
                         unsigned shift)
{
    const struct plumb_tape *const tape = m->tape;
    uint32_t *const order =
        plumb_arena_alloc(m->arena, ((size_t)tape->count + 1) * sizeof *order);
    uint32_t count = 0, at = 0;
    if (!order || !sort(effect, effects, m->scratch))
        return plumb_monitor_gives_up(m, PLUMB_EMEMORY);
    for (uint32_t i = 0; i < effects; i++) {
        count = follow(tape, own, effect[i].place >> shift, &at, order, count);
        order[count++] = effect[i].op;
    }
    if (tape->events)
        count = follow(tape, own, PLUMB_NEVER, &at, order, count);
    m->order = order;
    m->order_count = count;
    m->keys = 0;
    return true;
}
