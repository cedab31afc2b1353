/* queue_deadlines.c - dequeues by value, sorted by call and by return. */
#include "queue_deadlines.h"

#include "base/memory.h"
#include "base/pace.h"
#include "base/sort.h"
#include "spec/stores/container.h"
#include <assert.h>
#include <string.h>

void plumb_check_deadlines_init(struct plumb_check_deadlines *o,
                                struct plumb_budget *budget)
{
    *o = (struct plumb_check_deadlines){ .budget = budget };
}

void plumb_check_deadlines_release(struct plumb_check_deadlines *o)
{
    struct plumb_budget *const b = o->budget;
    PLUMB_RELEASE(b, o->lane, o->lane_capacity);
    PLUMB_RELEASE(b, o->call, o->call_capacity);
    PLUMB_RELEASE(b, o->ret, o->ret_capacity);
    PLUMB_RELEASE(b, o->pending, o->pending_capacity);
    PLUMB_RELEASE(b, o->before, o->before_capacity);
    PLUMB_RELEASE(b, o->lane_of, o->lane_of_capacity);
    plumb_check_deadlines_init(o, b);
}

/* ---- loading ---- */

static enum plumb_spec_fifo role_of(const struct plumb_spec_bound *bound,
                                    const struct plumb_check_part_item *x)
{
    return bound->spec->type->fifo(bound->spec, x->action);
}

static plumb_spec_vid value_of(const struct plumb_check_part_item *x,
                               enum plumb_spec_fifo role)
{
    return role == PLUMB_FIFO_ADDS ? x->action->arg[0] : x->action->res[0];
}

static bool is_wild(const struct plumb_check_part_item *x,
                    enum plumb_spec_fifo role)
{
    return role == PLUMB_FIFO_REMOVES && x->ret == PLUMB_NEVER;
}

static bool make_room(struct plumb_check_deadlines *o,
                      const struct plumb_spec_bound *bound, size_t n)
{
    return PLUMB_GROW(o->budget, o->lane, o->lane_capacity, n) &&
           PLUMB_GROW(o->budget, o->call, o->call_capacity, n) &&
           PLUMB_GROW(o->budget, o->ret, o->ret_capacity, n) &&
           PLUMB_GROW(o->budget, o->pending, o->pending_capacity, n) &&
           PLUMB_GROW(o->budget, o->before, o->before_capacity, n) &&
           PLUMB_GROW_ZEROED(o->budget, o->lane_of, o->lane_of_capacity,
                             bound->values);
}

static uint32_t lane_of(struct plumb_check_deadlines *o, plumb_spec_vid value)
{
    if (!o->lane_of[value]) {
        o->lane[o->lanes] = (struct plumb_check_lane){ .value = value };
        o->lane_of[value] = ++o->lanes;
    }
    return o->lane_of[value] - 1;
}

/* Does an enqueue that is pending, and is taken, go in? */
static bool goes_in(const struct plumb_spec_bound *bound,
                    const struct plumb_check_part_item *x)
{
    return !bound->spec->given[PLUMB_CAP] || x->ret != PLUMB_NEVER;
}

/* Lanes, how many dequeues each has, and the lane of every item.  `*sure`: every
 * enqueue that is taken goes in. */
static bool find_lanes(struct plumb_check_deadlines *o,
                       const struct plumb_spec_bound *bound,
                       const struct plumb_check_part *part, uint32_t *lane,
                       bool *sure)
{
    *sure = true;
    for (uint32_t i = 0; i < part->count; i++) {
        const struct plumb_check_part_item *const x = part->item + i;
        const enum plumb_spec_fifo role = role_of(bound, x);
        if (!plumb_base_in_time(o->budget, i))
            return false;
        lane[i] = PLUMB_NO_LANE;
        *sure &= role != PLUMB_FIFO_ADDS || goes_in(bound, x);
        if (is_wild(x, role)) {
            o->pending[o->pendings++] = x->call;
        } else if (role != PLUMB_FIFO_NEITHER) {
            lane[i] = lane_of(o, value_of(x, role));
            o->lane[lane[i]].count += role == PLUMB_FIFO_REMOVES;
            o->lane[lane[i]].added += role == PLUMB_FIFO_ADDS;
        }
    }
    uint32_t first = 0;
    for (uint32_t l = 0; l < o->lanes; l++) {
        o->lane[l].first = first;
        first += o->lane[l].count;
        o->lane[l].count = 0;
    }
    return true;
}

/* An item that is enqueued once and dequeued once leaves after all peeks at it, and
 * those ahead of it have left by then. */
