/* partial_order_reduction.c - which component may go alone.
 *
 * PLUMB_REDUCE_LOCAL asks what the others can ever touch, from the beginning
 * on: so the answer for a component and its term is worked out once.
 * PLUMB_REDUCE_DYNAMIC asks what they can touch from where they are now, as
 * the paper does (Fig. 3), and wants every move of the term to be possible:
 * more can go alone, but every state has to be asked. */
#include "partial_order_reduction.h"

#include "base/fail.h"
#include "base/memory.h"
#include "csp/terms/term_moves.h"
#include "csp/terms/term_reach.h"
#include "system_shape.h"

/* What is read and written: two rows of bits. */
struct access {
    uint64_t *reads, *writes;
};

#define NOT_ASKED UINT64_MAX

struct plumb_csp_reducer {
    struct plumb_csp_system *system;
    struct plumb_csp_terms *t;
    struct plumb_budget *budget;
    struct plumb_base_arena arena;
    enum plumb_csp_reduction kind;
    size_t words;
    bool off;
    uint64_t *passing;      /* slots that no state has anything in */
    struct access others;   /* room for what the others touch    */
    struct access *foreign; /* LOCAL: of each component, fixed   */
    uint64_t **mask;        /* LOCAL: of each component, by term:
                                      which moves are its own           */
    size_t *masks;
    struct access *move; /* by number of the move; NULL: not asked      */
    size_t moves;
    struct access *reach; /* DYNAMIC: by term                           */
    size_t reaches;
};

/* ---- rows of bits ---- */

static bool new_access(struct plumb_csp_reducer *r, struct access *a)
{
    uint64_t *const bits =
        plumb_base_arena_zeroed(&r->arena, 2 * r->words * sizeof *bits);
    *a = (struct access){ bits, bits ? bits + r->words : NULL };
    return bits != NULL;
}

static void add_access(const struct plumb_csp_reducer *r, struct access *to,
                       const struct access *from)
{
    for (size_t i = 0; i < r->words; i++) {
        to->reads[i] |= from->reads[i];
        to->writes[i] |= from->writes[i];
    }
}

static void clear_access(const struct plumb_csp_reducer *r, struct access *a)
{
    for (size_t i = 0; i < r->words; i++)
        a->reads[i] = a->writes[i] = 0;
}

/* What is in an array of a program is gone behind each step, so it does not
 * matter who else uses it. */
static bool is_independent(const struct plumb_csp_reducer *r,
                           const struct access *a, const struct access *b)
{
    for (size_t i = 0; i < r->words; i++)
        if (((a->reads[i] & b->writes[i]) |
             (a->writes[i] & (b->reads[i] | b->writes[i]))) &
            ~r->passing[i])
            return false;
    return true;
}

static bool grow(struct plumb_csp_reducer *r, struct access **array,
                 size_t *size, size_t need)
{
    return PLUMB_GROW_ZEROED(r->budget, *array, *size, need);
}

/* ---- what is touched ---- */

/* By a move: its guard, its event, its effect.  NULL: memory was refused. */
static const struct access *access_of_move(struct plumb_csp_reducer *r,
                                           uint32_t move)
{
    if (!grow(r, &r->move, &r->moves, (size_t)move + 1))
        return NULL;
    struct access *const a = &r->move[move];
    if (a->reads)
        return a;
    if (!new_access(r, a))
        return NULL;
    const struct plumb_csp_move *const m = &r->t->move[move];
    const struct plumb_csp_formulas *const f = r->t->world->formulas;
    if (m->guard != PLUMB_NONE)
        plumb_csp_formula_access(f, m->guard, a->reads);
    plumb_csp_effect_access(f, m->effect, a->reads, a->writes);
    return a;
}

static enum plumb_status find_reach(struct plumb_csp_reducer *r, uint32_t term,
                                    struct access *a, struct plumb_error *err)
{
    struct plumb_csp_reach reach = { .reads = a->reads, .writes = a->writes };
    const enum plumb_status status =
        plumb_csp_term_reach(r->t, term, &reach, err);
    r->off |= !reach.complete || reach.atomic;
    return status;
}

/* ---- opening ---- */

static enum plumb_status find_foreign(struct plumb_csp_reducer *r,
                                      struct plumb_error *err)
{
    const struct plumb_csp_system *const s = r->system;
    r->foreign = plumb_base_arena_alloc(&r->arena, (s->components + 1) *
                                                       sizeof *r->foreign);
    if (!r->foreign || !new_access(r, &r->others))
        return plumb_base_fail_memory(err);
    for (uint32_t c = 0; c < s->components; c++)
        if (!new_access(r, &r->foreign[c]))
            return plumb_base_fail_memory(err);
    for (uint32_t c = 0; c < s->components; c++) {
        clear_access(r, &r->others);
        PLUMB_TRY(find_reach(r, s->component[c].written, &r->others, err));
        for (uint32_t other = 0; other < s->components; other++)
            if (other != c)
                add_access(r, &r->foreign[other], &r->others);
    }
    return PLUMB_OK;
}

