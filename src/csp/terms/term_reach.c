/* term_reach.c - what a term can ever do.
 *
 * A reference whose arguments are known is followed with them; where they are
 * not, the parameter is left open, so its definition is walked over once.
 * Conditions that are false whatever happens are not passed: P(i) that ends at
 * some i does not go on for ever here either. */
#include "term_reach.h"

#include "base/fail.h"
#include "base/memory.h"
#include "term_moves.h"

/* An alphabet is needed; what is read and written only helps: where it takes
 * long to know, as behind P(i + 1), nothing is known. */
enum { LONGEST_WALK = 1 << 18, LONGEST_HELP = 1 << 14 };

struct walk {
    struct plumb_csp_terms *t;
    struct plumb_error *err;
    uint8_t *seen; /* by term */
    size_t capacity;
    size_t from; /* where its stack begins, in the list of operands */
    uint32_t steps;
};

static void begin(struct walk *w, struct plumb_csp_terms *t,
                  struct plumb_error *err)
{
    *w = (struct walk){ .t = t, .err = err, .from = t->listed };
}

static void end(struct walk *w)
{
    w->t->listed = w->from;
    plumb_base_release(w->t->world->budget, w->seen, w->capacity);
}

/* Walk over `term`, too, if it was not seen before. */
static enum plumb_status visit(struct walk *w, uint32_t term)
{
    if (!PLUMB_GROW_ZEROED(w->t->world->budget, w->seen, w->capacity,
                           (size_t)term + 1))
        return plumb_base_fail_memory(w->err);
    if (w->seen[term])
        return PLUMB_OK;
    w->seen[term] = 1;
    w->steps++;
    return plumb_csp_term_push(w->t, term) ? PLUMB_OK
                                           : plumb_base_fail_memory(w->err);
}

static bool take(struct walk *w, uint32_t *term)
{
    if (w->t->listed == w->from)
        return false;
    *term = w->t->list[--w->t->listed];
    return true;
}

/* Does the condition of a branch before this one always hold? */
static bool is_forestalled(const struct walk *w,
                           const struct plumb_csp_term_node *n, uint32_t child)
{
    for (uint32_t i = 0; i < child; i++)
        if (plumb_csp_term_always(w->t, n->operand[2 * i]))
            return true;
    return false;
}

/* Is the child behind a condition that never holds? */
static bool is_dead(const struct walk *w, const struct plumb_csp_term_node *n,
                    uint32_t child)
{
    switch ((enum plumb_csp_term_kind)n->operation) {
    case PLUMB_TERM_GUARD:
    case PLUMB_TERM_IFB:
    case PLUMB_TERM_ASSERT:
        return plumb_csp_term_never(w->t, n->operand[0]);
    case PLUMB_TERM_IF:
    case PLUMB_TERM_IFA:
        return child == 0 ? plumb_csp_term_never(w->t, n->operand[0])
                          : plumb_csp_term_always(w->t, n->operand[0]);
    case PLUMB_TERM_CASE:
        return plumb_csp_term_never(w->t, n->operand[2 * child]) ||
               is_forestalled(w, n, child);
    case PLUMB_TERM_COPIES:
        return n->operand[0] == 0;
    default:
        return false;
    }
}

static enum plumb_status visit_children(struct walk *w, uint32_t term)
{
    const struct plumb_csp_term_node n = w->t->node[term];
    const struct plumb_csp_children c = plumb_csp_term_children(&n);
    for (uint32_t i = 0; i < c.count; i++)
        if (!is_dead(w, &n, i) && visit(w, n.operand[c.first + i * c.step]))
            return w->err->status;
    if (n.operation != PLUMB_TERM_REFERENCE)
        return PLUMB_OK;
    const uint32_t body = plumb_csp_term_body(w->t, term, w->err);
    return body == PLUMB_NO_TERM ? w->err->status : visit(w, body);
}

/* ---- alphabets ---- */

