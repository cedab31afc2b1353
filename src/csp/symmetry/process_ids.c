/* process_ids.c - what may hold a process id, by unification.
 *
 * Everything that has a value is in a class: locals, variables, indices of
 * arrays, data of events.  What is compared with, assigned to or passed as
 * another is in the same class.  The class of the index of a ||| at the top
 * has the process ids.  A class is *marked* by whatever a process id must not
 * be: an operand of arithmetic, a condition, a constant that is some process
 * id's number.  If the class of the index is marked, that is the refusal. */
#include "process_ids.h"

#include "base/fail.h"
#include <assert.h>
#include <string.h>

/* What a value may be: a class, or one of these. */
#define MARKED  (UINT32_MAX - 1) /* certainly no process id            */
#define NEUTRAL UINT32_MAX       /* a constant that is none: nobody  */

struct class
{
    uint32_t parent;
    struct plumb_csp_process_ids_refusal mark;
};

/* Where the classes of a thing begin. */
struct typing {
    const struct plumb_csp_process_ids_request *request;
    const struct plumb_csp_model *model;
    struct plumb_base_arena *arena;
    struct class *class;
    uint32_t classes;
    uint32_t *locals; /* by definition; the last is the assertion's */
    uint32_t values, *indices, events;
    int32_t low;
    uint32_t count;
    uint32_t seed;     /* the class of the index                     */
    uint8_t *seen;     /* by definition: 1 inside, 2 at the top       */
    uint32_t *waiting; /* definition * 2 + whether it is at the top   */
    uint32_t waitings;
    uint32_t definition; /* that is looked at                           */
};

/* ---- classes ---- */

static uint32_t root(struct typing *t, uint32_t class)
{
    while (t->class[class].parent != class) {
        t->class[class].parent = t->class[t->class[class].parent].parent;
        class = t->class[class].parent;
    }
    return class;
}

static void mark(struct typing *t, uint32_t class, struct plumb_csp_place place,
                 const char *what)
{
    if (class >= t->classes)
        return;
    struct plumb_csp_process_ids_refusal *const m =
        &t->class[root(t, class)].mark;
    if (!m->what)
        *m = (struct plumb_csp_process_ids_refusal){ place, what };
}

static void unite(struct typing *t, uint32_t a, uint32_t b,
                  struct plumb_csp_place place, const char *what)
{
    if (a == MARKED || b == MARKED) {
        mark(t, a == MARKED ? b : a, place, what);
        return;
    }
    if (a == NEUTRAL || b == NEUTRAL)
        return;
    a = root(t, a);
    b = root(t, b);
    if (a == b)
        return;
    t->class[a].parent = b;
    if (!t->class[b].mark.what)
        t->class[b].mark = t->class[a].mark;
}

/* An assertion, which is no definition, has none: it is about references. */
static uint32_t count_locals(const struct typing *t, uint32_t definition)
{
    return definition < t->model->definitions
               ? t->model->definition[definition].locals
               : 0;
}

static uint32_t class_of_local(const struct typing *t, uint32_t local)
{
    return local < count_locals(t, t->definition)
               ? t->locals[t->definition] + local
               : MARKED;
}

static uint32_t class_of_datum(const struct typing *t, uint32_t name,
                               uint32_t position)
{
    return position < PLUMB_MOST_DATA
               ? t->events + name * PLUMB_MOST_DATA + position
               : MARKED;
}

/* ---- expressions ---- */

static uint32_t see(struct typing *t, const struct plumb_csp_expr *e);

/* It is a number, or a truth value. */
static void see_number(struct typing *t, const struct plumb_csp_expr *e)
{
    mark(t, see(t, e), e->place,
         "a process id is used as a number here; ids work with ==, !=, as "
         "indices and as event data");
}

static uint32_t see_constant(const struct typing *t,
                             const struct plumb_csp_expr *e)
{
    return e->value >= t->low && (int64_t)e->value < (int64_t)t->low + t->count
               ? MARKED
               : NEUTRAL;
}

static const char *const CONSTANT =
    "one process is singled out here: its id is a constant or is computed";

static void see_whole(struct typing *t, const struct plumb_csp_expr *e)
{
    const struct plumb_csp_variable *const v = &t->model->variable[e->number];
    static const char *const whole =
        "an array with process ids is used as a whole here";
    mark(t, t->values + e->number, e->place, whole);
    for (uint32_t d = 0; d < v->dimensions; d++)
        mark(t, t->indices[e->number] + d, e->place, whole);
}

