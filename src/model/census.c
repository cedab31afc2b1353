/* census.c - the states of a system, numbered as they are met.
 *
 * A state is its number; the vector is found by it (vectors.h), and steps are
 * worked out again when somebody wants to see them.  So what is kept is a few
 * bytes per state and an edge of two words per step.
 *
 * To find a successor's number is to look at memory that is not in the cache.
 * So while the edges of a state are numbered, those of states soon after it are
 * *prepared*: their roots are found, and fetched. */
#include "base/fail.h"
#include "base/memory.h"
#include "model/native_emit.h"
#include "model/reduction.h"
#include "model/steps.h"
#include "model/successors.h"
#include "model/system.h"
#include "model/vectors.h"
#include <assert.h>

/* The successors of a state, not numbered yet. */
struct prepared {
    uint32_t state;     /* UINT32_MAX: none                            */
    uint32_t component; /* that may go alone, if one of them leads on  */
    bool alone, slow;   /* slow: plumb_system_steps() has to tell      */
    bool refused;       /* memory was                                  */
    struct plumb_successors successors;
};

enum { AHEAD = 3, ROOM_AHEAD = 4 };

struct plumb_census {
    struct plumb_system *system;
    struct plumb_budget *budget;
    struct plumb_vectors *vectors;
    struct plumb_reducer *reducer; /* NULL: no reduction */
    uint32_t *vector;              /* the state that is looked at */
    struct plumb_steps steps;
    struct plumb_quick *quick; /* NULL: every state is slow */
    struct prepared prepared[ROOM_AHEAD];
    uint32_t next;      /* the state whose edges will be asked for, likely */
    uint32_t threshold; /* so many states are to be met before moves are
                           compiled, again */
};

static enum plumb_status put_initial(struct plumb_census *states,
                                     struct plumb_error *err)
{
    bool fresh;
    plumb_system_initial(states->system, states->vector);
    const uint32_t number =
        plumb_vectors_put(states->vectors, states->vector, UINT32_MAX, &fresh);
    return number == UINT32_MAX ? plumb_fail_memory(err) : PLUMB_OK;
}

static enum plumb_status set_up(struct plumb_census *states,
                                enum plumb_reduction reduction,
                                struct plumb_error *err)
{
    const uint32_t slots = plumb_system_slots(states->system);
    states->vectors = plumb_vectors_new(slots, states->budget);
    states->vector =
        plumb_alloc(states->budget, slots * sizeof *states->vector);
    if (!states->vectors || !states->vector)
        return plumb_fail_memory(err);
    if (reduction != PLUMB_REDUCE_NOTHING) {
        const enum plumb_status status = plumb_reducer_open(
            &states->reducer, states->system, reduction, err);
        if (status)
            return status;
    }
    if (reduction != PLUMB_REDUCE_DYNAMIC) {
        states->quick = plumb_quick_new(states->system,
                                        plumb_vectors_cursor(states->vectors),
                                        states->budget);
        if (!states->quick)
            return plumb_fail_memory(err);
    }
    for (unsigned i = 0; i < ROOM_AHEAD; i++)
        states->prepared[i].state = UINT32_MAX;
    const struct plumb_native *const native =
        plumb_system_world(states->system)->native;
    states->threshold = native ? native->threshold : UINT32_MAX;
    return put_initial(states, err);
}

enum plumb_status plumb_census_open(struct plumb_census **out,
                                    struct plumb_system *s,
                                    enum plumb_reduction reduction,
                                    struct plumb_error *err)
{
    struct plumb_budget *const budget = plumb_system_budget(s);
    struct plumb_census *const states =
        plumb_alloc_zeroed(budget, sizeof *states);
    if (!states)
        return plumb_fail_memory(err);
    states->system = s;
    states->budget = budget;
    const enum plumb_status status = set_up(states, reduction, err);
    if (status)
        plumb_census_free(states);
    else
        *out = states;
    return status;
}

void plumb_census_free(struct plumb_census *states)
{
    if (!states)
        return;
    plumb_quick_free(states->quick);
    for (unsigned i = 0; i < ROOM_AHEAD; i++)
        plumb_successors_release(&states->prepared[i].successors,
                                 states->budget);
    plumb_reducer_free(states->reducer);
    plumb_vectors_free(states->vectors);
    plumb_steps_release(&states->steps, states->budget);
    plumb_release(states->budget, states->vector,
                  plumb_system_slots(states->system) * sizeof *states->vector);
    plumb_release(states->budget, states, sizeof *states);
}

