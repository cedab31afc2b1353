/* term_channels.c - sending and receiving.
 *
 * A channel with a capacity is a slot that holds a sequence: c!v appends where
 * there is room, c?v takes the first message if the receiver accepts it.  A
 * channel of capacity 0 holds nothing: to send is half a step, which joint.c
 * offers to everybody else.
 *
 * What is received is put into the receiver's text: for each message that ever
 * comes the continuation is built once, and kept as the body of a MESSAGE. */
#include "term_steps.h"

#include "base/fail.h"
#include "base/memory.h"
#include "term_build.h"
#include <string.h>

/* Values of a message, after the index of a channel that is one of many. */
struct message {
    int32_t data[PLUMB_MOST_MESSAGE + 1];
    uint32_t skip; /* 1 if data[0] is the index */
    uint32_t count;
};

static const struct plumb_csp_channel *channel_of(
    const struct plumb_csp_stepping *g, uint32_t term)
{
    const struct plumb_csp_terms *const t = g->t;
    return &t->world->model->channel[t->node[term].operand[0]];
}

static enum plumb_status value_of(struct plumb_csp_stepping *g,
                                  uint32_t formula, int32_t *value)
{
    return plumb_csp_formula_value(g->t->world->formulas, formula,
                                   (const int32_t *)g->before, value, g->err);
}

/* Which channel of an array; 0 if it is none. */
static enum plumb_status find_index(struct plumb_csp_stepping *g, uint32_t term,
                                    int32_t *index)
{
    const struct plumb_csp_channel *const c = channel_of(g, term);
    const uint32_t formula = g->t->node[term].operand[1];
    *index = 0;
    if (formula == PLUMB_NONE)
        return PLUMB_OK;
    const enum plumb_status status = value_of(g, formula, index);
    if (status || (*index >= 0 && (uint32_t)*index < c->size))
        return status;
    const struct plumb_csp_place at = plumb_csp_term_place(g->t, term);
    return plumb_base_fail(g->err, PLUMB_EINPUT, at.line, at.column,
                           "there is no channel %s[%d]; the array has %u",
                           c->name, (int)*index, (unsigned)c->size);
}

static enum plumb_status too_long(struct plumb_csp_stepping *g, uint32_t term)
{
    const struct plumb_csp_place at = plumb_csp_term_place(g->t, term);
    return plumb_base_fail(g->err, PLUMB_EINPUT, at.line, at.column,
                           "a message has more than %d values",
                           PLUMB_MOST_MESSAGE);
}

static void begin_message(struct message *m, const struct plumb_csp_channel *c,
                          int32_t index)
{
    m->skip = c->array;
    m->data[0] = index;
}

static uint32_t event_of(struct plumb_csp_stepping *g, uint32_t term,
                         enum plumb_csp_event_kind kind,
                         const struct message *m)
{
    const uint32_t event = plumb_csp_event_number(g->t->world->events, kind,
                                                  g->t->node[term].operand[0],
                                                  m->data, m->skip + m->count);
    if (event == UINT32_MAX)
        plumb_base_fail_memory(g->err);
    return event;
}

/* A step to `term`, after `slot` (if it is one) became `content` and the
 * effect was run. */
static enum plumb_status add_step(struct plumb_csp_stepping *g,
                                  const struct plumb_csp_step *step,
                                  uint32_t slot, uint32_t content,
                                  uint32_t effect, uint32_t term)
{
    struct plumb_csp_step own = *step;
    own.effect[0] = effect;
    PLUMB_TRY(plumb_csp_term_add_step(g, own, g->base, term));
    uint32_t *const v = plumb_csp_steps_target(g->steps, g->steps->count - 1,
                                               plumb_csp_term_stride(g));
    if (slot != PLUMB_NONE)
        v[slot] = content;
    if (!effect)
        return PLUMB_OK;
    return plumb_csp_effect_run(g->t->world->formulas, effect, (int32_t *)v,
                                g->err);
}

/* ---- sending ---- */

