/* read_prefix.c - what stands before an arrow: an event, a program, something
 * sent or received.
 *
 * A name in what is received is bound by it, unless it stands for something
 * already: then that is what has to be received. */
#include "model_reader.h"

bool plumb_csp_read_prefix_begins(const struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (plumb_csp_token_is(t, "{"))
        return true;
    if (plumb_csp_token_is(t, "("))
        return plumb_csp_token_is(r->token + plumb_csp_read_behind(r, r->at),
                                  "->");
    return t->kind == PLUMB_TOKEN_NAME &&
           plumb_csp_token_is_one(plumb_csp_read_ahead(r, 1), "-> { . ! ? [");
}

/* ---- channels ---- */

bool plumb_csp_read_channel_index(struct plumb_csp_read *r,
                                  const struct plumb_csp_token *name,
                                  uint32_t channel,
                                  const struct plumb_csp_expr **index)
{
    const struct plumb_csp_channel *const c = r->channel.at + channel;
    *index = NULL;
    if (plumb_csp_read_at(r, "[") != c->array)
        return plumb_csp_read_fail(
            r, name->place,
            c->array ? "%.60s is an array of channels; give an index"
                     : "%.60s is not an array of channels",
            c->name);
    if (!c->array)
        return true;
    r->at++;
    *index = plumb_csp_read_expression(r);
    return *index &&
           plumb_csp_read_check_index(r, *index, c->name, strlen(c->name),
                                      c->size, NULL) &&
           plumb_csp_read_expect(r, "]", "after the index");
}

static bool read_channel(struct plumb_csp_read *r,
                         struct plumb_csp_process *node)
{
    const struct plumb_csp_token *const name = plumb_csp_read_token(r);
    const struct plumb_csp_symbol *const s = plumb_csp_read_symbol(r, name);
    if (!s)
        return plumb_csp_read_undefined(r, name, "channel", &r->symbols, false);
    if (s->kind != PLUMB_SYMBOL_CHANNEL)
        return plumb_csp_read_fail(r, name->place, "%.*s is not a channel",
                                   PLUMB_TOKEN_ARGS(name));
    r->at++;
    node->channel = s->number;
    return plumb_csp_read_channel_index(r, name, s->number,
                                        &node->channel_index);
}

/* ---- sending ---- */

static bool read_values(struct plumb_csp_read *r,
                        struct plumb_csp_process *node)
{
    struct plumb_csp_shapes shapes = { 0 };
    struct plumb_csp_exprs data = { 0 };
    do
        if (!plumb_csp_read_passed(r, &shapes, &data))
            return false;
    while (plumb_csp_read_accept(r, "."));
    if (!plumb_csp_shapes_send(r, node->channel, node->place, &shapes))
        return false;
    node->data = PLUMB_LIST_TAKE(r, &data);
    node->count = data.count;
    return !r->failed;
}

/* ---- receiving ---- */

/* What is received, part by part, and then value by value. */
struct pattern {
    struct plumb_csp_tokens name;  /* of each part, NULL where there is none */
    struct plumb_csp_shapes shape; /* of each part */
    PLUMB_LIST(struct plumb_csp_exprs) part; /* its values, if compared */
    struct plumb_csp_exprs data;             /* NULL where a name is bound */
    PLUMB_LIST(uint32_t) binds;              /* their locals */
};

static bool is_fresh(const struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    return t->kind == PLUMB_TOKEN_NAME && !plumb_csp_read_bound(r, t) &&
           !plumb_csp_read_symbol(r, t) &&
           !plumb_csp_token_is_one(t, "true false") &&
           plumb_csp_token_is_one(plumb_csp_read_ahead(r, 1), ". -> {");
}

static bool check_twice(struct plumb_csp_read *r, const struct pattern *p,
                        const struct plumb_csp_token *name)
{
    for (uint32_t i = 0; i < p->name.count; i++)
        if (p->name.at[i] && plumb_csp_token_same(p->name.at[i], name))
            return plumb_csp_read_fail(r, name->place, "%.*s is received twice",
                                       PLUMB_TOKEN_ARGS(name));
    return true;
}

static bool read_received(struct plumb_csp_read *r, struct pattern *p)
{
    const struct plumb_csp_array_shape open = { .size = 1, .open = true };
    const struct plumb_csp_token *const name =
        is_fresh(r) ? plumb_csp_read_token(r) : NULL;
    if (name && !check_twice(r, p, name))
        return false;
    struct plumb_csp_exprs *const values = PLUMB_LIST_NEW(r, &p->part);
    if (!values || !PLUMB_LIST_ADD(r, &p->name, name))
        return false;
    if (!name)
        return plumb_csp_read_passed(r, &p->shape, values);
    r->at++;
    return PLUMB_LIST_ADD(r, &p->shape, open);
}

/* Names are what is sent, as far as that is known. */
static void find_shapes(const struct plumb_csp_read *r, uint32_t channel,
                        struct pattern *p)
{
    const struct plumb_csp_array_shape *const sent =
        plumb_csp_shapes_message(r, channel, p->shape.count);
    for (uint32_t i = 0; sent && i < p->shape.count; i++)
        if (p->name.at[i])
            p->shape.at[i] = sent[i];
}

static bool add_value(struct plumb_csp_read *r, struct pattern *p,
                      const struct plumb_csp_expr *e, uint32_t local)
{
    return PLUMB_LIST_ADD(r, &p->data, e) &&
           PLUMB_LIST_ADD(r, &p->binds, local);
}