static uint32_t see_global(struct typing *t, const struct plumb_csp_expr *e)
{
    const struct plumb_csp_variable *const v = &t->model->variable[e->number];
    if (e->operands == v->dimensions) {
        for (uint32_t d = 0; d < v->dimensions; d++)
            unite(t, t->indices[e->number] + d, see(t, e->operand[d]),
                  e->operand[d]->place, CONSTANT);
        return t->values + e->number;
    }
    see_whole(t, e);
    for (uint32_t i = 0; i < e->operands; i++)
        see_number(t, e->operand[i]);
    return t->values + e->number;
}

static uint32_t see_binary(struct typing *t, const struct plumb_csp_expr *e)
{
    if (e->op == PLUMB_OP_EQUAL || e->op == PLUMB_OP_UNEQUAL) {
        const uint32_t a = see(t, e->operand[0]), b = see(t, e->operand[1]);
        unite(t, a, b, e->place, CONSTANT);
    } else {
        see_number(t, e->operand[0]);
        see_number(t, e->operand[1]);
    }
    return MARKED;
}

static uint32_t see(struct typing *t, const struct plumb_csp_expr *e)
{
    switch (e->kind) {
    case PLUMB_EXPR_CONSTANT:
        return see_constant(t, e);
    case PLUMB_EXPR_LOCAL:
        return class_of_local(t, e->number);
    case PLUMB_EXPR_GLOBAL:
        return see_global(t, e);
    case PLUMB_EXPR_BINARY:
        return see_binary(t, e);
    case PLUMB_EXPR_TEMP:
        return MARKED;
    case PLUMB_EXPR_UNARY:
    case PLUMB_EXPR_CALL:
    case PLUMB_EXPR_CHANNEL:
    case PLUMB_EXPR_PICK:
    case PLUMB_EXPR_METHOD:
        for (uint32_t i = 0; i < e->operands; i++)
            see_number(t, e->operand[i]);
        return MARKED;
    }
    return MARKED;
}

/* ---- programs ---- */

static void see_statements(struct typing *t,
                           const struct plumb_csp_statement *s)
{
    for (; s; s = s->next) {
        switch (s->kind) {
        case PLUMB_STATEMENT_ASSIGN: {
            const uint32_t to = see(t, s->target), value = see(t, s->value);
            unite(t, to, value, s->value->place,
                  "a number is assigned where process ids are stored");
            break;
        }
        case PLUMB_STATEMENT_IF:
        case PLUMB_STATEMENT_WHILE:
        case PLUMB_STATEMENT_CALL:
            see_number(t, s->value);
            break;
        }
        see_statements(t, s->body);
        see_statements(t, s->otherwise);
    }
}

/* ---- processes ---- */

static bool is_everybody(const struct typing *t,
                         const struct plumb_csp_range *r)
{
    if (r->count != t->count)
        return false;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->value[i] != t->low + (int32_t)i)
            return false;
    return true;
}

static void see_event(struct typing *t, const struct plumb_csp_event_text *e)
{
    if (e->tau)
        return;
    for (uint32_t i = 0; i < e->count; i++) {
        unite(t, class_of_datum(t, e->name, i), see(t, e->data[i]),
              e->data[i]->place, CONSTANT);
        if (e->count > PLUMB_MOST_DATA)
            mark(t, class_of_datum(t, e->name, i), e->place,
                 "the event has more than 16 data values");
    }
}

/* The range that binds a local, if there is one. */
static const struct plumb_csp_range *range_of(
    const struct plumb_csp_range *range, uint32_t ranges, uint32_t local)
{
    for (uint32_t i = 0; i < ranges; i++)
        if (range[i].local == local)
            return range + i;
    return NULL;
}

/* A bound is a number. */
static void see_bounds(struct typing *t, const struct plumb_csp_range *range,
                       uint32_t ranges)
{
    for (uint32_t i = 0; i < ranges; i++)
        for (uint32_t k = 0; k < range[i].spans; k++) {
            see_number(t, range[i].span[k].low);
            see_number(t, range[i].span[k].high);
        }
}