static enum plumb_status evaluate_message(struct plumb_csp_stepping *g,
                                          uint32_t send, struct message *m)
{
    const struct plumb_csp_term_node n = g->t->node[send];
    m->count = n.count - 4;
    if (m->count > PLUMB_MOST_MESSAGE)
        return too_long(g, send);
    for (uint32_t i = 0; i < m->count; i++)
        PLUMB_TRY(value_of(g, n.operand[4 + i], &m->data[m->skip + i]));
    return PLUMB_OK;
}

/* Into a slot, or half a step if it is none. */
static enum plumb_status send_to(struct plumb_csp_stepping *g, uint32_t send,
                                 uint32_t slot, const struct message *m)
{
    const uint32_t *const operand = g->t->node[send].operand;
    const bool half = slot == PLUMB_NONE;
    const struct plumb_csp_step step = {
        .event =
            event_of(g, send, half ? PLUMB_EVENT_MEET : PLUMB_EVENT_SEND, m),
        .half = half,
        .program = operand[2] != 0,
        .place = plumb_csp_term_place(g->t, send),
    };
    if (step.event == UINT32_MAX)
        return g->err->status;
    const uint32_t content =
        half ? 0
             : plumb_csp_sequence_append(g->t->world->sequences, g->base[slot],
                                         m->data + m->skip, m->count);
    if (content == UINT32_MAX)
        return plumb_base_fail_memory(g->err);
    return add_step(g, &step, slot, content, operand[2], operand[3]);
}

enum plumb_status plumb_csp_channel_send(struct plumb_csp_stepping *g,
                                         uint32_t send)
{
    const struct plumb_csp_channel *const c = channel_of(g, send);
    if (g->offer)
        return PLUMB_OK;
    int32_t index;
    PLUMB_TRY(find_index(g, send, &index));
    const uint32_t slot = c->slot + (uint32_t)index;
    if (c->capacity &&
        plumb_csp_sequence_length(g->t->world->sequences, g->before[slot]) >=
            c->capacity)
        return PLUMB_OK;
    struct message m;
    begin_message(&m, c, index);
    PLUMB_TRY(evaluate_message(g, send, &m));
    return send_to(g, send, c->capacity ? slot : PLUMB_NONE, &m);
}

/* ---- receiving ---- */

static uint32_t bind_message(struct plumb_csp_terms *t, uint32_t message,
                             struct plumb_error *err)
{
    const struct plumb_csp_term_node n = t->node[message];
    const uint32_t receive = n.operand[0];
    const struct plumb_csp_process *const p = t->node[receive].origin;
    const plumb_csp_binding *const kept = t->node[receive].binding;
    const uint32_t locals = kept[0];
    const size_t size = ((size_t)locals + 1) * sizeof *kept;
    plumb_csp_binding *const binding = plumb_base_alloc(t->world->budget, size);
    if (!binding)
        return plumb_csp_term_refuse(err);
    memcpy(binding, kept + 1, locals * sizeof *kept);
    bool good = true;
    for (uint32_t i = 0; good && i < p->count; i++)
        if (p->binds[i] != UINT32_MAX) {
            binding[p->binds[i]] = plumb_csp_formula_constant(
                t->world->formulas, (int32_t)n.operand[1 + i]);
            good = binding[p->binds[i]] != PLUMB_NO_FORMULA;
        }
    const uint32_t made =
        good ? plumb_csp_term_build_received(t, receive, binding, locals, err)
             : plumb_csp_term_refuse(err);
    plumb_base_release(t->world->budget, binding, size);
    return made;
}

/* The RECEIVED of a message; built when the message comes first. */
static uint32_t received_of(struct plumb_csp_terms *t, uint32_t receive,
                            const int32_t *value, uint32_t count,
                            struct plumb_error *err)
{
    uint32_t operand[1 + PLUMB_MOST_MESSAGE] = { receive };
    memcpy(operand + 1, value, count * sizeof *operand);
    const uint32_t message =
        plumb_csp_term_make(t, PLUMB_TERM_MESSAGE, operand, 1 + count,
                            t->node[receive].origin, err);
    if (message == PLUMB_NO_TERM)
        return message;
    if (t->node[message].body == PLUMB_UNKNOWN) {
        const uint32_t body = bind_message(t, message, err);
        if (body == PLUMB_NO_TERM)
            return body;
        t->node[message].body = body;
    }
    return t->node[message].body;
}

