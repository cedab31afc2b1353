/* object_source.c - clients of a sequential type, as a graph.
 *
 * A state is a vector: the state of the type, and for each client 0 (idle),
 * 1 + c (it has made call c) or 1 + calls + a (call done, answer a is to be
 * returned).  The type's states come from a space of src/spec, whose actions
 * are bound once, from a made-up history that has every answer to every
 * call. */
#include "object_source.h"

#include "base/fail.h"
#include "base/memory.h"
#include "csp/symmetry/permutation.h"
#include "spec/names.h"
#include "spec/shape.h"
#include "vectors.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = PLUMB_SHAPE_VALUES };

struct tuple {
    struct plumb_value value[MOST_VALUES];
    uint32_t count;
};

struct call {
    struct tuple args;
    uint32_t name;           /* of its event in the model                  */
    uint32_t first, answers; /* its answers, side by side                  */
};

struct answer {
    struct tuple results;
    uint32_t name; /* of its event */
};

struct plumb_csp_object_source {
    struct plumb_csp_object_request request;
    const struct plumb_csp_model *model;
    struct plumb_csp_event_numbers *events;
    struct plumb_budget *budget;
    struct plumb_spec *spec;
    struct plumb_builder *builder; /* while the history is made up */
    struct plumb_history history;
    struct plumb_spec_bound bound;
    struct plumb_spec_space space;
    bool has_history, has_bound, has_space;
    struct plumb_spec_states after;
    struct call *call;
    struct answer *answer;
    size_t call_room, answer_room;
    uint32_t calls, answers;
    struct plumb_csp_vectors *vectors;
    uint32_t *now, *then; /* vectors */
};

/* ---- which calls and answers there are ---- */

static uint32_t find_name(const struct plumb_csp_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->names; i++)
        if (strcmp(model->name[i], name) == 0)
            return i;
    return UINT32_MAX;
}

/* The index-th choice for a value written as `letter`; false behind the last.
 */
static bool choose(const struct plumb_csp_object_source *s, char letter,
                   uint32_t index, struct plumb_value *v)
{
    if (letter == 'b') {
        *v = plumb_bool(index == 1);
        return index < 2;
    }
    if (index < s->request.values)
        *v = plumb_int(s->request.value[index]);
    return index < s->request.values;
}

/* Count through all tuples of a shape: `digit` begins with zeros. */
static bool next_tuple(const struct plumb_csp_object_source *s,
                       const char *letter, uint32_t count, uint32_t *digit,
                       struct tuple *t)
{
    for (uint32_t i = count; i-- > 0;) {
        if (choose(s, letter[i], ++digit[i], &t->value[i]))
            return true;
        digit[i] = 0;
        (void)choose(s, letter[i], 0, &t->value[i]);
    }
    return false;
}

static bool first_tuple(const struct plumb_csp_object_source *s,
                        const char *letter, uint32_t count, uint32_t *digit,
                        struct tuple *t)
{
    t->count = count;
    for (uint32_t i = 0; i < count; i++) {
        digit[i] = 0;
        if (!choose(s, letter[i], 0, &t->value[i]))
            return false;
    }
    return true;
}

/* What the made-up history says of a call. */
struct act {
    const char *op;
    size_t length;
    const char *term;
};

static enum plumb_status tell(struct plumb_csp_object_source *s,
                              const struct act *act, const struct tuple *args,
                              const struct tuple *results,
                              struct plumb_error *err)
{
    struct plumb_builder *const b = s->builder;
    const uint32_t who = plumb_builder_symbol(b, "c", 1);
    const uint32_t name = plumb_builder_symbol(b, act->op, act->length);
    const uint32_t term = plumb_builder_symbol(b, act->term, strlen(act->term));
    if (who == UINT32_MAX || name == UINT32_MAX || term == UINT32_MAX)
        return plumb_base_fail_memory(err);
    PLUMB_TRY(plumb_builder_call(b, who, who, name, args->value, args->count,
                                 NULL, err));
    return plumb_builder_respond(b, who, who, PLUMB_OUTCOME_OK, term,
                                 results->value, results->count, NULL, err);
}

static enum plumb_status add_answer(struct plumb_csp_object_source *s,
                                    const struct act *act, uint32_t name,
                                    const struct tuple *results,
                                    struct plumb_error *err)
{
    struct call *const c = &s->call[s->calls - 1];
    if (!PLUMB_APPEND(s->budget, s->answer, s->answers, s->answer_room,
                      (struct answer){ *results, name }))
        return plumb_base_fail_memory(err);
    c->answers++;
    return tell(s, act, &c->args, results, err);
}