/* A set of events is the same after renaming: a process id in it is an index
 * that goes through all of them. */
static void see_set(struct typing *t, const struct plumb_csp_event_set *set)
{
    for (uint32_t k = 0; k < set->count; k++) {
        const struct plumb_csp_event_text *const e = &set->event[k];
        if (e->kind != PLUMB_EVENT_PLAIN) {
            mark(t, t->seed, e->place, "channels are not supported");
            continue;
        }
        see_event(t, e);
        if (set->range)
            see_bounds(t, set->range[k], set->ranges[k]);
        for (uint32_t i = 0; i < e->count; i++) {
            const struct plumb_csp_expr *const x = e->data[i];
            const struct plumb_csp_range *const r =
                x->kind == PLUMB_EXPR_LOCAL && set->range
                    ? range_of(set->range[k], set->ranges[k], x->number)
                    : NULL;
            if (!r || !is_everybody(t, r))
                mark(t, see(t, x), x->place,
                     "the events of only some processes are hidden here; hide "
                     "those of all, as in i:{0..N-1} @ e.i");
        }
    }
}

/* Arguments are process ids by name alone: what a variable holds may have
 * changed when the argument is looked at. */
static void see_reference(struct typing *t, const struct plumb_csp_process *p,
                          bool top)
{
    const uint8_t bit = top ? 2 : 1;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct plumb_csp_expr *const e = p->data[i];
        const uint32_t class = see(t, e);
        unite(t, t->locals[p->definition] + i, class, e->place, CONSTANT);
        if (e->kind != PLUMB_EXPR_LOCAL && e->kind != PLUMB_EXPR_CONSTANT)
            mark(t, class, e->place,
                 "the argument is a variable that holds a process id; pass the "
                 "id itself");
    }
    if (t->seen[p->definition] & bit)
        return;
    t->seen[p->definition] |= bit;
    t->waiting[t->waitings++] = p->definition * 2 + top;
}

static void refuse(struct typing *t, const struct plumb_csp_process *p,
                   const char *what)
{
    mark(t, t->seed, p->place, what);
}

static void see_kind(struct typing *t, const struct plumb_csp_process *p,
                     bool top)
{
    switch (p->kind) {
    case PLUMB_PREFIX:
        see_event(t, &p->event);
        break;
    case PLUMB_REFERENCE:
        see_reference(t, p, top);
        break;
    case PLUMB_HIDE:
        see_set(t, &p->hidden);
        break;
    case PLUMB_INTERLEAVE:
        if (!top)
            refuse(t, p, "||| below the top level is not supported");
        break;
    case PLUMB_SEND:
    case PLUMB_RECEIVE:
        refuse(t, p, "channels are not supported");
        break;
    case PLUMB_PARALLEL:
        refuse(t, p, "|| is not supported; ||| at the top level is");
        break;
    case PLUMB_COPIES:
        refuse(t, p, "|||{n} is not supported; its copies are only counted");
        break;
    default:
        break;
    }
}

static void see_ranges(struct typing *t, const struct plumb_csp_process *p,
                       bool top)
{
    see_bounds(t, p->range, p->ranges);
    for (uint32_t i = 0; i < p->ranges; i++)
        if (!top || p->kind != PLUMB_INTERLEAVE ||
            !is_everybody(t, &p->range[i]))
            mark(t, class_of_local(t, p->range[i].local), p->place,
                 "an index is used as a process id but has other values");
}

static void see_process(struct typing *t, const struct plumb_csp_process *p,
                        bool top)
{
    const bool still =
        top && (p->kind == PLUMB_INTERLEAVE || p->kind == PLUMB_HIDE);
    see_kind(t, p, top);
    see_ranges(t, p, top);
    if (p->program)
        see_statements(t, p->program->first);
    if (p->condition)
        see_number(t, p->condition);
    for (uint32_t i = 0; i < p->children; i++) {
        if (p->conditions && p->conditions[i])
            see_number(t, p->conditions[i]);
        see_process(t, p->child[i], still);
    }
}

static void see_assertion(struct typing *t)
{
    const struct plumb_csp_assertion *const a = t->request->assertion;
    t->definition = t->model->definitions;
    see_process(t, a->process, true);
    if (a->specification)
        see_process(t, a->specification, true);
    if (a->goal)
        see_number(t, a->goal);
    if (a->optimised)
        see_number(t, a->optimised);
    while (t->waitings > 0) {
        const uint32_t next = t->waiting[--t->waitings];
        t->definition = next / 2;
        see_process(t, t->model->definition[next / 2].body, next % 2);
    }
}

