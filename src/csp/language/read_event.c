/* read_event.c - events with their data, sets of events, ranges. */
#include "model_reader.h"

/* ---- ranges ---- */

/* What a bound must not look at: it is needed before the process runs. */
static const struct plumb_csp_expr *foreign(const struct plumb_csp_read *r,
                                            const struct plumb_csp_expr *e)
{
    const struct plumb_csp_expr *found = NULL;
    if (e->kind == PLUMB_EXPR_GLOBAL || e->kind == PLUMB_EXPR_CHANNEL ||
        e->kind == PLUMB_EXPR_TEMP ||
        (e->kind == PLUMB_EXPR_CALL && !r->function.at[e->number].function))
        return e;
    for (uint32_t i = 0; i < e->operands && !found; i++)
        found = foreign(r, e->operand[i]);
    return found;
}

bool plumb_csp_read_is_bound(struct plumb_csp_read *r,
                             struct plumb_csp_place place,
                             const struct plumb_csp_expr *e, const char *what)
{
    if (e->kind == PLUMB_EXPR_CONSTANT)
        return true;
    const struct plumb_csp_expr *const bad = foreign(r, e);
    if (bad)
        return plumb_csp_read_fail(
            r, bad->place, "%s can use constants, parameters and indices%s",
            what,
            bad->kind == PLUMB_EXPR_CALL ? ", not imported functions"
                                         : ", not variables");
    return plumb_csp_expr_looks_at_local(e) ||
           plumb_csp_expr_fail_constant(r, place, e, what);
}

static bool add_values(struct plumb_csp_read *r, const struct plumb_csp_span *s,
                       struct plumb_csp_values *values)
{
    const int32_t low = s->low->value, high = s->high->value;
    if ((int64_t)high - low >= PLUMB_MOST_VALUES - values->count)
        return plumb_csp_read_fail(r, s->place,
                                   "the range has more than %d values",
                                   PLUMB_MOST_VALUES);
    for (int64_t v = low; v <= high; v++)
        if (!PLUMB_LIST_ADD(r, values, (int32_t)v))
            return false;
    return true;
}

PLUMB_LIST_OF(spans, struct plumb_csp_span);

/* `constant`: locals are not enough. */
static const struct plumb_csp_expr *read_bound(struct plumb_csp_read *r,
                                               bool constant)
{
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    const struct plumb_csp_expr *const e = plumb_csp_read_additive(r);
    if (!e)
        return NULL;
    const bool well = constant && e->kind != PLUMB_EXPR_CONSTANT
                          ? plumb_csp_expr_fail_constant(r, place, e, "a range")
                          : plumb_csp_read_is_bound(r, place, e, "a range");
    return well ? e : NULL;
}

static bool is_constant(const struct plumb_csp_span *s)
{
    return s->low->kind == PLUMB_EXPR_CONSTANT &&
           s->high->kind == PLUMB_EXPR_CONSTANT;
}

static bool read_span(struct plumb_csp_read *r, bool constant,
                      struct spans *spans)
{
    struct plumb_csp_span s = { .place = plumb_csp_read_token(r)->place };
    s.low = s.high = read_bound(r, constant);
    if (s.low && plumb_csp_read_accept(r, ".."))
        s.high = read_bound(r, constant);
    if (!s.high || !PLUMB_LIST_ADD(r, spans, s))
        return false;
    return !is_constant(&s) || s.low->value <= s.high->value ||
           plumb_csp_read_fail(r, s.place, "the range %d..%d is empty",
                               s.low->value, s.high->value);
}

static bool read_spans(struct plumb_csp_read *r, bool constant,
                       struct spans *spans)
{
    if (!plumb_csp_read_expect(r, "{", "and values"))
        return false;
    do
        if (!read_span(r, constant, spans))
            return false;
    while (plumb_csp_read_accept(r, ","));
    return plumb_csp_read_expect(r, "}", "after the values");
}

static bool are_constant(const struct spans *spans)
{
    for (uint32_t i = 0; i < spans->count; i++)
        if (!is_constant(spans->at + i))
            return false;
    return true;
}

static bool expand(struct plumb_csp_read *r, const struct spans *spans,
                   struct plumb_csp_values *values)
{
    for (uint32_t i = 0; i < spans->count; i++)
        if (!add_values(r, spans->at + i, values))
            return false;
    return true;
}

