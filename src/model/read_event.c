/* read_event.c - events with their data, sets of events, ranges. */
#include "model/model_reader.h"

/* ---- ranges ---- */

static bool read_span(struct plumb_read *r, struct plumb_list *values)
{
    const struct plumb_place place = plumb_read_token(r)->place;
    int32_t low, high;
    if (!plumb_read_constant(r, "a range", &low))
        return false;
    high = low;
    if (plumb_read_accept(r, "..") && !plumb_read_constant(r, "a range", &high))
        return false;
    if (high < low)
        return plumb_read_fail(r, place, "the range %d..%d is empty", low,
                               high);
    if ((int64_t)high - low >= PLUMB_MOST_VALUES - values->count)
        return plumb_read_fail(r, place, "a range of more than %d values",
                               PLUMB_MOST_VALUES);
    for (int64_t v = low; v <= high; v++) {
        int32_t *const value = plumb_list_add(r, values, sizeof *value);
        if (!value)
            return false;
        *value = (int32_t)v;
    }
    return true;
}

bool plumb_read_values(struct plumb_read *r, struct plumb_list *values)
{
    if (!plumb_read_expect(r, "{", "and values"))
        return false;
    do
        if (!read_span(r, values))
            return false;
    while (plumb_read_accept(r, ","));
    return plumb_read_expect(r, "}", "behind the values");
}

bool plumb_read_ranges(struct plumb_read *r, struct plumb_list *ranges)
{
    do {
        struct plumb_list values = { 0 };
        const struct plumb_token *const name =
            plumb_read_new_name(r, "an index");
        if (!name || !plumb_read_expect(r, ":", "behind the index") ||
            !plumb_read_values(r, &values))
            return false;
        struct plumb_range *const range =
            plumb_list_add(r, ranges, sizeof *range);
        if (!range || !plumb_read_bind_local(r, name, &range->local))
            return false;
        range->value = plumb_list_take(r, &values, sizeof(int32_t));
        range->count = values.count;
        if (!range->value)
            return false;
    } while (plumb_read_accept(r, ";"));
    return plumb_read_expect(r, "@", "behind the indices");
}

/* ---- events ---- */

bool plumb_read_event(struct plumb_read *r, struct plumb_event_text *event)
{
    struct plumb_list data = { 0 };
    const struct plumb_token *const name = plumb_read_name(r, "an event");
    if (!name ||
        !plumb_read_event_name(r, name->text, name->length, &event->name))
        return false;
    event->place = name->place;
    while (plumb_read_accept(r, ".")) {
        const struct plumb_expr **const e = plumb_list_add(r, &data, sizeof *e);
        if (!e || !(*e = plumb_read_additive(r)))
            return false;
    }
    event->data = plumb_list_take(r, &data, sizeof(void *));
    event->count = data.count;
    return !r->failed;
}

struct set_lists {
    struct plumb_list event, range, ranges;
};

static bool read_element(struct plumb_read *r, struct set_lists *set)
{
    const uint32_t bound = r->bound.count;
    struct plumb_list own = { 0 };
    if (plumb_token_is(plumb_read_ahead(r, 1), ":") &&
        !plumb_read_ranges(r, &own))
        return false;
    struct plumb_event_text event = { 0 };
    if (!plumb_read_event(r, &event))
        return false;
    struct plumb_event_text *const e =
        plumb_list_add(r, &set->event, sizeof *e);
    const struct plumb_range **const range =
        plumb_list_add(r, &set->range, sizeof *range);
    uint32_t *const ranges = plumb_list_add(r, &set->ranges, sizeof *ranges);
    if (!e || !range || !ranges)
        return false;
    *e = event;
    *range = plumb_list_take(r, &own, sizeof **range);
    *ranges = own.count;
    r->bound.count = bound;
    return !r->failed;
}

bool plumb_read_event_set(struct plumb_read *r, struct plumb_event_set *set)
{
    struct set_lists lists = { 0 };
    if (!plumb_read_expect(r, "{", "and events"))
        return false;
    if (!plumb_read_at(r, "}"))
        do
            if (!read_element(r, &lists))
                return false;
        while (plumb_read_accept(r, ","));
    if (!plumb_read_expect(r, "}", "behind the events"))
        return false;
    set->event = plumb_list_take(r, &lists.event, sizeof *set->event);
    set->range = plumb_list_take(r, &lists.range, sizeof *set->range);
    set->ranges = plumb_list_take(r, &lists.ranges, sizeof *set->ranges);
    set->count = lists.event.count;
    return !r->failed;
}