/* ---- declarations ---- */

static void see_variables(struct typing *t)
{
    const int64_t high = (int64_t)t->low + t->count - 1;
    for (uint32_t i = 0; i < t->model->variables; i++) {
        const struct plumb_csp_variable *const v = &t->model->variable[i];
        if (v->ranged && (v->low > t->low || v->high < high))
            mark(t, t->values + i, v->place,
                 "the range of the variable does not include all process ids");
        for (uint32_t d = 0; d < v->dimensions; d++)
            if (v->dimension[d] <= high)
                mark(t, t->indices[i] + d, v->place,
                     "the array has no element for some processes");
    }
}

static void see_called(struct typing *t)
{
    const struct plumb_csp_process_ids_request *const r = t->request;
    const struct plumb_csp_place place = r->assertion->place;
    for (uint32_t i = 0; i < r->calls; i++) {
        unite(t, t->seed, class_of_datum(t, r->called[i], 0), place, "");
        for (uint32_t k = 1; k < PLUMB_MOST_DATA; k++)
            mark(t, class_of_datum(t, r->called[i], k), place,
                 "an argument or result is a process id");
    }
    if (r->calls && (int64_t)t->low + t->count > r->clients)
        mark(t, t->seed, place,
             "the assertion has fewer clients than there are processes");
}

/* ---- setting up ---- */

static bool number_classes(struct typing *t)
{
    const struct plumb_csp_model *const m = t->model;
    t->locals = plumb_base_arena_alloc(t->arena, (m->definitions + 1) *
                                                     sizeof *t->locals);
    t->indices = plumb_base_arena_alloc(t->arena, (m->variables + 1) *
                                                      sizeof *t->indices);
    if (!t->locals || !t->indices)
        return false;
    for (uint32_t i = 0; i <= m->definitions; i++) {
        t->locals[i] = t->classes;
        t->classes += count_locals(t, i);
    }
    t->values = t->classes;
    t->classes += m->variables;
    for (uint32_t i = 0; i < m->variables; i++) {
        t->indices[i] = t->classes;
        t->classes += m->variable[i].dimensions;
    }
    t->events = t->classes;
    t->classes += m->names * PLUMB_MOST_DATA;
    return true;
}

static bool set_up(struct typing *t)
{
    const size_t definitions = (size_t)t->model->definitions + 1;
    if (!number_classes(t))
        return false;
    t->class = plumb_base_arena_alloc(t->arena, t->classes * sizeof *t->class);
    t->seen = plumb_base_arena_alloc(t->arena, definitions * sizeof *t->seen);
    t->waiting =
        plumb_base_arena_alloc(t->arena, 2 * definitions * sizeof *t->waiting);
    return t->class && t->seen && t->waiting;
}

static void begin(struct typing *t)
{
    for (uint32_t i = 0; i < t->classes; i++)
        t->class[i] = (struct class){ .parent = i };
    memset(t->seen, 0, t->model->definitions + 1);
    t->waitings = 0;
}

/* ---- candidates ---- */

/* An index of ||| at the top, that may be that of the processes. */
struct candidate {
    uint32_t definition;
    const struct plumb_csp_range *range;
};

enum { MOST_CANDIDATES = 16 };

struct candidates {
    struct candidate at[MOST_CANDIDATES];
    uint32_t count;
    uint32_t depth;
};

static bool is_a_range_of_names(const struct plumb_csp_range *r)
{
    for (uint32_t i = 1; i < r->count; i++)
        if (r->value[i] != r->value[0] + (int32_t)i)
            return false;
    return r->count >= 2 && r->count <= PLUMB_MOST_PROCESS_IDS &&
           r->value[0] >= 0;
}

/* A definition at the top that comes back to itself is no shape; it is enough
 * not to follow it for ever. */
