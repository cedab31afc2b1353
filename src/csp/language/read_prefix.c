/* read_prefix.c - what stands before an arrow: an event, a program, something
 * sent or received.
 *
 * A name in what is received is bound by it, unless it stands for something
 * already: then that is what has to be received. */
#include "model_reader.h"

#include <string.h>

bool plumb_csp_read_prefix_begins(const struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    const struct plumb_csp_token *const next = plumb_csp_read_ahead(r, 1);
    if (plumb_csp_token_is(t, "{"))
        return true;
    if (plumb_csp_token_is(t, "("))
        return plumb_csp_token_is(r->token + plumb_csp_read_behind(r, r->at),
                                  "->");
    return t->kind == PLUMB_TOKEN_NAME &&
           (plumb_csp_token_is(next, "->") || plumb_csp_token_is(next, "{") ||
            plumb_csp_token_is(next, ".") || plumb_csp_token_is(next, "!") ||
            plumb_csp_token_is(next, "?") || plumb_csp_token_is(next, "["));
}

/* ---- channels ---- */

static const struct plumb_csp_channel *channel_at(
    const struct plumb_csp_read *r, uint32_t n)
{
    return (const struct plumb_csp_channel *)r->channel.data + n;
}

bool plumb_csp_read_channel_index(struct plumb_csp_read *r,
                                  const struct plumb_csp_token *name,
                                  uint32_t channel,
                                  const struct plumb_csp_expr **index)
{
    const struct plumb_csp_channel *const c = channel_at(r, channel);
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
    if (!*index)
        return false;
    if ((*index)->kind == PLUMB_EXPR_CONSTANT &&
        ((*index)->value < 0 || (uint32_t)(*index)->value >= c->size))
        return plumb_csp_read_fail(r, (*index)->place,
                                   "index %d is outside of %.60s[%u]",
                                   (*index)->value, c->name, c->size);
    return plumb_csp_read_expect(r, "]", "after the index");
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
    struct plumb_csp_list shapes = { 0 }, data = { 0 };
    do
        if (!plumb_csp_read_passed(r, &shapes, &data))
            return false;
    while (plumb_csp_read_accept(r, "."));
    if (!plumb_csp_shapes_send(r, node->channel, node->place, &shapes))
        return false;
    node->data = plumb_csp_list_take(r, &data, sizeof(void *));
    node->count = data.count;
    return !r->failed;
}

/* ---- receiving ---- */

/* What is received, part by part, and then value by value. */
struct pattern {
    struct plumb_csp_list name;  /* of each part, NULL where there is none */
    struct plumb_csp_list shape; /* of each part */
    struct plumb_csp_list part;  /* the values of each part, if compared */
    struct plumb_csp_list data;  /* expressions, NULL where a name is bound */
    struct plumb_csp_list binds; /* their locals */
};

static bool is_fresh(const struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    const struct plumb_csp_token *const next = plumb_csp_read_ahead(r, 1);
    return t->kind == PLUMB_TOKEN_NAME && !plumb_csp_read_bound(r, t) &&
           !plumb_csp_read_symbol(r, t) && !plumb_csp_token_is(t, "true") &&
           !plumb_csp_token_is(t, "false") &&
           (plumb_csp_token_is(next, ".") || plumb_csp_token_is(next, "->") ||
            plumb_csp_token_is(next, "{"));
}

static bool check_twice(struct plumb_csp_read *r, const struct pattern *p,
                        const struct plumb_csp_token *name)
{
    const struct plumb_csp_token *const *const known = p->name.data;
    for (uint32_t i = 0; i < p->name.count; i++)
        if (known[i] && known[i]->length == name->length &&
            memcmp(known[i]->text, name->text, name->length) == 0)
            return plumb_csp_read_fail(r, name->place, "%.*s is received twice",
                                       PLUMB_TOKEN_ARGS(name));
    return true;
}

static bool read_received(struct plumb_csp_read *r, struct pattern *p)
{
    const struct plumb_csp_token *const name =
        is_fresh(r) ? plumb_csp_read_token(r) : NULL;
    if (name && !check_twice(r, p, name))
        return false;
    struct plumb_csp_list *const values =
        plumb_csp_list_add(r, &p->part, sizeof *values);
    const struct plumb_csp_token **const kept =
        plumb_csp_list_add(r, &p->name, sizeof *kept);
    if (!values || !kept)
        return false;
    *kept = name;
    if (!name)
        return plumb_csp_read_passed(r, &p->shape, values);
    r->at++;
    struct plumb_csp_array_shape *const s =
        plumb_csp_list_add(r, &p->shape, sizeof *s);
    if (s)
        *s = (struct plumb_csp_array_shape){ .size = 1, .open = true };
    return s != NULL;
}

