/* read_object.c - objects: their operations as programs, and from them the
 * process that does all a linearizable object may do.
 *
 * Each client repeats: invocation, then one hidden step that runs the program
 * of the operation, then the response with what it returned (section 3.2 of
 * Liu et al.).  All clients are interleaved:
 *
 *     push_inv.i.v -> tau{ ...; result[i] = e } -> push_res.i.(result[i]) -> ..
 *
 * At points (their theorem 2) invocation and response are left out, and the
 * step is visible.  Data are looked at before a program runs, so there is a
 * hidden step before that; `busy` keeps both together:
 *
 *     [busy == 0] tau{ busy = 1; ... } -> push_lin.i.v.(result[i]){ busy = 0 }
 *
 * Results are forgotten once they are told, which keeps states few. */
#include "model_reader.h"

#include <stdio.h>

enum { MOST_CLIENTS = 64, CLIENT = 0 /* its local */ };

/* ---- declared ---- */

static bool check_operation(struct plumb_csp_read *r,
                            const struct plumb_csp_object *o,
                            const struct plumb_csp_token *name)
{
    for (uint32_t i = 0; i < o->operation.count; i++)
        if (plumb_csp_token_same(o->operation.at[i].name, name))
            return plumb_csp_read_fail_again(r, name,
                                             o->operation.at[i].name->place);
    return true;
}

static bool declare_operation(struct plumb_csp_read *r,
                              struct plumb_csp_object *object)
{
    struct plumb_csp_declared_operation o = { .name = plumb_csp_read_new_name(
                                                  r, "an operation") };
    if (!o.name || !check_operation(r, object, o.name))
        return false;
    if (!plumb_csp_read_at(r, "("))
        return plumb_csp_read_unexpected(r, "'(' after the operation");
    o.parameters = r->at + 1;
    o.body = r->at = plumb_csp_read_behind(r, r->at);
    if (!plumb_csp_read_at(r, "{"))
        return plumb_csp_read_unexpected(
            r, "'{' and the statements of the operation");
    r->at = plumb_csp_read_behind(r, r->at);
    return PLUMB_LIST_ADD(r, &object->operation, o);
}

bool plumb_csp_read_object(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const name =
        plumb_csp_read_new_name(r, "an object");
    struct plumb_csp_symbol *const s =
        name ? plumb_csp_read_declare(r, name, PLUMB_SYMBOL_OBJECT) : NULL;
    struct plumb_csp_object *const o = s ? PLUMB_LIST_NEW(r, &r->object) : NULL;
    if (!o || !plumb_csp_read_expect(r, "{", "after the object"))
        return false;
    s->number = r->object.count - 1;
    o->name = name;
    o->result = o->busy = o->client[0] = o->client[1] = UINT32_MAX;
    o->variables = r->variable.count;
    while (!plumb_csp_read_accept(r, "}")) {
        if (plumb_csp_read_accept(r, ";"))
            continue;
        if (plumb_csp_read_at(r, "var") ? !plumb_csp_read_variable_item(r, o)
            : plumb_csp_read_accept(r, "operation")
                ? !declare_operation(r, o)
                : !plumb_csp_read_unexpected(r, "var or operation"))
            return false;
    }
    o->variables_end = r->variable.count;
    if (o->operation.count == 0)
        return plumb_csp_read_fail(r, name->place, "%.*s has no operations",
                                   PLUMB_TOKEN_ARGS(name));
    plumb_csp_read_accept(r, ";");
    return true;
}

/* ---- names and variables of our own ---- */

static const char *name_of(struct plumb_csp_read *r,
                           const struct plumb_csp_token *t, const char *rest)
{
    return plumb_csp_read_words(r, "%.*s%s", (int)t->length, t->text, rest);
}

/* A name that no variable of the object has. */
static const char *own_name(struct plumb_csp_read *r,
                            const struct plumb_csp_object *o,
                            const char *wanted)
{
    const struct plumb_csp_variable *const v = r->variable.at;
    char rest[40];
    snprintf(rest, sizeof rest, ".%s", wanted);
    const char *const name = name_of(r, o->name, rest);
    for (uint32_t i = o->variables; name && i < o->variables_end; i++)
        if (strcmp(v[i].name, name) == 0) {
            snprintf(rest, sizeof rest, "%s_", wanted);
            return own_name(r, o, rest);
        }
    return name;
}