/* All answers with one term and so many results. */
static enum plumb_status add_answers(struct plumb_csp_object_source *s,
                                     const struct act *act, uint32_t name,
                                     const char *letter, uint32_t count,
                                     struct plumb_error *err)
{
    uint32_t digit[MOST_VALUES];
    struct tuple results;
    if (!first_tuple(s, letter, count, digit, &results))
        return PLUMB_OK;
    do {
        PLUMB_TRY(add_answer(s, act, name, &results, err));
    } while (next_tuple(s, letter, count, digit, &results));
    return PLUMB_OK;
}

/* "deq_res", "deq_empty"; at marked points "deq_lin", "deq_empty_lin". */
static uint32_t answer_name(const struct plumb_csp_object_source *s,
                            const struct act *act, unsigned term)
{
    char name[256];
    const bool ok = term == PLUMB_TERM_OK, points = s->request.points;
    snprintf(name, sizeof name, "%.*s%s%s%s", (int)act->length, act->op,
             ok && points ? "" : "_", ok ? (points ? "" : "res") : act->term,
             points ? "_lin" : "");
    return find_name(s->model, name);
}

static enum plumb_status add_call(struct plumb_csp_object_source *s,
                                  struct act *act, uint32_t name,
                                  const struct plumb_spec_row *row,
                                  const struct tuple *args,
                                  struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    if (!PLUMB_APPEND(
            s->budget, s->call, s->calls, s->call_room,
            (struct call){ .args = *args, .name = name, .first = s->answers }))
        return plumb_base_fail_memory(err);
    for (unsigned t = 0; t < PLUMB_TERMS && status == PLUMB_OK; t++) {
        const struct plumb_spec_shape *const shape = &row->answer[t];
        if (!shape->present)
            continue;
        act->term = plumb_spec_term_name(t);
        const uint32_t answered = answer_name(s, act, t);
        for (uint32_t n = shape->least;
             n <= shape->most && answered != UINT32_MAX && status == PLUMB_OK;
             n++)
            status = add_answers(s, act, answered, shape->letter, n, err);
    }
    return status;
}

static enum plumb_status add_row(struct plumb_csp_object_source *s,
                                 struct act *act, uint32_t name,
                                 const struct plumb_spec_opdef *def,
                                 struct plumb_error *err)
{
    uint32_t digit[MOST_VALUES];
    struct plumb_spec_row row;
    struct tuple args;
    plumb_spec_row_read(def, &row);
    if (row.any || row.nargs > MOST_VALUES ||
        !first_tuple(s, row.args, row.nargs, digit, &args))
        return PLUMB_OK;
    do {
        PLUMB_TRY(add_call(s, act, name, &row, &args, err));
    } while (next_tuple(s, row.args, row.nargs, digit, &args));
    return PLUMB_OK;
}

/* The operation that an event's name calls, as enq of enq_inv: its length. */
static size_t operation_of(const struct plumb_csp_object_source *s,
                           const char *event)
{
    const char *const suffix = s->request.points ? "_lin" : "_inv";
    const size_t size = strlen(event), end = strlen(suffix);
    return size > end && strcmp(event + size - end, suffix) == 0 ? size - end
                                                                 : 0;
}

static enum plumb_status add_operations(struct plumb_csp_object_source *s,
                                        struct plumb_error *err)
{
    const struct plumb_spec_type *const type = s->spec->type;
    for (uint32_t i = 0; i < s->model->names; i++) {
        struct act act = { .op = s->model->name[i] };
        act.length = operation_of(s, act.op);
        for (unsigned k = 0; k < type->nops && act.length; k++)
            if (plumb_spec_names_have(type->ops[k].names, act.op, act.length))
                PLUMB_TRY(add_row(s, &act, i, &type->ops[k], err));
    }
    if (s->answers == 0)
        return plumb_base_fail(
            err, PLUMB_EINPUT, 0, 0,
            "the model has no events of %s; it needs %s%s", s->request.spec,
            s->request.points ? "OP_lin.CLIENT"
                              : "OP_inv.CLIENT and OP_res.CLIENT",
            " for an operation OP");
    return PLUMB_OK;
}

/* ---- opening ---- */