static bool heed_peeks(struct plumb_check_deadlines *o,
                       const struct plumb_spec_bound *bound,
                       const struct plumb_check_part *part)
{
    for (uint32_t i = 0; i < part->count; i++) {
        const struct plumb_check_part_item *const x = part->item + i;
        if (!plumb_base_in_time(o->budget, i))
            return false;
        if (x->ret == PLUMB_NEVER || x->action->nargs || !x->action->nres ||
            role_of(bound, x) != PLUMB_FIFO_NEITHER ||
            !o->lane_of[x->action->res[0]])
            continue;
        const struct plumb_check_lane *const l =
            o->lane + o->lane_of[x->action->res[0]] - 1;
        if (l->count != 1 || l->added != 1)
            continue;
        if (x->call > o->call[l->first])
            o->call[l->first] = x->call;
        if (x->ret < o->ret[l->first])
            o->ret[l->first] = x->ret;
    }
    return true;
}

/* Calls come in order; returns mostly do.  Only enqueues keep their lanes. */
static bool fill_lanes(struct plumb_check_deadlines *o,
                       const struct plumb_spec_bound *bound,
                       const struct plumb_check_part *part, bool peeks,
                       uint32_t *lane)
{
    for (uint32_t i = 0; i < part->count; i++) {
        const struct plumb_check_part_item *const x = part->item + i;
        if (!plumb_base_in_time(o->budget, i))
            return false;
        if (lane[i] == PLUMB_NO_LANE || role_of(bound, x) == PLUMB_FIFO_ADDS)
            continue;
        struct plumb_check_lane *const l = o->lane + lane[i];
        lane[i] = PLUMB_NO_LANE;
        o->call[l->first + l->count] = x->call;
        o->ret[l->first + l->count++] = x->ret;
    }
    if (peeks && o->answers == 1 && !heed_peeks(o, bound, part))
        return false;
    for (uint32_t i = 0; i < o->lanes; i++) {
        struct plumb_check_lane *const l = o->lane + i;
        o->lane_of[l->value] = 0;
        l->added = 0;
        if (!plumb_base_in_time(o->budget, i) ||
            !plumb_base_sort(o->budget, o->ret + l->first, l->count,
                             sizeof *o->ret, plumb_base_by_number))
            return false;
    }
    return true;
}

/* No operation has a lane. */
static bool look_away(struct plumb_check_deadlines *o,
                      const struct plumb_check_part *part, uint32_t *lane)
{
    static_assert(PLUMB_NO_LANE == UINT32_MAX, "all bits are set");
    for (uint32_t i = 0; i < o->lanes; i++)
        o->lane_of[o->lane[i].value] = 0;
    o->lanes = 0;
    return plumb_base_paced_set(o->budget, lane, 0xff,
                                part->count * sizeof *lane);
}

bool plumb_check_deadlines_load(struct plumb_check_deadlines *o,
                                const struct plumb_spec_bound *bound,
                                const struct plumb_check_part *part, bool peeks,
                                uint32_t *lane)
{
    const struct plumb_spec *const spec = bound->spec;
    o->lanes = o->pendings = o->latest = o->depth = 0;
    o->answers = spec->type->answers ? spec->type->answers(spec) : 1;
    bool sure;
    if (!spec->type->fifo)
        return look_away(o, part, lane);
    if (!make_room(o, bound, part->count))
        return false;
    if (find_lanes(o, bound, part, lane, &sure) &&
        (sure ? fill_lanes(o, bound, part, peeks, lane)
              : look_away(o, part, lane)))
        return true;
    memset(o->lane_of, 0, o->lane_of_capacity * sizeof *o->lane_of);
    return false;
}

/* ---- looking out ---- */

/* The i-th smallest, from 1, of two ascending arrays; PLUMB_NEVER if there are
 * fewer.  Bisection for how many of them the first array supplies. */
static uint32_t smallest_of_two(const uint32_t *a, uint32_t na,
                                const uint32_t *b, uint32_t nb, uint32_t i)
{
    if (i > (uint64_t)na + nb)
        return PLUMB_NEVER;
    uint32_t low = i > nb ? i - nb : 0, high = i < na ? i : na;
    while (low < high) {
        const uint32_t k = low + (high - low) / 2;
        if (a[k] < b[i - k - 1])
            low = k + 1;
        else
            high = k;
    }
    const uint32_t x = low ? a[low - 1] : 0;
    const uint32_t y = i > low ? b[i - low - 1] : 0;
    return x > y ? x : y;
}

bool plumb_check_deadlines_allows(const struct plumb_check_deadlines *o,
                                  uint32_t lane)
{
    assert(lane < o->lanes);
    const struct plumb_check_lane *const l = o->lane + lane;
    const uint64_t answered = (uint64_t)l->added * o->answers;
    return answered >= l->count || o->latest < o->ret[l->first + answered];
}

void plumb_check_deadlines_add(struct plumb_check_deadlines *o, uint32_t lane)
{
    struct plumb_check_lane *const l = o->lane + lane;
    const uint32_t call = smallest_of_two(o->call + l->first, l->count,
                                          o->pending, o->pendings, ++l->added);
    o->before[o->depth++] = o->latest;
    if (call > o->latest)
        o->latest = call;
}

void plumb_check_deadlines_undo(struct plumb_check_deadlines *o, uint32_t lane)
{
    assert(o->depth && o->lane[lane].added);
    o->lane[lane].added--;
    o->latest = o->before[--o->depth];
}