static bool add_variable(struct plumb_csp_read *r,
                         const struct plumb_csp_object *o, const char *wanted,
                         bool array, uint32_t *number)
{
    if (*number != UINT32_MAX)
        return true;
    struct plumb_csp_variable *const v = plumb_csp_variable_add(
        r, own_name(r, o, wanted), o->name->place, number);
    if (!v)
        return false;
    v->size = 1;
    v->dimensions = array ? 1 : 0;
    v->dimension[0] = array ? 1 : 0;
    v->initial = plumb_csp_read_new(r, MOST_CLIENTS * sizeof *v->initial);
    return v->initial != NULL;
}

static bool make_variables(struct plumb_csp_read *r, struct plumb_csp_object *o,
                           uint32_t clients, bool points)
{
    if (!add_variable(r, o, "result", true, &o->result) ||
        (points && !add_variable(r, o, "busy", false, &o->busy)))
        return false;
    struct plumb_csp_variable *const v = r->variable.at + o->result;
    if (v->size < clients)
        v->size = v->dimension[0] = clients;
    return true;
}

/* ---- expressions and programs ---- */

struct maker {
    struct plumb_csp_read *r;
    struct plumb_csp_object *object;
    struct plumb_csp_place place;
    bool points;
    uint32_t definition;
};

static const struct plumb_csp_expr *local(struct maker *m, uint32_t number)
{
    return plumb_csp_expr_local(m->r, m->place, number);
}

static const struct plumb_csp_expr *global(struct maker *m, uint32_t variable,
                                           bool of_client)
{
    const struct plumb_csp_expr *const index =
        of_client ? local(m, CLIENT) : NULL;
    return of_client && !index
               ? NULL
               : plumb_csp_expr_leaf(m->r, m->place, PLUMB_EXPR_GLOBAL,
                                     variable, &index, of_client,
                                     PLUMB_TYPE_ANY);
}

/* variable = value, and then `next`. */
static const struct plumb_csp_statement *set(
    struct maker *m, const struct plumb_csp_expr *target, int32_t value,
    const struct plumb_csp_statement *next)
{
    struct plumb_csp_statement *const s = plumb_csp_read_new(m->r, sizeof *s);
    if (!s || !target)
        return NULL;
    *s = (struct plumb_csp_statement){
        .kind = PLUMB_STATEMENT_ASSIGN,
        .place = m->place,
        .target = target,
        .value = plumb_csp_expr_constant(m->r, m->place, value, false),
        .next = next,
    };
    return s;
}

/* What is done when the result was told. */
static const struct plumb_csp_program *forget(struct maker *m, bool result)
{
    struct plumb_csp_program *const p = plumb_csp_read_new(m->r, sizeof *p);
    if (!p || (!result && !m->points))
        return NULL;
    p->place = m->place;
    if (result)
        p->first = set(m, global(m, m->object->result, true), 0, NULL);
    if (m->points)
        p->first = set(m, global(m, m->object->busy, false), 0, p->first);
    return p;
}

static const struct plumb_csp_program *claim(
    struct maker *m, const struct plumb_csp_program *program)
{
    struct plumb_csp_program *const p = plumb_csp_read_new(m->r, sizeof *p);
    if (!p || !program)
        return NULL;
    *p = *program;
    p->first = set(m, global(m, m->object->busy, false), 1, p->first);
    return p;
}

/* ---- one operation ---- */

struct step {
    const struct plumb_csp_declared_operation *operation;
    struct plumb_csp_ranges ranges;
    const struct plumb_csp_program *program;
    bool result;
};

static bool read_parameters(struct maker *m, struct step *s)
{
    struct plumb_csp_read *const r = m->r;
    r->at = s->operation->parameters;
    if (plumb_csp_read_accept(r, ")"))
        return true;
    do {
        struct plumb_csp_values values = { 0 };
        const struct plumb_csp_token *const name =
            plumb_csp_read_new_name(r, "a parameter");
        if (!name || !plumb_csp_read_expect(r, ":", "and its values") ||
            !plumb_csp_read_values(r, &values))
            return false;
        struct plumb_csp_range range = { .value = PLUMB_LIST_TAKE(r, &values),
                                         .count = values.count };
        if (!range.value || !plumb_csp_read_bind_local(r, name, &range.local) ||
            !PLUMB_LIST_ADD(r, &s->ranges, range))
            return false;
    } while (plumb_csp_read_accept(r, ","));
    return plumb_csp_read_expect(r, ")", "after the parameters");
}