bool plumb_csp_read_values(struct plumb_csp_read *r,
                           struct plumb_csp_values *values)
{
    struct spans spans = { 0 };
    return read_spans(r, true, &spans) && expand(r, &spans, values);
}

static bool fill_range(struct plumb_csp_read *r, struct plumb_csp_range *range,
                       const struct spans *spans)
{
    struct plumb_csp_values values = { 0 };
    if (!are_constant(spans)) {
        range->span = PLUMB_LIST_TAKE(r, spans);
        range->spans = spans->count;
        return range->span != NULL;
    }
    if (!expand(r, spans, &values))
        return false;
    range->value = PLUMB_LIST_TAKE(r, &values);
    range->count = values.count;
    return range->value != NULL;
}

bool plumb_csp_read_ranges(struct plumb_csp_read *r,
                           struct plumb_csp_ranges *ranges)
{
    do {
        struct spans spans = { 0 };
        const struct plumb_csp_token *const name =
            plumb_csp_read_new_name(r, "an index");
        if (!name || !plumb_csp_read_expect(r, ":", "after the index") ||
            !read_spans(r, false, &spans))
            return false;
        struct plumb_csp_range *const range = PLUMB_LIST_NEW(r, ranges);
        if (!range || !plumb_csp_read_bind_local(r, name, &range->local) ||
            !fill_range(r, range, &spans))
            return false;
    } while (plumb_csp_read_accept(r, ";"));
    return plumb_csp_read_expect(r, "@", "after the indices");
}

/* ---- events ---- */

bool plumb_csp_read_event(struct plumb_csp_read *r,
                          struct plumb_csp_event_text *event)
{
    struct plumb_csp_exprs data = { 0 };
    const struct plumb_csp_token *const name =
        plumb_csp_read_name(r, "an event");
    if (!name ||
        !plumb_csp_read_event_name(r, name->text, name->length, &event->name))
        return false;
    event->place = name->place;
    while (plumb_csp_read_accept(r, "."))
        if (!plumb_csp_exprs_add(r, &data, plumb_csp_read_additive(r)))
            return false;
    event->data = PLUMB_LIST_TAKE(r, &data);
    event->count = data.count;
    return !r->failed;
}

/* ---- events of channels ---- */

/* The channel that is named; NULL if none is. */
static const struct plumb_csp_symbol *channel_at(const struct plumb_csp_read *r)
{
    const struct plumb_csp_symbol *const s =
        plumb_csp_read_symbol(r, plumb_csp_read_token(r));
    return s && s->kind == PLUMB_SYMBOL_CHANNEL &&
                   !plumb_csp_read_bound(r, plumb_csp_read_token(r))
               ? s
               : NULL;
}

/* c?x in a set has no meaning: nothing is received there. */
static const struct plumb_csp_expr *read_datum(
    struct plumb_csp_read *r, const struct plumb_csp_channel *c)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    const bool known = t->kind != PLUMB_TOKEN_NAME ||
                       plumb_csp_read_bound(r, t) ||
                       plumb_csp_read_symbol(r, t) ||
                       plumb_csp_token_is_one(t, "true false call");
    if (known)
        return plumb_csp_read_additive(r);
    return plumb_csp_read_fail(
        r, t->place,
        "%.*s has no value here; write %.60s alone for all its messages",
        PLUMB_TOKEN_ARGS(t), c->name);
}

static bool read_data(struct plumb_csp_read *r,
                      const struct plumb_csp_channel *c,
                      struct plumb_csp_exprs *data)
{
    r->at++; /* ! or ? or . */
    do
        if (!plumb_csp_exprs_add(r, data, read_datum(r, c)))
            return false;
    while (plumb_csp_read_accept(r, "."));
    return true;
}

/* c!5 is c.5 where there is no room for messages: that is what is seen. */
static enum plumb_csp_event_kind kind_at(const struct plumb_csp_read *r,
                                         const struct plumb_csp_channel *c)
{
    if (!plumb_csp_token_is_one(plumb_csp_read_token(r), "! ? ."))
        return PLUMB_EVENT_ANY;
    if (c->capacity == 0)
        return PLUMB_EVENT_MEET;
    return plumb_csp_read_at(r, "!")   ? PLUMB_EVENT_SEND
           : plumb_csp_read_at(r, "?") ? PLUMB_EVENT_RECEIVE
                                       : PLUMB_EVENT_MEET;
}