static uint32_t number_of(struct plumb_census *states,
                          const struct plumb_steps *steps, uint32_t k,
                          uint32_t parent)
{
    bool fresh;
    return plumb_vectors_put(
        states->vectors,
        plumb_steps_target(steps, k, plumb_system_slots(states->system)),
        parent, &fresh);
}

/* Fewer steps do if one of them leads to a state with a larger number: then
 * nothing is put off for ever (reduction.h).  The numbers of states do not
 * change, so a state is reduced in the same way whenever it is looked at. */
static enum plumb_status leads_on(struct plumb_census *states, uint32_t state,
                                  const struct plumb_steps *steps, bool *yes,
                                  struct plumb_error *err)
{
    *yes = false;
    for (uint32_t k = 0; k < steps->count; k++) {
        const uint32_t target = number_of(states, steps, k, state);
        if (target == UINT32_MAX)
            return plumb_fail_memory(err);
        *yes |= target > state;
    }
    return PLUMB_OK;
}

/* A component that may go alone: its steps, else `*alone` is false. */
static enum plumb_status reduce(struct plumb_census *states, uint32_t state,
                                struct plumb_steps *steps, bool *alone,
                                struct plumb_error *err)
{
    const uint32_t components = plumb_system_components(states->system);
    *alone = false;
    for (uint32_t c = 0; c < components && !*alone; c++) {
        enum plumb_status status = plumb_reducer_try(
            states->reducer, states->vector, c, steps, alone, err);
        if (!status && *alone)
            status = leads_on(states, state, steps, alone, err);
        if (status)
            return status;
    }
    return PLUMB_OK;
}

/* The vector of `state` is left in states->vector. */
static enum plumb_status find_steps(struct plumb_census *states, uint32_t state,
                                    struct plumb_steps *steps,
                                    struct plumb_error *err)
{
    bool alone = false;
    enum plumb_status status = PLUMB_OK;
    plumb_vectors_get(states->vectors, state, states->vector);
    if (states->reducer)
        status = reduce(states, state, steps, &alone, err);
    if (status || alone)
        return status;
    return plumb_system_steps(states->system, states->vector, steps, err);
}

/* ---- slowly ---- */

static enum plumb_status make_slowly(struct plumb_census *states,
                                     uint32_t state, struct plumb_edges *out,
                                     struct plumb_error *err)
{
    const enum plumb_status status =
        find_steps(states, state, &states->steps, err);
    if (status)
        return status;
    for (uint32_t k = 0; k < states->steps.count; k++) {
        const uint32_t target = number_of(states, &states->steps, k, state);
        if (target == UINT32_MAX ||
            !plumb_edges_add(out, states->steps.step[k].event, target))
            return plumb_fail_memory(err);
    }
    return PLUMB_OK;
}

/* ---- quickly ---- */

/* Are all its successors by moves in the mask? */
static bool are_in(uint64_t mask, const struct plumb_successors *s)
{
    for (uint32_t k = 0; k < s->count; k++)
        if (!(mask >> s->at[k].move & 1))
            return false;
    return s->count > 0;
}

/* May this component go alone?  Then these are its successors. */
static bool prepare_alone(struct plumb_census *states, struct prepared *p,
                          uint32_t component)
{
    struct plumb_error err;
    uint64_t mask;
    const uint32_t term = plumb_quick_term(states->quick, component);
    if (term == UINT32_MAX)
        return false;
    p->refused = plumb_reducer_mask(states->reducer, component, term, &mask,
                                    &err) != PLUMB_OK;
    if (p->refused || !mask)
        return false;
    p->successors.count = 0;
    p->component = component;
    p->slow = !plumb_quick_component(states->quick, component, &p->successors);
    return !p->slow && are_in(mask, &p->successors);
}

/* Components before `from` do not go alone. */
static void prepare(struct plumb_census *states, struct prepared *p,
                    uint32_t state, uint32_t from)
{
    const uint32_t components = plumb_system_components(states->system);
    plumb_vectors_get(states->vectors, state, states->vector);
    plumb_quick_state(states->quick, states->vector);
    p->state = state;
    p->alone = p->slow = p->refused = false;
    for (uint32_t c = from; states->reducer && c < components; c++) {
        p->alone = prepare_alone(states, p, c);
        if (p->alone || p->slow || p->refused)
            break;
    }
    if (!p->alone && !p->slow && !p->refused) {
        p->successors.count = 0;
        p->slow = !plumb_quick_all(states->quick, &p->successors);
    }
    p->refused |= p->slow && plumb_quick_was_refused(states->quick);
}

