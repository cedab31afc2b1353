/* effects.c - see effects.h. */
#include "effects.h"

#include "base/arena.h"
#include "base/pace.h"
#include "check/keyed/keyed.h"

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

static bool sort_by_digit(const struct plumb_budget *budget,
                          const struct plumb_check_effect *from, uint32_t count,
                          unsigned shift, struct plumb_check_effect *to)
{
    uint32_t start[DIGITS + 1] = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        start[(from[i].place >> shift) % DIGITS + 1]++;
    }
    for (uint32_t d = 1; d < DIGITS; d++)
        start[d] += start[d - 1];
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        to[start[(from[i].place >> shift) % DIGITS]++] = from[i];
    }
    return true;
}

/* The bits of all places; 0 if they are in order. */
static bool find_bits(const struct plumb_budget *budget,
                      const struct plumb_check_effect *effect, uint32_t count,
                      uint32_t *bits)
{
    bool sorted = true;
    *bits = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        sorted = sorted && (!i || effect[i].place >= effect[i - 1].place);
        *bits |= effect[i].place;
    }
    if (sorted)
        *bits = 0;
    return true;
}

/* By place; equal ones stay as they are. */
static bool sort(struct plumb_check_effect *effect, uint32_t count,
                 struct plumb_base_arena *scratch)
{
    const struct plumb_budget *const budget = scratch->budget;
    uint32_t bits;
    if (!find_bits(budget, effect, count, &bits))
        return false;
    if (!bits)
        return true;
    struct plumb_check_effect *const other =
        plumb_base_arena_alloc(scratch, count * sizeof *other);
    struct plumb_check_effect *from = effect, *to = other;
    if (!other)
        return false;
    for (unsigned shift = 0; shift < 32 && bits >> shift; shift += DIGIT) {
        if (!sort_by_digit(budget, from, count, shift, to))
            return false;
        struct plumb_check_effect *const swap = from;
        from = to;
        to = swap;
    }
    return from == effect ||
           plumb_base_paced_copy(budget, effect, from, count * sizeof *effect);
}

/* Those that took effect at their own returns, from event number *at on, as
 * far as the event of that rank; *count are in the order then. */
static bool follow(const struct plumb_budget *budget,
                   const struct plumb_check_input *input, const bool *own,
                   uint32_t rank, uint32_t *at, uint32_t *order,
                   uint32_t *count)
{
    const uint32_t events = input->events;
    const bool dense =
        plumb_check_input_rank_at(input, events - 1) == events - 1;
    uint32_t end = rank < events ? rank : events;
    if (!dense)
        for (end = *at; end < events; end++) {
            if (plumb_check_input_rank_at(input, end) >= rank)
                break;
            if (!plumb_base_in_time(budget, end))
                return false;
        }
    uint32_t n = *count;
    for (uint32_t i = *at; i < end; i++) {
        const uint32_t e = input->event[i];
        if (!plumb_base_in_time(budget, i))
            return false;
        order[n] = e / 2;
        n += e & own[e / 2];
    }
    *at = end > *at ? end : *at;
    *count = n;
    return true;
}

bool plumb_check_effects_order(struct plumb_check_monitoring *m,
                               const bool *own,
                               struct plumb_check_effect *effect,
                               uint32_t effects, unsigned shift)
{
    const struct plumb_check_input *const input = m->input;
    uint32_t *const order = plumb_base_arena_alloc(
        m->arena, ((size_t)input->count + 1) * sizeof *order);
    uint32_t count = 0, at = 0;
    if (!order || !sort(effect, effects, m->scratch))
        return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
    for (uint32_t i = 0; i < effects; i++) {
        if (!plumb_base_in_time(m->budget, i) ||
            !follow(m->budget, input, own, effect[i].place >> shift, &at, order,
                    &count))
            return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
        order[count++] = effect[i].op;
    }
    if (input->events &&
        !follow(m->budget, input, own, PLUMB_NEVER, &at, order, &count))
        return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
    m->order = order;
    m->order_count = count;
    m->keys = 0;
    return true;
}