void plumb_csp_object_source_free(struct plumb_csp_object_source *s)
{
    if (!s)
        return;
    const size_t slots = (size_t)s->request.clients + 1;
    if (s->has_space)
        plumb_spec_space_close(&s->space);
    if (s->has_bound)
        plumb_spec_bound_release(&s->bound);
    if (s->has_history)
        plumb_history_release(&s->history);
    plumb_builder_free(s->builder);
    plumb_spec_states_release(&s->after);
    plumb_csp_vectors_free(s->vectors);
    plumb_spec_free(s->spec);
    PLUMB_RELEASE(s->budget, s->call, s->call_room);
    PLUMB_RELEASE(s->budget, s->answer, s->answer_room);
    PLUMB_RELEASE(s->budget, s->now, slots);
    PLUMB_RELEASE(s->budget, s->then, slots);
    plumb_base_release(s->budget, s, sizeof *s);
}

static enum plumb_status bind_actions(struct plumb_csp_object_source *s,
                                      struct plumb_error *err)
{
    PLUMB_TRY(plumb_builder_finish(s->builder, PLUMB_TIES_CALL_FIRST,
                                   &s->history, err));
    s->has_history = true;
    PLUMB_TRY(plumb_spec_bind(&s->history, s->spec, s->budget, &s->bound, err));
    s->has_bound = true;
    if (!plumb_spec_space_open(&s->space, &s->bound, s->budget))
        return plumb_base_fail_memory(err);
    s->has_space = true;
    return PLUMB_OK;
}

static enum plumb_status place_initial(struct plumb_csp_object_source *s,
                                       struct plumb_error *err)
{
    const size_t slots = (size_t)s->request.clients + 1;
    s->vectors = plumb_csp_vectors_new((uint32_t)slots, s->budget);
    s->now = plumb_base_alloc_zeroed(s->budget, slots * sizeof *s->now);
    s->then = plumb_base_alloc_zeroed(s->budget, slots * sizeof *s->then);
    if (!s->vectors || !s->now || !s->then)
        return plumb_base_fail_memory(err);
    s->now[0] = s->spec->type->initial(&s->space);
    if (s->now[0] == PLUMB_NO_STATE ||
        plumb_csp_vectors_put(s->vectors, s->now) == UINT32_MAX)
        return plumb_base_fail_memory(err);
    return PLUMB_OK;
}

enum plumb_status plumb_csp_object_source_open(
    struct plumb_csp_object_source **opened,
    const struct plumb_csp_object_request *request,
    const struct plumb_csp_model *model, struct plumb_csp_event_numbers *events,
    struct plumb_budget *budget, struct plumb_error *err)
{
    struct plumb_csp_object_source *const s =
        plumb_base_alloc_zeroed(budget, sizeof *s);
    if (!s)
        return plumb_base_fail_memory(err);
    *s = (struct plumb_csp_object_source){ .request = *request,
                                           .model = model,
                                           .events = events,
                                           .budget = budget,
                                           .builder = plumb_builder_new(budget),
                                           .after.budget = budget };
    enum plumb_status status =
        s->builder ? plumb_spec_parse(request->spec, &s->spec, err)
                   : plumb_base_fail_memory(err);
    if (status == PLUMB_OK && s->spec->type->stepwise)
        status = plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                                 "%s: its operations take effect together; a "
                                 "model has no such objects",
                                 request->spec);
    if (status == PLUMB_OK && plumb_spec_is_told(s->spec->type))
        status = plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                                 "%s: weak answers are for histories and "
                                 "programs; a model says what it answers",
                                 request->spec);
    if (status == PLUMB_OK && s->spec->type->by_thread)
        status = plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                                 "%s: it depends on who calls; a model has no "
                                 "such objects",
                                 request->spec);
    if (status == PLUMB_OK)
        status = add_operations(s, err);
    if (status == PLUMB_OK)
        status = bind_actions(s, err);
    if (status == PLUMB_OK)
        status = place_initial(s, err);
    if (status == PLUMB_OK)
        *opened = s;
    else
        plumb_csp_object_source_free(s);
    return status;
}

/* ---- stepping ---- */

static void add_data(int32_t *data, uint32_t *count, const struct tuple *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        data[(*count)++] = (int32_t)(int64_t)t->value[i].bits;
}