static void find_passing(struct plumb_csp_reducer *r)
{
    const struct plumb_csp_model *const m = r->system->world->model;
    for (uint32_t i = 0; i < m->variables; i++) {
        const struct plumb_csp_variable *const v = &m->variable[i];
        for (uint32_t s = v->slot; v->passing && s < v->slot + v->size; s++)
            r->passing[s / 64] |= UINT64_C(1) << s % 64;
    }
}

static enum plumb_status set_up(struct plumb_csp_reducer *r,
                                struct plumb_error *err)
{
    const uint32_t components = r->system->components;
    r->words = (size_t)r->system->globals / 64 + 1;
    r->mask =
        plumb_base_arena_zeroed(&r->arena, (components + 1) * sizeof *r->mask);
    r->masks =
        plumb_base_arena_zeroed(&r->arena, (components + 1) * sizeof *r->masks);
    r->passing =
        plumb_base_arena_zeroed(&r->arena, r->words * sizeof *r->passing);
    if (!r->mask || !r->masks || !r->passing)
        return plumb_base_fail_memory(err);
    find_passing(r);
    return find_foreign(r, err);
}

enum plumb_status plumb_csp_reducer_open(struct plumb_csp_reducer **out,
                                         struct plumb_csp_system *s,
                                         enum plumb_csp_reduction reduction,
                                         struct plumb_error *err)
{
    struct plumb_budget *const budget = s->world->budget;
    struct plumb_csp_reducer *const r =
        plumb_base_alloc_zeroed(budget, sizeof *r);
    if (!r)
        return plumb_base_fail_memory(err);
    *r = (struct plumb_csp_reducer){
        .system = s, .t = s->world->terms, .budget = budget, .kind = reduction
    };
    plumb_base_arena_init(&r->arena, budget);
    const enum plumb_status status = set_up(r, err);
    if (status)
        plumb_csp_reducer_free(r);
    else
        *out = r;
    return status;
}

void plumb_csp_reducer_free(struct plumb_csp_reducer *r)
{
    if (!r)
        return;
    for (uint32_t c = 0; r->mask && r->masks && c < r->system->components; c++)
        PLUMB_RELEASE(r->budget, r->mask[c], r->masks[c]);
    PLUMB_RELEASE(r->budget, r->move, r->moves);
    PLUMB_RELEASE(r->budget, r->reach, r->reaches);
    plumb_base_arena_release(&r->arena);
    plumb_base_release(r->budget, r, sizeof *r);
}

/* ---- may a move go alone? ---- */

/* Is it a tau once everything above hides what it hides, and is it nobody
 * else's? */
static bool is_unseen(const struct plumb_csp_reducer *r, uint32_t component,
                      const struct plumb_csp_move *m)
{
    const struct plumb_csp_shape *above =
        r->system->component[component].shape->above;
    bool unseen = m->event == PLUMB_TAU;
    if (m->event == PLUMB_UNKNOWN || m->event == PLUMB_TICK)
        return false;
    for (; above && !unseen; above = above->above) {
        if (above->kind == PLUMB_SHAPE_HIDE)
            unseen =
                plumb_csp_event_sets_has(&r->t->sets, above->set, m->event);
        else if (above->alphabet && !m->program)
            return false;
    }
    return unseen;
}

static enum plumb_status may_go(struct plumb_csp_reducer *r, uint32_t component,
                                uint32_t move, const struct access *others,
                                bool *may, struct plumb_error *err)
{
    const struct access *const a = access_of_move(r, move);
    if (!a)
        return plumb_base_fail_memory(err);
    *may = is_unseen(r, component, &r->t->move[move]) &&
           is_independent(r, a, others);
    return PLUMB_OK;
}

/* ---- LOCAL ---- */

static bool guard_is_own(const struct plumb_csp_reducer *r, uint32_t component,
                         uint32_t move)
{
    const uint32_t guard = r->t->move[move].guard;
    struct access read = r->others;
    clear_access(r, &read);
    if (guard != PLUMB_NONE)
        plumb_csp_formula_access(r->t->world->formulas, guard, read.reads);
    return is_independent(r, &read, &r->foreign[component]);
}

/* Which of the term's moves may go alone; none, if another component has a say
 * in whether some move is possible, or the term may end: who counts steps does
 * not see that among them. */
static enum plumb_status find_mask(struct plumb_csp_reducer *r,
                                   uint32_t component, uint32_t term,
                                   uint64_t *mask, struct plumb_error *err)
{
    const uint32_t first = r->t->node[term].moves;
    const uint32_t count = r->t->node[term].move_count;
    *mask = 0;
    if (count >= 63)
        return PLUMB_OK;
    for (uint32_t i = 0; i < count; i++)
        if (r->t->move[first + i].event == PLUMB_TICK ||
            !guard_is_own(r, component, first + i))
            return PLUMB_OK;
    for (uint32_t i = 0; i < count; i++) {
        bool may;
        PLUMB_TRY(
            may_go(r, component, first + i, &r->foreign[component], &may, err));
        *mask |= (uint64_t)may << i;
    }
    return PLUMB_OK;
}