/* NAME_inv.client[.arguments][.result] */
static bool make_event(struct maker *m, const struct step *s,
                       const char *suffix, bool arguments, bool result,
                       struct plumb_csp_event_text *event)
{
    struct plumb_csp_read *const r = m->r;
    const char *const name = name_of(r, s->operation->name, suffix);
    struct plumb_csp_exprs data = { 0 };
    if (!name ||
        !plumb_csp_read_event_name(r, name, strlen(name), &event->name) ||
        !plumb_csp_exprs_add(r, &data, local(m, CLIENT)))
        return false;
    for (uint32_t i = 0; arguments && i < s->ranges.count; i++)
        if (!plumb_csp_exprs_add(r, &data, local(m, s->ranges.at[i].local)))
            return false;
    if (result &&
        !plumb_csp_exprs_add(r, &data, global(m, m->object->result, true)))
        return false;
    event->place = m->place;
    event->data = PLUMB_LIST_TAKE(r, &data);
    event->count = data.count;
    return !r->failed;
}

static const struct plumb_csp_process *prefix(
    struct maker *m, const struct plumb_csp_event_text *event,
    const struct plumb_csp_program *program,
    const struct plumb_csp_process *then)
{
    const struct plumb_csp_process node = { .kind = PLUMB_PREFIX,
                                            .place = m->place,
                                            .event = *event,
                                            .program = program };
    return plumb_csp_process_above(m->r, node, then, NULL);
}

static const struct plumb_csp_process *reference(struct maker *m,
                                                 uint32_t definition)
{
    struct plumb_csp_exprs data = { 0 };
    if (!plumb_csp_exprs_add(m->r, &data, local(m, CLIENT)))
        return NULL;
    const struct plumb_csp_process node = { .kind = PLUMB_REFERENCE,
                                            .place = m->place,
                                            .definition = definition,
                                            .data =
                                                PLUMB_LIST_TAKE(m->r, &data),
                                            .count = 1 };
    return plumb_csp_process_new(m->r, &node);
}

static const struct plumb_csp_process *make_step(struct maker *m,
                                                 struct step *s)
{
    const struct plumb_csp_event_text tau = { .place = m->place, .tau = true };
    struct plumb_csp_event_text first = { 0 }, last = { 0 };
    if (!make_event(m, s, m->points ? "_lin" : "_res", m->points, s->result,
                    &last) ||
        (!m->points && !make_event(m, s, "_inv", true, false, &first)))
        return NULL;
    const struct plumb_csp_process *p =
        prefix(m, &last, forget(m, s->result), reference(m, m->definition));
    p = prefix(m, &tau, m->points ? claim(m, s->program) : s->program, p);
    if (!m->points)
        return prefix(m, &first, NULL, p);
    const struct plumb_csp_process guard = {
        .kind = PLUMB_GUARD,
        .place = m->place,
        .condition = plumb_csp_expr_binary(
            m->r, m->place, PLUMB_OP_EQUAL, global(m, m->object->busy, false),
            plumb_csp_expr_constant(m->r, m->place, 0, false)),
    };
    return guard.condition ? plumb_csp_process_above(m->r, guard, p, NULL)
                           : NULL;
}

static const struct plumb_csp_process *make_operation(
    struct maker *m, const struct plumb_csp_declared_operation *operation)
{
    struct plumb_csp_read *const r = m->r;
    struct step s = { .operation = operation };
    m->place = operation->name->place;
    r->bound.count = 0;
    const struct plumb_csp_expr *const result =
        global(m, m->object->result, true);
    if (!result || !read_parameters(m, &s))
        return NULL;
    r->own = m->object;
    s.program = plumb_csp_read_operation_program(r, operation, result);
    r->own = NULL;
    s.result = r->returns_value;
    const struct plumb_csp_process *const p =
        s.program ? make_step(m, &s) : NULL;
    r->bound.count = 0;
    if (!p || s.ranges.count == 0)
        return p;
    const struct plumb_csp_process all = {
        .kind = PLUMB_CHOICE,
        .place = m->place,
        .range = PLUMB_LIST_TAKE(r, &s.ranges),
        .ranges = s.ranges.count,
    };
    return plumb_csp_process_above(r, all, p, NULL);
}

/* ---- definitions ---- */

static bool add_client_local(struct plumb_csp_read *r)
{
    r->local.count = 0;
    return PLUMB_LIST_ADD(r, &r->local, "client");
}

