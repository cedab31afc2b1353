/* replay.c - operations with time stamps become events.
 *
 * The end points of all intervals are sorted by time, those of one time by the
 * tie rule, and then replayed one after the other: each gets the next rank.
 * Operations whose source names no thread are put into lanes on the way. */
#include "builder.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/sort.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* An end point.  `order` is its place among those of the same time: a return
 * of an operation that started earlier comes before or after the calls, as the
 * tie rule says; one that starts and ends at once returns after its call. */
struct end_point {
    uint64_t time;
    uint32_t interval;
    uint8_t order;
};

enum { EARLY_RETURN, CALL_AT_ONCE, CALL, LATE_RETURN };

static int compare_end_points(const void *x, const void *y)
{
    const struct end_point *const a = x, *const b = y;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->interval < b->interval ? -1 : a->interval > b->interval;
}

static size_t list_end_points(const struct plumb_builder *b,
                              enum plumb_ties ties, struct end_point *point)
{
    size_t n = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct plumb_history_timed *const v = b->interval + i;
        const bool at_once = v->start == v->end;
        const bool early = ties == PLUMB_TIES_RETURN_FIRST && !at_once;
        point[n++] =
            (struct end_point){ v->start, i, at_once ? CALL_AT_ONCE : CALL };
        if (b->a->op[i].outcome != PLUMB_OUTCOME_OPEN)
            point[n++] =
                (struct end_point){ v->end, i,
                                    early ? EARLY_RETURN : LATE_RETURN };
    }
    return n;
}

/* Lanes for operations whose source names no threads.  The free ones are a
 * binary heap, so that the lowest is taken however many there are. */
struct lanes {
    struct plumb_budget *budget;
    uint32_t *free;
    size_t free_count, capacity;
    uint32_t count;
};

static void swap_lanes(uint32_t *a, uint32_t *b)
{
    const uint32_t lane = *a;
    *a = *b;
    *b = lane;
}

static uint32_t take_free_lane(struct lanes *l)
{
    uint32_t *const heap = l->free;
    const uint32_t lane = heap[0];
    const size_t n = --l->free_count;
    heap[0] = heap[n];
    for (size_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && heap[child + 1] < heap[child])
            child++;
        if (heap[i] <= heap[child])
            break;
        swap_lanes(heap + i, heap + child);
    }
    return lane;
}

/* There is room: take_lane() made it for every lane there is. */
static void leave_lane(struct lanes *l, uint32_t lane)
{
    assert(l->free);
    size_t i = l->free_count++;
    l->free[i] = lane;
    for (; i && l->free[i] < l->free[(i - 1) / 2]; i = (i - 1) / 2)
        swap_lanes(l->free + i, l->free + (i - 1) / 2);
}

/* The symbol of a lane that is free, and is not any more. */
static uint32_t take_lane(struct plumb_builder *b, struct lanes *l,
                          struct plumb_history_timed *v)
{
    char name[16];
    if (l->free_count) {
        v->lane = take_free_lane(l);
    } else {
        if (!PLUMB_GROW(l->budget, l->free, l->capacity, (size_t)l->count + 1))
            return UINT32_MAX;
        v->lane = l->count++;
    }
    const int length = snprintf(name, sizeof name, "P%u", v->lane + 1);
    return plumb_builder_symbol(b, name, (size_t)length);
}

/* What replaying end points needs besides the builder. */
struct replay {
    struct plumb_builder *b;
    struct lanes lanes;
    uint32_t *order; /* the operations in the order of their calls */
    uint32_t calls;
    struct plumb_error *err;
};

static enum plumb_status replay_call(struct replay *r, uint32_t i)
{
    struct plumb_builder *const b = r->b;
    struct plumb_history_timed *const v = b->interval + i;
    struct plumb_op *const o = b->a->op + i;
    const uint32_t thread =
        v->thread == UINT32_MAX ? take_lane(b, &r->lanes, v) : v->thread;
    const uint32_t t =
        thread == UINT32_MAX ? 0 : plumb_history_builder_thread(b, thread);
    if (!t)
        return plumb_base_fail_memory(r->err);
    if (b->open_op[t - 1])
        return plumb_history_builder_fail_open(
            b, thread, o->name, b->open_op[t - 1] - 1,
            b->a->origin + 2 * (size_t)i, r->err);
    o->thread = t - 1;
    o->call = b->events++;
    v->called = true;
    b->open_op[t - 1] = i + 1;
    b->open++;
    r->order[r->calls++] = i;
    return PLUMB_OK;
}

static void replay_return(struct replay *r, uint32_t i)
{
    struct plumb_builder *const b = r->b;
    struct plumb_history_timed *const v = b->interval + i;
    struct plumb_op *const o = b->a->op + i;
    if (v->returned)
        return;
    v->returned = true;
    o->resp = b->events++;
    b->open_op[o->thread] = 0;
    b->open--;
    if (v->thread == UINT32_MAX)
        leave_lane(&r->lanes, v->lane);
}

/* The operation + 1 that the thread of interval i has open. */
static uint32_t busy_with(const struct plumb_builder *b, uint32_t i)
{
    const uint32_t thread = b->interval[i].thread;
    if (thread == UINT32_MAX || thread >= b->thread_of_capacity ||
        !b->thread_of[thread])
        return 0;
    return b->open_op[b->thread_of[thread] - 1];
}