/* name.client.a.b, where `a` and `b` may be NULL. */
static uint32_t event_of(struct plumb_csp_object_source *s, uint32_t name,
                         uint32_t client, const struct tuple *a,
                         const struct tuple *b)
{
    int32_t data[1 + 2 * MOST_VALUES];
    uint32_t count = 0;
    data[count++] = (int32_t)client;
    if (a)
        add_data(data, &count, a);
    if (b)
        add_data(data, &count, b);
    return plumb_csp_event_number(s->events, PLUMB_EVENT_PLAIN, name, data,
                                  count);
}

struct leaving {
    struct plumb_csp_object_source *s;
    struct plumb_csp_edges *out;
};

/* Client `client` goes to `status`, the type to `type_state`. */
static bool go(const struct leaving *l, uint32_t event, uint32_t client,
               uint32_t status, plumb_spec_state type_state)
{
    struct plumb_csp_object_source *const s = l->s;
    memcpy(s->then, s->now, (s->request.clients + 1) * sizeof *s->then);
    s->then[0] = type_state;
    s->then[1 + client] = status;
    const uint32_t target = plumb_csp_vectors_put(s->vectors, s->then);
    return event != UINT32_MAX && target != UINT32_MAX &&
           plumb_csp_edges_add(l->out, event, target);
}

/* The operation happens: every answer it may give. */
static bool perform(const struct leaving *l, uint32_t client, uint32_t call)
{
    struct plumb_csp_object_source *const s = l->s;
    const struct call *const c = &s->call[call];
    for (uint32_t a = c->first; a < c->first + c->answers; a++) {
        const bool points = s->request.points;
        const uint32_t event = points
                                   ? event_of(s, s->answer[a].name, client,
                                              &c->args, &s->answer[a].results)
                                   : PLUMB_TAU;
        s->after.count = 0;
        if (!s->spec->type->step(&s->space, s->now[0], &s->bound.action[a],
                                 &s->after))
            return false;
        for (size_t i = 0; i < s->after.count; i++)
            if (!go(l, event, client, points ? 0 : 1 + s->calls + a,
                    s->after.state[i]))
                return false;
    }
    return true;
}

static bool leave(const struct leaving *l, uint32_t client)
{
    struct plumb_csp_object_source *const s = l->s;
    const uint32_t status = s->now[1 + client];
    if (status > s->calls) {
        const struct answer *const a = &s->answer[status - 1 - s->calls];
        return go(l, event_of(s, a->name, client, &a->results, NULL), client, 0,
                  s->now[0]);
    }
    if (status > 0)
        return perform(l, client, status - 1);
    for (uint32_t c = 0; c < s->calls; c++) {
        const struct call *const call = &s->call[c];
        if (s->request.points
                ? !perform(l, client, c)
                : !go(l, event_of(s, call->name, client, &call->args, NULL),
                      client, 1 + c, s->now[0]))
            return false;
    }
    return true;
}

static enum plumb_status object_edges(void *context, uint32_t state,
                                      struct plumb_csp_edges *out,
                                      struct plumb_error *err)
{
    struct plumb_csp_object_source *const s = context;
    const struct leaving l = { s, out };
    plumb_csp_vectors_get(s->vectors, state, s->now);
    for (uint32_t client = 0; client < s->request.clients; client++)
        if (!leave(&l, client))
            return plumb_base_fail_memory(err);
    return PLUMB_OK;
}

static uint32_t object_states(const void *context)
{
    const struct plumb_csp_object_source *const s = context;
    return plumb_csp_vectors_count(s->vectors);
}

struct plumb_csp_graph_source plumb_csp_object_source(
    struct plumb_csp_object_source *s)
{
    return (struct plumb_csp_graph_source){ s, object_edges, object_states, 0 };
}

/* ---- renaming ---- */

bool plumb_csp_object_source_calls(const struct plumb_csp_object_source *s,
                                   uint32_t index, uint32_t *name)
{
    if (index >= s->calls + s->answers)
        return false;
    *name = index < s->calls ? s->call[index].name
                             : s->answer[index - s->calls].name;
    return true;
}

uint32_t plumb_csp_object_source_renamed(struct plumb_csp_object_source *s,
                                         uint32_t state, uint32_t low,
                                         uint32_t count, uint32_t permutation)
{
    assert(low + count <= s->request.clients);
    plumb_csp_vectors_get(s->vectors, state, s->now);
    memcpy(s->then, s->now, (s->request.clients + 1) * sizeof *s->then);
    for (uint32_t i = 0; i < count; i++)
        s->then[1 + low + plumb_csp_image(permutation, i)] =
            s->now[1 + low + i];
    return plumb_csp_vectors_put(s->vectors, s->then);
}
