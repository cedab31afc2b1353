/* monitor_input_cut.c - see monitor_input_cut.h. */
#include "monitor_input_cut.h"

#include "base/arena.h"
#include "base/pace.h"

static bool cut_events(const struct plumb_budget *budget,
                       const struct plumb_check_input *from,
                       const uint32_t *place, uint32_t *event,
                       struct plumb_check_input *to)
{
    to->event = event;
    for (uint32_t i = 0; i < from->events; i++) {
        const uint32_t e = from->event[i];
        if (!plumb_base_in_time(budget, i))
            return false;
        if (place[e / 2])
            event[to->events++] = 2 * (place[e / 2] - 1) + (e & 1);
    }
    return true;
}

bool plumb_check_input_cut(const struct plumb_check_input *from,
                           const uint32_t *pick, uint32_t count,
                           struct plumb_base_arena *arena,
                           struct plumb_check_input *to)
{
    struct plumb_check_input_op *const op =
        plumb_base_arena_alloc(arena, count * sizeof *op);
    uint32_t *const origin =
        plumb_base_arena_alloc(arena, count * sizeof *origin);
    uint32_t *const event =
        plumb_base_arena_alloc(arena, 2 * count * sizeof *event);
    uint32_t *const place =
        plumb_base_arena_zeroed(arena, from->count * sizeof *place);
    uint32_t *const word =
        plumb_base_arena_zeroed(arena, (from->values + 1) * sizeof *word);
    if (!op || !origin || !event || !place || !word)
        return false;
    *to = (struct plumb_check_input){ .op = op,
                                      .count = count,
                                      .origin = origin,
                                      .roles = from->roles,
                                      .object = from->object,
                                      .initial = PLUMB_NO_WORD };
    for (uint32_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(arena->budget, i))
            return false;
        op[i] = from->op[pick[i]];
        origin[i] = plumb_check_input_origin(from, pick[i]);
        place[pick[i]] = i + 1;
        if (op[i].word[0] >= from->values)
            continue;
        uint32_t *const w = &word[op[i].word[0]];
        if (*w == 0)
            *w = ++to->values;
        op[i].word[0] = *w - 1;
    }
    return cut_events(arena->budget, from, place, event, to);
}