static enum plumb_status add_plain_event(struct walk *w, uint32_t term,
                                         uint32_t set)
{
    const struct plumb_csp_term_node n = w->t->node[term];
    int32_t value;
    if (n.operation != PLUMB_TERM_PREFIX || n.operand[0] == PLUMB_UNNAMED ||
        n.operand[1])
        return PLUMB_OK;
    for (uint32_t i = 3; i < n.count; i++)
        if (!plumb_csp_formula_is_constant(w->t->world->formulas, n.operand[i],
                                           &value))
            return PLUMB_OK;
    const uint32_t event = plumb_csp_term_event(w->t, term, NULL, w->err);
    if (event == UINT32_MAX)
        return w->err->status;
    return plumb_csp_event_sets_add(&w->t->sets, set, event)
               ? PLUMB_OK
               : plumb_base_fail_memory(w->err);
}

/* #alphabet, with the arguments of the reference put in. */
static enum plumb_status add_declared(struct walk *w, uint32_t reference,
                                      const struct plumb_csp_definition *d,
                                      uint32_t set)
{
    struct plumb_csp_world *const world = w->t->world;
    const struct plumb_csp_term_node n = w->t->node[reference];
    const size_t size = ((size_t)d->locals + 1) * sizeof(plumb_csp_binding);
    plumb_csp_binding *const binding = plumb_base_alloc(world->budget, size);
    if (!binding)
        return plumb_base_fail_memory(w->err);
    for (uint32_t i = 0; i < d->locals; i++)
        binding[i] = i + 1 < n.count ? n.operand[i + 1] : UINT32_MAX;
    const uint32_t declared = plumb_csp_event_sets_text(
        &w->t->sets, world->formulas, d->alphabet, binding);
    plumb_base_release(world->budget, binding, size);
    if (declared == PLUMB_NO_SET)
        return plumb_base_fail_memory(w->err);
    PLUMB_TRY(plumb_csp_event_sets_ready(&w->t->sets, world->events,
                                         world->formulas, declared, w->err));
    return plumb_csp_event_sets_join(&w->t->sets, set, declared, PLUMB_NO_SET)
               ? PLUMB_OK
               : plumb_base_fail_memory(w->err);
}

/* What is hidden is not in the alphabet.  A HIDE inside itself adds nothing to
 * it that is not added already. */
static enum plumb_status add_hidden(struct walk *w, uint32_t hide, uint32_t set)
{
    const struct plumb_csp_term_node n = w->t->node[hide];
    struct plumb_csp_world *const world = w->t->world;
    if (n.hiding)
        return PLUMB_OK;
    PLUMB_TRY(plumb_csp_event_sets_ready(
        &w->t->sets, world->events, world->formulas, n.operand[1], w->err));
    if (!plumb_csp_term_enter(w->t, hide, w->err))
        return w->err->status;
    w->t->node[hide].hiding = true;
    const uint32_t inner = plumb_csp_term_alphabet(w->t, n.operand[0], w->err);
    w->t->node[hide].hiding = false;
    plumb_csp_term_leave(w->t);
    if (inner == PLUMB_NO_SET)
        return w->err->status;
    return plumb_csp_event_sets_join(&w->t->sets, set, inner, n.operand[1])
               ? PLUMB_OK
               : plumb_base_fail_memory(w->err);
}

static enum plumb_status add_events(struct walk *w, uint32_t term, uint32_t set)
{
    const struct plumb_csp_term_node n = w->t->node[term];
    if (n.operation == PLUMB_TERM_HIDE)
        return add_hidden(w, term, set);
    if (n.operation == PLUMB_TERM_REFERENCE) {
        const struct plumb_csp_definition *const d =
            &w->t->world->model->definition[n.operand[0]];
        if (d->alphabet)
            return add_declared(w, term, d, set);
    }
    PLUMB_TRY(add_plain_event(w, term, set));
    return visit_children(w, term);
}

static enum plumb_status too_long(const struct walk *w, uint32_t term)
{
    const struct plumb_csp_place at = plumb_csp_term_place(w->t, term);
    return plumb_base_fail(w->err, PLUMB_EINPUT, at.line, at.column,
                           "the alphabet of this operand of || is infinite; "
                           "declare it with #alphabet");
}

uint32_t plumb_csp_term_alphabet(struct plumb_csp_terms *t, uint32_t term,
                                 struct plumb_error *err)
{
    const uint32_t set = plumb_csp_event_sets_new(&t->sets);
    if (set == PLUMB_NO_SET)
        return plumb_csp_term_refuse(err);
    struct walk w;
    begin(&w, t, err);
    enum plumb_status status = visit(&w, term);
    for (uint32_t at; !status && take(&w, &at);) {
        status = add_events(&w, at, set);
        if (!status && w.steps > LONGEST_WALK)
            status = too_long(&w, term);
    }
    end(&w);
    return status ? PLUMB_NO_SET : plumb_csp_event_sets_same(&t->sets, set);
}