static enum plumb_status get_mask(struct plumb_csp_reducer *r,
                                  uint32_t component, uint32_t term,
                                  uint64_t *mask, struct plumb_error *err)
{
    const size_t before = r->masks[component];
    if (term >= before) {
        if (!PLUMB_GROW(r->budget, r->mask[component], r->masks[component],
                        (size_t)term + 1))
            return plumb_base_fail_memory(err);
        for (size_t i = before; i < r->masks[component]; i++)
            r->mask[component][i] = NOT_ASKED;
    }
    uint64_t *const kept = &r->mask[component][term];
    enum plumb_status status = PLUMB_OK;
    if (*kept == NOT_ASKED)
        status = find_mask(r, component, term, kept, err);
    *mask = *kept;
    return status;
}

static enum plumb_status try_local(struct plumb_csp_reducer *r,
                                   const uint32_t *state, uint32_t component,
                                   uint32_t term, struct plumb_csp_steps *steps,
                                   bool *alone, struct plumb_error *err)
{
    uint64_t mask = 0;
    enum plumb_status status = get_mask(r, component, term, &mask, err);
    if (status || !mask)
        return status;
    status = plumb_csp_component_steps(r->system, component, state, steps, err);
    *alone = !status && steps->count > 0;
    for (uint32_t k = 0; *alone && k < steps->count; k++)
        *alone = mask >> (steps->step[k].owner - r->t->node[term].moves) & 1;
    return status;
}

enum plumb_status plumb_csp_reducer_mask(struct plumb_csp_reducer *r,
                                         uint32_t component, uint32_t term,
                                         uint64_t *mask,
                                         struct plumb_error *err)
{
    *mask = 0;
    return r->off ? PLUMB_OK : get_mask(r, component, term, mask, err);
}

bool plumb_csp_reducer_knows(const struct plumb_csp_reducer *r,
                             uint32_t component, uint32_t term, uint64_t *mask)
{
    *mask = 0;
    if (r->off)
        return true;
    if (term >= r->masks[component] || r->mask[component][term] == NOT_ASKED)
        return false;
    *mask = r->mask[component][term];
    return true;
}

/* ---- DYNAMIC ---- */

static enum plumb_status add_reach(struct plumb_csp_reducer *r, uint32_t term,
                                   struct plumb_error *err)
{
    if (!grow(r, &r->reach, &r->reaches, (size_t)term + 1))
        return plumb_base_fail_memory(err);
    struct access *const a = &r->reach[term];
    if (!a->reads) {
        if (!new_access(r, a))
            return plumb_base_fail_memory(err);
        PLUMB_TRY(find_reach(r, term, a, err));
    }
    add_access(r, &r->others, a);
    return PLUMB_OK;
}

static enum plumb_status find_others(struct plumb_csp_reducer *r,
                                     const uint32_t *state, uint32_t component,
                                     struct plumb_error *err)
{
    const struct plumb_csp_system *const s = r->system;
    enum plumb_status status = PLUMB_OK;
    clear_access(r, &r->others);
    for (uint32_t c = 0; !status && c < s->components; c++)
        if (c != component)
            status = add_reach(r, state[s->globals + c], err);
    return status;
}

static enum plumb_status try_dynamic(struct plumb_csp_reducer *r,
                                     const uint32_t *state, uint32_t component,
                                     uint32_t term,
                                     struct plumb_csp_steps *steps, bool *alone,
                                     struct plumb_error *err)
{
    const uint32_t first = r->t->node[term].moves;
    const uint32_t count = r->t->node[term].move_count;
    bool may = count > 0;
    enum plumb_status status = find_others(r, state, component, err);
    for (uint32_t i = 0; !status && may && i < count; i++)
        status = may_go(r, component, first + i, &r->others, &may, err);
    if (status || !may || r->off)
        return status;
    status = plumb_csp_component_steps(r->system, component, state, steps, err);
    *alone = !status && steps->count == count;
    return status;
}

enum plumb_status plumb_csp_reducer_try(struct plumb_csp_reducer *r,
                                        const uint32_t *state,
                                        uint32_t component,
                                        struct plumb_csp_steps *steps,
                                        bool *alone, struct plumb_error *err)
{
    bool failed = false;
    *alone = false;
    if (r->off)
        return PLUMB_OK;
    const uint32_t term =
        plumb_csp_term_acting(r->t, state[r->system->globals + component], err);
    if (term == PLUMB_NO_TERM)
        return err->status;
    if (!plumb_csp_term_is_plain(r->t, term, &failed, err))
        return failed ? err->status : PLUMB_OK;
    return r->kind == PLUMB_REDUCE_LOCAL
               ? try_local(r, state, component, term, steps, alone, err)
               : try_dynamic(r, state, component, term, steps, alone, err);
}