static enum plumb_status is_accepted(struct plumb_csp_stepping *g,
                                     uint32_t received, const int32_t *value,
                                     bool *yes)
{
    const struct plumb_csp_term_node n = g->t->node[received];
    *yes = true;
    for (uint32_t i = 3; *yes && i < n.count; i++) {
        int32_t wanted;
        if (n.operand[i] == PLUMB_NONE)
            continue;
        PLUMB_TRY(value_of(g, n.operand[i], &wanted));
        *yes = wanted == value[i - 3];
    }
    return *yes ? plumb_csp_term_holds(g, n.operand[0], yes) : PLUMB_OK;
}

/* Take `value`; the slot, if it is one, becomes `rest`. */
static enum plumb_status take(struct plumb_csp_stepping *g, uint32_t receive,
                              const struct message *m, uint32_t slot,
                              uint32_t rest)
{
    const int32_t *const value = m->data + m->skip;
    /* A message of another length is not for this receiver. */
    if (m->count != g->t->node[receive].origin->count)
        return PLUMB_OK;
    const uint32_t received =
        received_of(g->t, receive, value, m->count, g->err);
    if (received == PLUMB_NO_TERM)
        return g->err->status;
    bool yes;
    const enum plumb_status status = is_accepted(g, received, value, &yes);
    if (status || !yes)
        return status;
    const uint32_t *const operand = g->t->node[received].operand;
    const struct plumb_csp_step step = {
        .event = g->offer ? g->offer->event
                          : event_of(g, receive, PLUMB_EVENT_RECEIVE, m),
        .program = operand[1] != 0,
        .place = plumb_csp_term_place(g->t, receive),
    };
    if (step.event == UINT32_MAX)
        return g->err->status;
    return add_step(g, &step, slot, rest, operand[1], operand[2]);
}

static enum plumb_status take_offer(struct plumb_csp_stepping *g,
                                    uint32_t receive,
                                    const struct plumb_csp_channel *c,
                                    int32_t index)
{
    const struct plumb_csp_offer *const o = g->offer;
    if (o->channel != g->t->node[receive].operand[0] || o->index != index)
        return PLUMB_OK;
    struct message m;
    begin_message(&m, c, index);
    m.count = o->count;
    memcpy(m.data + m.skip, o->value, o->count * sizeof *o->value);
    return take(g, receive, &m, PLUMB_NONE, 0);
}

static enum plumb_status take_first(struct plumb_csp_stepping *g,
                                    uint32_t receive,
                                    const struct plumb_csp_channel *c,
                                    int32_t index)
{
    struct plumb_csp_sequences *const sequences = g->t->world->sequences;
    const uint32_t slot = c->slot + (uint32_t)index;
    if (!plumb_csp_sequence_length(sequences, g->before[slot]))
        return PLUMB_OK;
    struct message m;
    begin_message(&m, c, index);
    const int32_t *const value =
        plumb_csp_sequence_message(sequences, g->before[slot], 0, &m.count);
    memcpy(m.data + m.skip, value, m.count * sizeof *value);
    const uint32_t rest = plumb_csp_sequence_rest(sequences, g->before[slot]);
    if (rest == UINT32_MAX)
        return plumb_base_fail_memory(g->err);
    return take(g, receive, &m, slot, rest);
}

enum plumb_status plumb_csp_channel_receive(struct plumb_csp_stepping *g,
                                            uint32_t receive)
{
    const struct plumb_csp_channel *const c = channel_of(g, receive);
    if (!c->capacity != (g->offer != NULL))
        return PLUMB_OK;
    int32_t index;
    PLUMB_TRY(find_index(g, receive, &index));
    return g->offer ? take_offer(g, receive, c, index)
                    : take_first(g, receive, c, index);
}