/* ---- what is read and written ---- */

static void read_formula(const struct walk *w, struct plumb_csp_reach *r,
                         uint32_t formula)
{
    if (formula != PLUMB_NONE)
        plumb_csp_formula_access(w->t->world->formulas, formula, r->reads);
}

static void read_formulas(const struct walk *w, struct plumb_csp_reach *r,
                          const struct plumb_csp_term_node *n, uint32_t from)
{
    for (uint32_t i = from; i < n->count; i++)
        read_formula(w, r, n->operand[i]);
}

/* A channel is read and written by whoever uses it. */
static void use_channel(const struct walk *w, struct plumb_csp_reach *r,
                        const struct plumb_csp_term_node *n)
{
    const struct plumb_csp_channel *const c =
        &w->t->world->model->channel[n->operand[0]];
    int32_t index = 0;
    const bool known = n->operand[1] == PLUMB_NONE ||
                       plumb_csp_formula_is_constant(w->t->world->formulas,
                                                     n->operand[1], &index);
    read_formula(w, r, n->operand[1]);
    plumb_csp_effect_access(w->t->world->formulas, n->operand[2], r->reads,
                            r->writes);
    r->meets |= c->capacity == 0;
    for (uint32_t i = 0; i < c->size; i++)
        if (!known || (uint32_t)index == i) {
            const uint32_t slot = c->slot + i;
            r->reads[slot / 64] |= (uint64_t)1 << slot % 64;
            r->writes[slot / 64] |= (uint64_t)1 << slot % 64;
        }
}

static void use_receiver(const struct walk *w, struct plumb_csp_reach *r,
                         const struct plumb_csp_term_node *n)
{
    use_channel(w, r, n);
    read_formula(w, r, n->operand[3]);
    for (uint32_t i = 6; i < n->count; i += 2)
        read_formula(w, r, n->operand[i]);
}

static void use_term(const struct walk *w, struct plumb_csp_reach *r,
                     const struct plumb_csp_term_node *n)
{
    switch ((enum plumb_csp_term_kind)n->operation) {
    case PLUMB_TERM_PREFIX:
        plumb_csp_effect_access(w->t->world->formulas, n->operand[1], r->reads,
                                r->writes);
        read_formulas(w, r, n, 3);
        break;
    case PLUMB_TERM_SEND:
        use_channel(w, r, n);
        read_formulas(w, r, n, 4);
        break;
    case PLUMB_TERM_RECEIVE:
        use_receiver(w, r, n);
        break;
    case PLUMB_TERM_REFERENCE:
        read_formulas(w, r, n, 1);
        break;
    case PLUMB_TERM_GUARD:
    case PLUMB_TERM_IF:
    case PLUMB_TERM_IFA:
    case PLUMB_TERM_IFB:
    case PLUMB_TERM_ASSERT:
        read_formula(w, r, n->operand[0]);
        break;
    case PLUMB_TERM_CASE:
        for (uint32_t i = 0; i < n->count; i += 2)
            read_formula(w, r, n->operand[i]);
        break;
    case PLUMB_TERM_ATOMIC:
        r->atomic = true;
        break;
    case PLUMB_TERM_INTERLEAVE:
    case PLUMB_TERM_PARALLEL:
    case PLUMB_TERM_SYNCHRONY:
    case PLUMB_TERM_COPIES:
    case PLUMB_TERM_MULTISET:
        r->several = true;
        break;
    default:
        break;
    }
}

enum plumb_status plumb_csp_term_reach(struct plumb_csp_terms *t, uint32_t term,
                                       struct plumb_csp_reach *r,
                                       struct plumb_error *err)
{
    struct walk w;
    begin(&w, t, err);
    r->complete = true;
    r->atomic = r->meets = r->several = false;
    enum plumb_status status = visit(&w, term);
    for (uint32_t at; !status && take(&w, &at);) {
        const struct plumb_csp_term_node n = t->node[at];
        use_term(&w, r, &n);
        status = visit_children(&w, at);
        if (w.steps > LONGEST_HELP) {
            r->complete = false;
            break;
        }
    }
    end(&w);
    return status;
}