/* Names are bound when all was read: the values come at once. */
static bool bind_names(struct plumb_csp_read *r, struct pattern *p)
{
    const struct plumb_csp_array_shape *const shape =
        PLUMB_LIST_TAKE(r, &p->shape);
    for (uint32_t i = 0; shape && i < p->name.count; i++) {
        const struct plumb_csp_token *const name = p->name.at[i];
        uint32_t local = 0;
        if (name && !plumb_csp_read_bind_shape(r, name, shape + i, &local))
            return false;
        for (uint32_t k = 0; k < shape[i].size; k++)
            if (name ? !add_value(r, p, NULL, local + k)
                     : !add_value(r, p, p->part.at[i].at[k], UINT32_MAX))
                return false;
    }
    return shape != NULL;
}

/* [x < 9], which may speak of names that follow it. */
static bool read_accepts(struct plumb_csp_read *r,
                         struct plumb_csp_process *node, uint32_t at)
{
    const uint32_t behind = r->at;
    r->at = at + 1;
    node->accepts = plumb_csp_read_condition(r);
    if (!node->accepts || !plumb_csp_read_expect(r, "]", "after the condition"))
        return false;
    r->at = behind;
    return true;
}

static bool read_pattern(struct plumb_csp_read *r,
                         struct plumb_csp_process *node)
{
    struct pattern p = { 0 };
    const uint32_t guard = r->at;
    const bool guarded = plumb_csp_read_at(r, "[");
    if (guarded)
        r->at = plumb_csp_read_behind(r, r->at);
    do
        if (!read_received(r, &p))
            return false;
    while (plumb_csp_read_accept(r, "."));
    find_shapes(r, node->channel, &p);
    if (!plumb_csp_shapes_receive(r, node->channel, node->place, &p.shape) ||
        !bind_names(r, &p))
        return false;
    node->data = PLUMB_LIST_TAKE(r, &p.data);
    node->binds = PLUMB_LIST_TAKE(r, &p.binds);
    node->count = p.data.count;
    return !r->failed && (!guarded || read_accepts(r, node, guard));
}

/* ---- all of them ---- */

static bool read_communication(struct plumb_csp_read *r,
                               struct plumb_csp_process *node)
{
    node->place = plumb_csp_read_token(r)->place;
    if (!read_channel(r, node))
        return false;
    if (plumb_csp_read_accept(r, "!")) {
        node->kind = PLUMB_SEND;
        return read_values(r, node);
    }
    if (!plumb_csp_read_accept(r, "?"))
        return plumb_csp_read_unexpected(r, "'!' or '?' after the channel");
    node->kind = PLUMB_RECEIVE;
    return read_pattern(r, node);
}

static bool read_event(struct plumb_csp_read *r, struct plumb_csp_process *node)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    node->kind = PLUMB_PREFIX;
    node->place = node->event.place = t->place;
    node->event.tau = plumb_csp_token_is_one(t, "tau {");
    if (!node->event.tau)
        return plumb_csp_read_event(r, &node->event);
    if (plumb_csp_read_accept(r, "tau") && plumb_csp_read_at(r, "."))
        return plumb_csp_read_fail(r, t->place, "tau has no data");
    return true;
}

/* ---- one of several events ---- */

/* a -> Skip */
static const struct plumb_csp_process *read_alone(struct plumb_csp_read *r)
{
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    struct plumb_csp_process node = { 0 };
    const struct plumb_csp_process *const skip =
        plumb_csp_process_leaf(r, PLUMB_SKIP, place);
    if (plumb_csp_read_token(r)->kind != PLUMB_TOKEN_NAME)
        return plumb_csp_read_unexpected(r, "an event");
    return read_event(r, &node) ? plumb_csp_process_above(r, node, skip, NULL)
                                : NULL;
}

static bool read_events(struct plumb_csp_read *r,
                        struct plumb_csp_processes *events)
{
    do {
        r->at++; /* ( or , */
        if (!plumb_csp_processes_add(r, events, read_alone(r)))
            return false;
    } while (plumb_csp_read_at(r, ","));
    return plumb_csp_read_expect(r, ")", "after the events") &&
           plumb_csp_read_expect(r, "->", "after the events");
}

/* (a, b) -> P is a -> P [] b -> P.  So that P is there once, it is read as
 * (a -> Skip [] b -> Skip); P, which is the same since Skip; P is P. */
static bool read_several(struct plumb_csp_read *r,
                         struct plumb_csp_process *node)
{
    struct plumb_csp_process choice = { .kind = PLUMB_CHOICE,
                                        .place =
                                            plumb_csp_read_token(r)->place };
    struct plumb_csp_processes events = { 0 }, first = { 0 };
    if (!read_events(r, &events))
        return false;
    if (events.count == 1) {
        *node = *events.at[0];
        return true;
    }
    choice.child = events.at;
    choice.children = events.count;
    if (!plumb_csp_processes_add(r, &first, plumb_csp_process_new(r, &choice)))
        return false;
    *node = (struct plumb_csp_process){ .kind = PLUMB_SEQUENCE,
                                        .place = choice.place,
                                        .child = first.at };
    return true;
}

/* ---- what there is before an arrow ---- */

bool plumb_csp_read_prefix(struct plumb_csp_read *r,
                           struct plumb_csp_process *node)
{
    const bool channel =
        plumb_csp_read_token(r)->kind == PLUMB_TOKEN_NAME &&
        plumb_csp_token_is_one(plumb_csp_read_ahead(r, 1), "! ? [");
    *node = (struct plumb_csp_process){ 0 };
    if (plumb_csp_read_at(r, "("))
        return read_several(r, node);
    if (channel ? !read_communication(r, node) : !read_event(r, node))
        return false;
    if (plumb_csp_read_at(r, "{") &&
        !(node->program = plumb_csp_read_program(r)))
        return false;
    return plumb_csp_read_expect(r, "->", "after the event");
}
