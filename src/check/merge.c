/* merge.c - linearization points, and counting sort by them.
 *
 * In the order o1, o2, ... of one part let point(oi) be the larger of
 * point(oi-1) and the call of oi.  It lies in the interval of oi: the point is
 * the call of some oj not after oi in the order, and oi did not return before
 * that call.  So sorting the operations of all parts by point respects real
 * time, and keeping each part's order among equal points keeps them legal.
 * That is locality, made explicit.  Linear in operations and events. */
#include "merge.h"

#include "base/pace.h"

static uint32_t point_of(const struct plumb_history *h, uint32_t op,
                         uint32_t before)
{
    const uint32_t call = h->op[op].call;
    return call > before ? call : before;
}

/* Put all operations where their points begin, which moves on; or, without
 * `merged`, count those of each point behind it. */
static bool go_through(const struct plumb_history *h,
                       const struct plumb_check_order *order, size_t orders,
                       uint32_t *start, uint32_t *merged,
                       struct plumb_base_pace *pace)
{
    for (size_t p = 0; p < orders; p++) {
        uint32_t point = 0;
        for (uint32_t i = 0; i < order[p].count; i++) {
            if (!plumb_base_pace_allows(pace, 1))
                return false;
            point = point_of(h, order[p].op[i], point);
            if (merged)
                merged[start[point]++] = order[p].op[i];
            else
                start[point + 1]++;
        }
    }
    return true;
}

static bool merge(const struct plumb_history *h,
                  const struct plumb_check_order *order, size_t orders,
                  struct plumb_base_arena *scratch, uint32_t *merged)
{
    struct plumb_base_pace pace = { .budget = scratch->budget };
    uint32_t *const start = plumb_base_arena_zeroed(
        scratch, ((size_t)h->events + 1) * sizeof *start);
    if (!start || !go_through(h, order, orders, start, NULL, &pace))
        return false;
    for (uint32_t r = 0; r < h->events; r++) {
        if (!plumb_base_pace_allows(&pace, 1))
            return false;
        start[r + 1] += start[r];
    }
    return go_through(h, order, orders, start, merged, &pace);
}

bool plumb_check_merge_orders(const struct plumb_history *h,
                              const struct plumb_check_order *order,
                              size_t orders, struct plumb_base_arena *arena,
                              uint32_t **merged, uint32_t *total)
{
    struct plumb_base_arena scratch = { .budget = arena->budget };
    size_t count = 0;
    for (size_t p = 0; p < orders; p++)
        count += order[p].count;
    uint32_t *const all =
        plumb_base_arena_alloc(arena, (count + 1) * sizeof *all);
    if (!all)
        return false;
    const bool done =
        orders == 1 ? plumb_base_paced_copy(arena->budget, all, order[0].op,
                                            count * sizeof *all)
                    : merge(h, order, orders, &scratch, all);
    plumb_base_arena_release(&scratch);
    if (!done)
        return false;
    *merged = all;
    *total = (uint32_t)count;
    return true;
}
