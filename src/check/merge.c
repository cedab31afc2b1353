/* merge.c - linearization points, and counting sort by them.
 *
 * In the order o1, o2, ... of one part let point(oi) be the larger of
 * point(oi-1) and the call of oi.  It lies in the interval of oi: the point is
 * the call of some oj not after oi in the order, and oi did not return before
 * that call.  So sorting the operations of all parts by point respects real
 * time, and keeping each part's order among equal points keeps them legal.
 * That is locality, made explicit.  Linear in operations and events. */
#include "check/merge.h"

#include <string.h>

static uint32_t point_of(const struct plumb_history *h, uint32_t op,
                         uint32_t before)
{
    const uint32_t call = h->op[op].call;
    return call > before ? call : before;
}

/* How many operations have their point before each rank. */
static void count_points(const struct plumb_case *c,
                         const struct plumb_finding *finding, uint32_t *start)
{
    const struct plumb_history *const h = c->bound->history;
    for (uint32_t p = 0; p < c->parts.count; p++) {
        uint32_t point = 0;
        for (uint32_t i = 0; i < finding[p].order_count; i++) {
            point = point_of(h, finding[p].order[i], point);
            start[point + 1]++;
        }
    }
    for (uint32_t r = 0; r < h->events; r++)
        start[r + 1] += start[r];
}

static void place(const struct plumb_case *c,
                  const struct plumb_finding *finding, uint32_t *start,
                  uint32_t *order)
{
    const struct plumb_history *const h = c->bound->history;
    for (uint32_t p = 0; p < c->parts.count; p++) {
        uint32_t point = 0;
        for (uint32_t i = 0; i < finding[p].order_count; i++) {
            point = point_of(h, finding[p].order[i], point);
            order[start[point]++] = finding[p].order[i];
        }
    }
}

bool plumb_merge_orders(const struct plumb_case *c,
                        const struct plumb_finding *finding,
                        struct plumb_arena *arena, uint32_t **order,
                        uint32_t *count)
{
    struct plumb_arena scratch;
    size_t total = 0;
    for (uint32_t p = 0; p < c->parts.count; p++)
        total += finding[p].order_count;
    uint32_t *const merged = plumb_arena_alloc(arena, total * sizeof *merged);
    if (!merged)
        return false;
    if (c->parts.count == 1) {
        memcpy(merged, finding[0].order, total * sizeof *merged);
        *order = merged;
        *count = (uint32_t)total;
        return true;
    }
    plumb_arena_init(&scratch, arena->budget);
    uint32_t *const start = plumb_arena_zeroed(
        &scratch, ((size_t)c->bound->history->events + 1) * sizeof *start);
    if (start) {
        count_points(c, finding, start);
        place(c, finding, start, merged);
        *order = merged;
        *count = (uint32_t)total;
    }
    plumb_arena_release(&scratch);
    return start;
}