static void find_candidates(const struct plumb_csp_model *m,
                            uint32_t definition,
                            const struct plumb_csp_process *p,
                            struct candidates *c)
{
    enum { DEEP = 64 };
    if (c->depth == DEEP)
        return;
    c->depth++;
    if (p->kind == PLUMB_REFERENCE)
        find_candidates(m, p->definition, m->definition[p->definition].body, c);
    else if (p->kind == PLUMB_INTERLEAVE || p->kind == PLUMB_HIDE)
        for (uint32_t i = 0; i < p->children; i++)
            find_candidates(m, definition, p->child[i], c);
    for (uint32_t i = 0; p->kind == PLUMB_INTERLEAVE && i < p->ranges; i++)
        if (is_a_range_of_names(&p->range[i]) && c->count < MOST_CANDIDATES)
            c->at[c->count++] = (struct candidate){ definition, &p->range[i] };
    c->depth--;
}

/* ---- results ---- */

static bool is_in(struct typing *t, uint32_t class)
{
    return root(t, class) == root(t, t->seed);
}

static bool fill_locals(struct typing *t, struct plumb_csp_process_ids *d)
{
    const struct plumb_csp_model *const m = t->model;
    const bool **const local =
        plumb_base_arena_alloc(t->arena, (m->definitions + 1) * sizeof *local);
    if (!local)
        return false;
    for (uint32_t i = 0; i < m->definitions; i++) {
        const uint32_t count = count_locals(t, i);
        bool *const of =
            plumb_base_arena_zeroed(t->arena, (count + 1) * sizeof *of);
        if (!of)
            return false;
        for (uint32_t k = 0; k < count; k++)
            of[k] = is_in(t, t->locals[i] + k);
        local[i] = of;
    }
    d->local = local;
    return true;
}

static bool fill(struct typing *t, struct plumb_csp_process_ids *d)
{
    const struct plumb_csp_model *const m = t->model;
    bool *const variable = plumb_base_arena_zeroed(
        t->arena, (m->variables + 1) * sizeof *variable);
    uint32_t *const index =
        plumb_base_arena_zeroed(t->arena, (m->variables + 1) * sizeof *index);
    uint32_t *const event =
        plumb_base_arena_zeroed(t->arena, (m->names + 1) * sizeof *event);
    if (!variable || !index || !event || !fill_locals(t, d))
        return false;
    for (uint32_t i = 0; i < m->variables; i++) {
        variable[i] = is_in(t, t->values + i);
        for (uint32_t k = 0; k < m->variable[i].dimensions; k++)
            index[i] |= (uint32_t)is_in(t, t->indices[i] + k) << k;
    }
    for (uint32_t i = 0; i < m->names; i++)
        for (uint32_t k = 0; k < PLUMB_MOST_DATA; k++)
            event[i] |= (uint32_t)is_in(t, class_of_datum(t, i, k)) << k;
    d->variable = variable;
    d->index = index;
    d->event = event;
    d->low = t->low;
    d->count = t->count;
    return true;
}

/* Is this one's index a process id everywhere? */
static struct plumb_csp_process_ids_refusal judge(struct typing *t,
                                                  const struct candidate *c)
{
    t->low = c->range->value[0];
    t->count = c->range->count;
    t->definition = c->definition;
    begin(t);
    t->seed = class_of_local(t, c->range->local);
    assert(t->seed < t->classes);
    see_variables(t);
    see_called(t);
    see_assertion(t);
    return t->class[root(t, t->seed)].mark;
}

enum plumb_status plumb_csp_process_ids_find(
    const struct plumb_csp_process_ids_request *request,
    struct plumb_base_arena *arena, struct plumb_csp_process_ids *found,
    struct plumb_csp_process_ids_refusal *why, struct plumb_error *err)
{
    struct typing t = { .request = request,
                        .model = request->model,
                        .arena = arena };
    struct candidates c = { .count = 0 };
    *found = (struct plumb_csp_process_ids){ .count = 0 };
    *why = (struct plumb_csp_process_ids_refusal){ .what = NULL };
    find_candidates(t.model, t.model->definitions, request->assertion->process,
                    &c);
    if (!set_up(&t))
        return plumb_base_fail_memory(err);
    for (uint32_t i = 0; i < c.count; i++) {
        const struct plumb_csp_process_ids_refusal r = judge(&t, &c.at[i]);
        if (r.what && !why->what)
            *why = r;
        if (!r.what && t.count > found->count && !fill(&t, found))
            return plumb_base_fail_memory(err);
    }
    return PLUMB_OK;
}