static struct prepared *prepared_at(struct plumb_census *states, uint32_t state)
{
    return &states->prepared[state % ROOM_AHEAD];
}

/* Prepare a state that will be asked about soon. */
static void look_ahead(struct plumb_census *states, uint32_t state)
{
    struct prepared *const p = prepared_at(states, state);
    if (state >= plumb_vectors_count(states->vectors) || p->state == state)
        return;
    prepare(states, p, state, 0);
    for (uint32_t k = 0; k < p->successors.count; k++)
        plumb_vectors_fetch(states->vectors, p->successors.at[k].root);
}

/* What was fetched by look_ahead() is there: fetch what it leads to. */
static void look_closer(struct plumb_census *states, uint32_t state)
{
    const struct prepared *const p = prepared_at(states, state);
    for (uint32_t k = 0; p->state == state && k < p->successors.count; k++)
        plumb_vectors_fetch_pair(states->vectors, p->successors.at[k].root);
}

static bool add_edges(struct plumb_census *states, const struct prepared *p,
                      struct plumb_edges *out, bool *leads_on)
{
    const struct plumb_successors *const s = &p->successors;
    *leads_on = false;
    for (uint32_t k = 0; k < s->count; k++) {
        const uint32_t target =
            plumb_vectors_number(states->vectors, s->at[k].root);
        if (target == UINT32_MAX ||
            !plumb_edges_add(out, s->at[k].event, target))
            return false;
        *leads_on |= target > p->state;
    }
    return true;
}

/* What is prepared, numbered. */
static enum plumb_status finish(struct plumb_census *states, struct prepared *p,
                                struct plumb_edges *out,
                                struct plumb_error *err)
{
    const size_t begin = out->count;
    bool leads_on;
    while (!p->slow && !p->refused) {
        out->count = begin;
        if (!add_edges(states, p, out, &leads_on))
            return plumb_fail_memory(err);
        if (!p->alone || leads_on)
            return PLUMB_OK;
        prepare(states, p, p->state, p->component + 1);
    }
    out->count = begin;
    return p->refused ? plumb_fail_memory(err)
                      : make_slowly(states, p->state, out, err);
}

/* ---- compiled ---- */

static bool compile(struct plumb_census *states)
{
    const struct plumb_world *const world = plumb_system_world(states->system);
    struct plumb_text text;
    bool good;
    plumb_text_init(&text, states->budget);
    good = plumb_native_emit(states->quick, world->terms, &text);
    if (good) {
        const struct plumb_native_entry *const table = world->native->compile(
            world->native->context, plumb_text_string(&text));
        if (table)
            plumb_quick_bind(states->quick, table);
    }
    plumb_text_release(&text);
    return good;
}

/* The terms that were met by now; much later once more, for those that were
 * met meanwhile. */
static bool is_time_to_compile(struct plumb_census *states)
{
    enum { LATER = 16 };
    if (plumb_vectors_count(states->vectors) < states->threshold)
        return false;
    states->threshold = states->threshold < UINT32_MAX / LATER
                            ? states->threshold * LATER
                            : UINT32_MAX;
    return true;
}

/* The first state is looked at slowly: it may stand for another. */
static enum plumb_status make_edges(void *context, uint32_t state,
                                    struct plumb_edges *out,
                                    struct plumb_error *err)
{
    struct plumb_census *const states = context;
    const bool in_order = state == states->next;
    struct prepared *const p = prepared_at(states, state);
    states->next = state + 1;
    if (!states->quick || state == 0)
        return make_slowly(states, state, out, err);
    if (is_time_to_compile(states) && !compile(states))
        return plumb_fail_memory(err);
    if (p->state != state)
        prepare(states, p, state, 0);
    if (in_order) {
        look_ahead(states, state + AHEAD);
        look_closer(states, state + 1);
    }
    return finish(states, p, out, err);
}

static uint32_t count_states(const void *context)
{
    const struct plumb_census *const states = context;
    return plumb_vectors_count(states->vectors);
}

struct plumb_source plumb_census_source(struct plumb_census *states)
{
    return (struct plumb_source){ states, make_edges, count_states };
}

void plumb_census_vector(const struct plumb_census *states, uint32_t state,
                         uint32_t *vector)
{
    plumb_vectors_get(states->vectors, state, vector);
}

enum plumb_status plumb_census_steps(struct plumb_census *states,
                                     uint32_t state, struct plumb_steps *steps,
                                     struct plumb_error *err)
{
    return find_steps(states, state, steps, err);
}

size_t plumb_census_bytes(const struct plumb_census *states)
{
    return plumb_vectors_bytes(states->vectors);
}