/* Names are what is sent, as far as that is known. */
static void find_shapes(const struct plumb_csp_read *r, uint32_t channel,
                        struct pattern *p)
{
    const struct plumb_csp_array_shape *const sent =
        plumb_csp_shapes_message(r, channel, p->shape.count);
    struct plumb_csp_array_shape *const here = p->shape.data;
    for (uint32_t i = 0; sent && i < p->shape.count; i++)
        if (((const struct plumb_csp_token *const *)p->name.data)[i])
            here[i] = sent[i];
}

static bool add_value(struct plumb_csp_read *r, struct pattern *p,
                      const struct plumb_csp_expr *e, uint32_t local)
{
    const struct plumb_csp_expr **const data =
        plumb_csp_list_add(r, &p->data, sizeof *data);
    uint32_t *const binds = plumb_csp_list_add(r, &p->binds, sizeof *binds);
    if (!data || !binds)
        return false;
    *data = e;
    *binds = local;
    return true;
}

/* Names are bound when all was read: the values come at once. */
static bool bind_names(struct plumb_csp_read *r, struct pattern *p)
{
    const struct plumb_csp_token *const *const name = p->name.data;
    const struct plumb_csp_list *const part = p->part.data;
    const struct plumb_csp_array_shape *const shape =
        plumb_csp_list_take(r, &p->shape, sizeof *shape);
    for (uint32_t i = 0; shape && i < p->name.count; i++) {
        uint32_t local = 0;
        if (name[i] &&
            !plumb_csp_read_bind_shape(r, name[i], shape + i, &local))
            return false;
        for (uint32_t k = 0; k < shape[i].size; k++)
            if (name[i]
                    ? !add_value(r, p, NULL, local + k)
                    : !add_value(r, p,
                                 ((const struct plumb_csp_expr *const *)part[i]
                                      .data)[k],
                                 UINT32_MAX))
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
    node->data = plumb_csp_list_take(r, &p.data, sizeof(void *));
    node->binds = plumb_csp_list_take(r, &p.binds, sizeof(uint32_t));
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
    node->event.tau =
        plumb_csp_token_is(t, "tau") || plumb_csp_token_is(t, "{");
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
    const struct plumb_csp_process *const skip = plumb_csp_process_new(
        r, &(struct plumb_csp_process){ .kind = PLUMB_SKIP, .place = place });
    if (plumb_csp_read_token(r)->kind != PLUMB_TOKEN_NAME)
        plumb_csp_read_unexpected(r, "an event");
    if (r->failed || !read_event(r, &node))
        return NULL;
    node.child = &skip;
    node.children = 1;
    return plumb_csp_process_new(r, &node);
}

static bool read_events(struct plumb_csp_read *r, struct plumb_csp_list *events)
{
    do {
        r->at++; /* ( or , */
        const struct plumb_csp_process **const e =
            plumb_csp_list_add(r, events, sizeof *e);
        if (!e || !(*e = read_alone(r)))
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
    struct plumb_csp_list events = { 0 };
    const struct plumb_csp_process **const first =
        plumb_csp_read_new(r, sizeof *first);
    if (!first || !read_events(r, &events))
        return false;
    choice.child = events.data;
    choice.children = events.count;
    if (events.count == 1)
        *node = *choice.child[0];
    else
        *node = (struct plumb_csp_process){ .kind = PLUMB_SEQUENCE,
                                            .place = choice.place,
                                            .child = first };
    return events.count == 1 || (*first = plumb_csp_process_new(r, &choice));
}

/* ---- what there is before an arrow ---- */

bool plumb_csp_read_prefix(struct plumb_csp_read *r,
                           struct plumb_csp_process *node)
{
    const struct plumb_csp_token *const next = plumb_csp_read_ahead(r, 1);
    const bool channel =
        plumb_csp_read_token(r)->kind == PLUMB_TOKEN_NAME &&
        (plumb_csp_token_is(next, "!") || plumb_csp_token_is(next, "?") ||
         plumb_csp_token_is(next, "["));
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