/* c, c!5, c.5.1, and of an array of channels d, d[1], d[i]?5. */
static bool read_channel_event(struct plumb_csp_read *r,
                               struct plumb_csp_event_text *event)
{
    const struct plumb_csp_token *const name = plumb_csp_read_token(r);
    const uint32_t number = channel_at(r)->number;
    const struct plumb_csp_channel *const c = r->channel.at + number;
    struct plumb_csp_exprs data = { 0 };
    const struct plumb_csp_expr *index = NULL;
    r->at++;
    event->place = name->place;
    event->name = number;
    if (plumb_csp_read_at(r, "[") ||
        (c->array && kind_at(r, c) < PLUMB_EVENT_ANY))
        if (!plumb_csp_read_channel_index(r, name, number, &index) ||
            !plumb_csp_exprs_add(r, &data, index))
            return false;
    event->kind = kind_at(r, c);
    if (event->kind != PLUMB_EVENT_ANY && !read_data(r, c, &data))
        return false;
    event->data = PLUMB_LIST_TAKE(r, &data);
    event->count = data.count;
    if (event->kind != PLUMB_EVENT_MEET || c->array)
        return !r->failed;
    event->kind = PLUMB_EVENT_PLAIN;
    return plumb_csp_read_event_name(r, name->text, name->length, &event->name);
}

/* Where sender and receiver meet, the event is one of that name.  An alphabet
 * has no others: messages do not synchronise. */
static bool is_plain(const struct plumb_csp_read *r, bool channels)
{
    const struct plumb_csp_symbol *const s = channel_at(r);
    if (s && !channels)
        return !plumb_csp_token_is_one(plumb_csp_read_ahead(r, 1), "! ? [");
    return !s || (!r->channel.at[s->number].array &&
                  plumb_csp_token_is(plumb_csp_read_ahead(r, 1), "."));
}

/* ---- sets ---- */

struct set_lists {
    bool channels; /* their events can be in it */
    PLUMB_LIST(struct plumb_csp_event_text) event;
    PLUMB_LIST(const struct plumb_csp_range *) range; /* of each event */
    PLUMB_LIST(uint32_t) ranges;
};

static bool read_element(struct plumb_csp_read *r, struct set_lists *set)
{
    const uint32_t bound = r->bound.count;
    struct plumb_csp_ranges own = { 0 };
    struct plumb_csp_event_text event = { 0 };
    if (plumb_csp_token_is(plumb_csp_read_ahead(r, 1), ":") &&
        !plumb_csp_read_ranges(r, &own))
        return false;
    if (!is_plain(r, set->channels) && !set->channels)
        return plumb_csp_read_fail(
            r, plumb_csp_read_token(r)->place,
            "messages do not synchronise, so an alphabet has none");
    if (!(is_plain(r, set->channels) ? plumb_csp_read_event
                                     : read_channel_event)(r, &event))
        return false;
    const struct plumb_csp_range *const range = PLUMB_LIST_TAKE(r, &own);
    r->bound.count = bound;
    return !r->failed && PLUMB_LIST_ADD(r, &set->event, event) &&
           PLUMB_LIST_ADD(r, &set->range, range) &&
           PLUMB_LIST_ADD(r, &set->ranges, own.count);
}

bool plumb_csp_read_event_set(struct plumb_csp_read *r, bool channels,
                              struct plumb_csp_event_set *set)
{
    struct set_lists lists = { .channels = channels };
    if (!plumb_csp_read_expect(r, "{", "and events"))
        return false;
    if (!plumb_csp_read_at(r, "}"))
        do
            if (!read_element(r, &lists))
                return false;
        while (plumb_csp_read_accept(r, ","));
    if (!plumb_csp_read_expect(r, "}", "after the events"))
        return false;
    set->event = PLUMB_LIST_TAKE(r, &lists.event);
    set->range = PLUMB_LIST_TAKE(r, &lists.range);
    set->ranges = PLUMB_LIST_TAKE(r, &lists.ranges);
    set->count = lists.event.count;
    return !r->failed;
}