static bool returns_at(const struct plumb_builder *b, uint32_t i, uint64_t time)
{
    return b->interval[i].end == time &&
           b->a->op[i].outcome != PLUMB_OUTCOME_OPEN;
}

/* The calls of one time.  Whatever the tie rule, a thread's operation returns
 * before its next call.  So that the rule holds for all others, calls of idle
 * threads come first; then, one thread after the other, return and call. */
static enum plumb_status replay_calls(struct replay *r,
                                      const struct end_point *point,
                                      size_t points)
{
    enum plumb_status status = PLUMB_OK;
    for (size_t k = 0; k < points && status == PLUMB_OK; k++)
        if (!busy_with(r->b, point[k].interval))
            status = replay_call(r, point[k].interval);
    for (size_t k = 0; k < points && status == PLUMB_OK; k++) {
        const uint32_t i = point[k].interval;
        if (r->b->interval[i].called)
            continue;
        const uint32_t open = busy_with(r->b, i);
        if (open && returns_at(r->b, open - 1, point[k].time))
            replay_return(r, open - 1);
        status = replay_call(r, i);
    }
    return status;
}

static size_t count_calls_of_one_time(const struct end_point *point,
                                      size_t points)
{
    size_t n = 0;
    while (n < points && point[n].time == point[0].time &&
           (point[n].order == CALL || point[n].order == CALL_AT_ONCE))
        n++;
    return n;
}

static enum plumb_status replay(struct replay *r, const struct end_point *point,
                                size_t points)
{
    enum plumb_status status = PLUMB_OK;
    struct plumb_base_pace pace = { .budget = r->b->budget };
    for (size_t k = 0; k < points && status == PLUMB_OK;) {
        const size_t calls = count_calls_of_one_time(point + k, points - k);
        if (calls)
            status = replay_calls(r, point + k, calls);
        else
            replay_return(r, point[k].interval);
        k += calls ? calls : 1;
        if (status == PLUMB_OK && !plumb_base_pace_allows(&pace, calls + 1))
            status = plumb_base_fail_budget(pace.budget, r->err);
    }
    PLUMB_RELEASE(r->b->budget, r->lanes.free, r->lanes.capacity);
    return status;
}

/* Pairs of an array, one for each operation, in another order; NULL: no memory,
 * and the array is as it was. */
static void *sort_pairs(struct plumb_builder *b, void *pair, size_t capacity,
                        size_t each, const uint32_t *order)
{
    char *const from = pair, *const to =
                                 plumb_base_alloc(b->budget, capacity * each);
    for (uint32_t i = 0; to && i < b->count; i++)
        memcpy(to + 2 * each * i, from + 2 * each * order[i], 2 * each);
    if (to)
        plumb_base_release(b->budget, pair, capacity * each);
    return to;
}

/* op[] and what is known of their events in the order of the calls: `order`
 * lists them so. */
static bool sort_ops_by_call(struct plumb_builder *b, const uint32_t *order)
{
    struct plumb_history_arrays *const a = b->a;
    struct plumb_op *const op =
        plumb_base_alloc(b->budget, a->op_capacity * sizeof *op);
    if (!op)
        return false;
    for (uint32_t i = 0; i < b->count; i++)
        op[i] = a->op[order[i]];
    plumb_base_release(b->budget, a->op, a->op_capacity * sizeof *op);
    a->op = op;
    void *const origin =
        sort_pairs(b, a->origin, a->origin_capacity, sizeof *a->origin, order);
    a->origin = origin ? origin : a->origin;
    void *const time =
        origin && a->time
            ? sort_pairs(b, a->time, a->time_capacity, sizeof *a->time, order)
            : NULL;
    const bool timed = a->time;
    a->time = time ? time : a->time;
    return origin && (time || !timed);
}

enum plumb_status plumb_history_builder_replay(struct plumb_builder *b,
                                               enum plumb_ties ties,
                                               struct plumb_error *err)
{
    assert(b->intervals == b->count); /* the two ways were not mixed */
    enum plumb_status status = PLUMB_EMEMORY;
    const size_t room = 2 * b->intervals * sizeof(struct end_point);
    struct end_point *const point = plumb_base_alloc(b->budget, room);
    uint32_t *const order =
        plumb_base_alloc(b->budget, b->intervals * sizeof *order);
    if (!point || !order) {
        plumb_base_fail_memory(err);
        goto out;
    }
    const size_t points = list_end_points(b, ties, point);
    struct replay r = { .b = b, .lanes.budget = b->budget, .order = order };
    r.err = err;
    status = plumb_base_sort(b->budget, point, points, sizeof *point,
                             compare_end_points)
                 ? replay(&r, point, points)
                 : plumb_base_fail_budget(b->budget, err);
    if (status == PLUMB_OK && !sort_ops_by_call(b, order))
        status = plumb_base_fail_memory(err);
out:
    plumb_base_release(b->budget, point, room);
    PLUMB_RELEASE(b->budget, order, b->intervals);
    return status;
}