static bool define(struct plumb_csp_read *r, uint32_t number,
                   const struct plumb_csp_process *body, uint32_t parameters)
{
    struct plumb_csp_definition *const d = r->definition.at + number;
    d->body = body;
    d->parameters = parameters;
    d->locals = r->local.count;
    d->local = d->parameter = PLUMB_LIST_TAKE(r, &r->local);
    r->local.count = 0;
    return body && !r->failed;
}

static bool make_client(struct maker *m)
{
    struct plumb_csp_read *const r = m->r;
    const struct plumb_csp_object *const o = m->object;
    struct plumb_csp_processes steps = { 0 };
    const char *const name =
        name_of(r, o->name, m->points ? ".client_at_points" : ".client");
    if (!name ||
        !plumb_csp_definition_add(r, name, o->name->place, &m->definition) ||
        !add_client_local(r))
        return false;
    for (uint32_t i = 0; i < o->operation.count; i++)
        if (!plumb_csp_processes_add(r, &steps,
                                     make_operation(m, o->operation.at + i)))
            return false;
    const struct plumb_csp_process choice = { .kind = PLUMB_CHOICE,
                                              .place = o->name->place,
                                              .child = steps.at,
                                              .children = steps.count };
    m->object->client[m->points] = m->definition;
    return define(
        r, m->definition,
        steps.count == 1 ? steps.at[0] : plumb_csp_process_new(r, &choice), 1);
}

static bool make_clients(struct maker *m, uint32_t clients, uint32_t *number)
{
    struct plumb_csp_read *const r = m->r;
    struct plumb_csp_range *const range = plumb_csp_read_new(r, sizeof *range);
    int32_t *const value = plumb_csp_read_new(r, clients * sizeof *value);
    const struct plumb_csp_token *const object = m->object->name;
    const char *const name =
        plumb_csp_read_words(r, "%.*s%s.%u", (int)object->length, object->text,
                             m->points ? ".points" : "", (unsigned)clients);
    m->place = m->object->name->place;
    if (!range || !value || !name || !add_client_local(r) ||
        !plumb_csp_definition_add(r, name, m->place, number))
        return false;
    for (uint32_t i = 0; i < clients; i++)
        value[i] = (int32_t)i;
    *range = (struct plumb_csp_range){ .local = CLIENT,
                                       .value = value,
                                       .count = clients };
    const struct plumb_csp_process all = {
        .kind = PLUMB_INTERLEAVE, .place = m->place, .range = range, .ranges = 1
    };
    const struct plumb_csp_process *const one =
        reference(m, m->object->client[m->points]);
    return define(r, *number, plumb_csp_process_above(r, all, one, NULL), 0);
}

/* ---- the specification ---- */

static uint32_t find_generated(const struct plumb_csp_object *o,
                               uint32_t clients, bool points)
{
    const struct plumb_csp_generated *const g = o->generated.at;
    for (uint32_t i = 0; i < o->generated.count; i++)
        if (g[i].clients == clients && g[i].points == points)
            return g[i].definition;
    return UINT32_MAX;
}

const struct plumb_csp_process *plumb_csp_object_specification(
    struct plumb_csp_read *r, struct plumb_csp_object *object,
    struct plumb_csp_place place, uint32_t clients, bool points)
{
    const uint32_t at = r->at;
    struct maker m = { .r = r, .object = object, .points = points };
    uint32_t number = find_generated(object, clients, points);
    if (number == UINT32_MAX) {
        if (!make_variables(r, object, clients, points) ||
            (object->client[points] == UINT32_MAX && !make_client(&m)) ||
            !make_clients(&m, clients, &number) ||
            !PLUMB_LIST_ADD(
                r, &object->generated,
                (struct plumb_csp_generated){ clients, number, points }))
            return NULL;
    }
    r->at = at;
    return plumb_csp_process_new(
        r, &(struct plumb_csp_process){
               .kind = PLUMB_REFERENCE, .place = place, .definition = number });
}

/* Nobody asserts anything of it: made, and forgotten, for its errors. */
bool plumb_csp_object_check(struct plumb_csp_read *r,
                            struct plumb_csp_object *object)
{
    const uint32_t variables = r->variable.count;
    const uint32_t definitions = r->definition.count;
    const uint32_t arrays = r->program_array.count;
    struct maker m = { .r = r, .object = object };
    if (object->generated.count)
        return true;
    if (!make_variables(r, object, 1, false) || !make_client(&m))
        return false;
    r->variable.count = r->variable_type.count = variables;
    r->definition.count = r->parameter.count = definitions;
    r->program_array.count = arrays;
    return true;
}
