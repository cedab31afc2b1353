/* state_numbering.c - the states of a system, numbered as they are met.
 *
 * A state is its number; the vector is found by it (vectors.h), and steps are
 * worked out again when somebody wants to see them.  So what is kept is a few
 * bytes per state and an edge of two words per step.
 *
 * To find a successor's number is to look at memory that is not in the cache.
 * So while the edges of a state are numbered, those of states soon after it are
 * *prepared*: their roots are found, and fetched.  With several threads others
 * prepare many states ahead (state_workers.h), and what they leave is done here, at the
 * same place where one thread would do it. */
#include "base/fail.h"
#include "base/memory.h"
#include "csp/formulas/native_emit.h"
#include "csp/symmetry/slot_order.h"
#include "state_workers.h"
#include "steps.h"
#include "successor_pass.h"
#include "system_shape.h"
#include "vectors.h"
#include <assert.h>

/* A state that will be asked about soon. */
struct ahead {
    uint32_t state; /* UINT32_MAX: none */
    struct plumb_csp_successors_found prepared;
    const struct plumb_csp_successor
        *at; /* its successors: of workers, or `own` */
    struct plumb_csp_successors own;
    bool guessed; /* numbers of `own` are guesses */
};

enum { ROOM_AHEAD = 32 };
enum { EARLY = 4096, LATE = 1 << 18 }; /* states */

struct plumb_csp_numbering {
    struct plumb_csp_system *system;
    struct plumb_budget *budget;
    struct plumb_csp_vectors *vectors;
    struct plumb_csp_reducer *reducer; /* NULL: no reduction */
    uint32_t *vector;                  /* the state that is looked at */
    struct plumb_csp_steps steps;
    struct plumb_csp_successor_pass
        learner; /* quick is NULL: every state is slow */
    struct plumb_csp_successor_pass looker; /* for when others look too */
    struct plumb_csp_workers *workers;      /* NULL: nobody else prepares */
    struct plumb_csp_threading threading;
    struct ahead ahead[ROOM_AHEAD];
    uint32_t next;      /* the state whose edges will be asked for, likely */
    uint32_t run;       /* so many were asked for in order                 */
    uint32_t made;      /* so many, from the first on, were asked for       */
    uint32_t threshold; /* so many states are to be met before moves are
                           compiled, again; */
    uint32_t arranging; /* and before vectors are arranged, again */
};

/* What workers have prepared stays theirs. */
static void forget_ahead(struct plumb_csp_numbering *states)
{
    for (unsigned i = 0; i < ROOM_AHEAD; i++)
        states->ahead[i].state = UINT32_MAX;
}

static enum plumb_status put_initial(struct plumb_csp_numbering *states,
                                     struct plumb_error *err)
{
    plumb_csp_system_initial(states->system, states->vector);
    return plumb_csp_vectors_put(states->vectors, states->vector) == UINT32_MAX
               ? plumb_base_fail_memory(err)
               : PLUMB_OK;
}

/* What is imported may not be made for several threads. */
static struct plumb_csp_threading threading_for(
    const struct plumb_csp_world *world)
{
    return world->model->imports ? (struct plumb_csp_threading){ .threads = 1 }
                                 : world->threading;
}

static bool set_up_passes(struct plumb_csp_numbering *states)
{
    struct plumb_csp_cursor *const cursor =
        plumb_csp_vectors_cursor(states->vectors);
    states->learner = (struct plumb_csp_successor_pass){
        .quick = plumb_csp_quick_new(states->system, cursor, states->budget),
        .cursor = cursor,
        .reducer = states->reducer,
        .components = states->system->components,
        .learns = true
    };
    states->threading = threading_for(states->system->world);
    return states->learner.quick;
}

static enum plumb_status set_up(struct plumb_csp_numbering *states,
                                enum plumb_csp_reduction reduction,
                                struct plumb_error *err)
{
    const uint32_t slots = states->system->slots;
    states->vectors = plumb_csp_vectors_new(slots, states->budget);
    states->vector =
        plumb_base_alloc(states->budget, slots * sizeof *states->vector);
    if (!states->vectors || !states->vector)
        return plumb_base_fail_memory(err);
    if (reduction != PLUMB_REDUCE_NOTHING)
        PLUMB_TRY(plumb_csp_reducer_open(&states->reducer, states->system,
                                         reduction, err));
    if (reduction != PLUMB_REDUCE_DYNAMIC && !set_up_passes(states))
        return plumb_base_fail_memory(err);
    forget_ahead(states);
    const struct plumb_csp_native *const native = states->system->world->native;
    states->arranging = EARLY;
    states->threshold = native ? native->threshold : UINT32_MAX;
    return put_initial(states, err);
}

enum plumb_status plumb_csp_numbering_open(struct plumb_csp_numbering **out,
                                           struct plumb_csp_system *s,
                                           enum plumb_csp_reduction reduction,
                                           struct plumb_error *err)
{
    struct plumb_budget *const budget = s->world->budget;
    struct plumb_csp_numbering *const states =
        plumb_base_alloc_zeroed(budget, sizeof *states);
    if (!states)
        return plumb_base_fail_memory(err);
    states->system = s;
    states->budget = budget;
    const enum plumb_status status = set_up(states, reduction, err);
    if (status)
        plumb_csp_numbering_free(states);
    else
        *out = states;
    return status;
}

void plumb_csp_numbering_free(struct plumb_csp_numbering *states)
{
    if (!states)
        return;
    plumb_csp_workers_free(states->workers);
    plumb_csp_successor_pass_close_fork(&states->looker);
    plumb_csp_quick_free(states->learner.quick);
    for (unsigned i = 0; i < ROOM_AHEAD; i++)
        plumb_csp_successors_release(&states->ahead[i].own, states->budget);
    plumb_csp_reducer_free(states->reducer);
    plumb_csp_vectors_free(states->vectors);
    plumb_csp_steps_release(&states->steps, states->budget);
    PLUMB_RELEASE(states->budget, states->vector, states->system->slots);
    plumb_base_release(states->budget, states, sizeof *states);
}

static uint32_t number_of(struct plumb_csp_numbering *states,
                          const struct plumb_csp_steps *steps, uint32_t k)
{
    return plumb_csp_vectors_put(
        states->vectors,
        plumb_csp_steps_target(steps, k, states->system->slots));
}

/* Fewer steps do if one of them leads to a state with a larger number: then
 * nothing is put off for ever (partial_order_reduction.h).  The numbers of states do not
 * change, so a state is reduced in the same way whenever it is looked at. */
static enum plumb_status leads_on(struct plumb_csp_numbering *states,
                                  uint32_t state,
                                  const struct plumb_csp_steps *steps,
                                  bool *yes, struct plumb_error *err)
{
    *yes = false;
    for (uint32_t k = 0; k < steps->count; k++) {
        const uint32_t target = number_of(states, steps, k);
        if (target == UINT32_MAX)
            return plumb_base_fail_memory(err);
        *yes |= target > state;
    }
    return PLUMB_OK;
}

/* A component that may go alone: its steps, else `*alone` is false. */
static enum plumb_status reduce(struct plumb_csp_numbering *states,
                                uint32_t state, struct plumb_csp_steps *steps,
                                bool *alone, struct plumb_error *err)
{
    const uint32_t components = states->system->components;
    *alone = false;
    for (uint32_t c = 0; c < components && !*alone; c++) {
        PLUMB_TRY(plumb_csp_reducer_try(states->reducer, states->vector, c,
                                        steps, alone, err));
        if (*alone)
            PLUMB_TRY(leads_on(states, state, steps, alone, err));
    }
    return PLUMB_OK;
}

/* The vector of `state` is left in states->vector. */
enum plumb_status plumb_csp_numbering_steps(struct plumb_csp_numbering *states,
                                            uint32_t state,
                                            struct plumb_csp_steps *steps,
                                            struct plumb_error *err)
{
    struct plumb_base_gate *const gate = &states->system->world->gate;
    bool alone = false;
    enum plumb_status status = PLUMB_OK;
    plumb_base_gate_close(gate);
    plumb_csp_vectors_get(states->vectors, state, states->vector);
    if (states->reducer)
        status = reduce(states, state, steps, &alone, err);
    if (status == PLUMB_OK && !alone)
        status =
            plumb_csp_system_steps(states->system, states->vector, steps, err);
    plumb_base_gate_open(gate);
    return status;
}

/* ---- slowly ---- */

static enum plumb_status make_slowly(struct plumb_csp_numbering *states,
                                     uint32_t state,
                                     struct plumb_csp_edges *out,
                                     struct plumb_error *err)
{
    PLUMB_TRY(plumb_csp_numbering_steps(states, state, &states->steps, err));
    for (uint32_t k = 0; k < states->steps.count; k++) {
        const uint32_t target = number_of(states, &states->steps, k);
        if (target == UINT32_MAX ||
            !plumb_csp_edges_add(out, states->steps.step[k].event, target))
            return plumb_base_fail_memory(err);
    }
    return PLUMB_OK;
}

/* ---- quickly ---- */

static void prepare_by(struct plumb_csp_numbering *states,
                       struct plumb_csp_successor_pass *p, struct ahead *a,
                       uint32_t from)
{
    a->own.count = 0;
    plumb_csp_successor_pass_run(
        p, plumb_csp_vectors_root(states->vectors, a->state), from,
        &a->prepared, &a->own);
}

static bool has_looker(struct plumb_csp_numbering *states)
{
    struct plumb_csp_successor_pass *const p = &states->looker;
    if (p->quick ||
        plumb_csp_successor_pass_fork(p, &states->learner, states->vectors))
        return true;
    plumb_csp_successor_pass_close_fork(p);
    return false;
}

/* Others look too: do as they do, and let them wait if that is not enough. */
static void look(struct plumb_csp_numbering *states, struct ahead *a,
                 uint32_t from)
{
    struct plumb_base_gate *const gate = &states->system->world->gate;
    if (has_looker(states)) {
        prepare_by(states, &states->looker, a, from);
        if (!a->prepared.slow && !a->prepared.refused)
            return;
    }
    plumb_base_gate_close(gate);
    prepare_by(states, &states->learner, a, from);
    plumb_base_gate_open(gate);
}

/* Components before `from` do not go alone. */
static void prepare(struct plumb_csp_numbering *states, struct ahead *a,
                    uint32_t state, uint32_t from)
{
    a->state = state;
    a->guessed = false;
    if (from == 0 && states->workers &&
        plumb_csp_workers_take(states->workers, state, &a->prepared, &a->at))
        return;
    if (plumb_base_gate_has_readers(&states->system->world->gate))
        look(states, a, from);
    else
        prepare_by(states, &states->learner, a, from);
    a->at = a->own.at;
}

/* Of the k-th successor, if somebody has looked it up. */
static uint32_t known_number(const struct plumb_csp_numbering *states,
                             const struct ahead *a, uint32_t k)
{
    if (!a->prepared.numbers && !a->guessed)
        return UINT32_MAX;
    const uint32_t number = a->at[k].number;
    return number == UINT32_MAX || a->prepared.numbers ||
                   plumb_csp_vectors_is(states->vectors, number, a->at[k].root)
               ? number
               : UINT32_MAX;
}

static void fetch(const struct plumb_csp_numbering *states,
                  const struct ahead *a)
{
    if (a->prepared.numbers)
        return;
    for (uint32_t k = 0; k < a->prepared.count; k++)
        plumb_csp_vectors_fetch(states->vectors, a->at[k].root);
}

static void guess(const struct plumb_csp_numbering *states, struct ahead *a)
{
    if (a->at != a->own.at) /* it is not ours */
        return;
    for (uint32_t k = 0; k < a->prepared.count; k++)
        a->own.at[k].number =
            plumb_csp_vectors_guess(states->vectors, a->at[k].root);
    a->guessed = true;
}

static struct ahead *ahead_at(struct plumb_csp_numbering *states,
                              uint32_t state)
{
    return &states->ahead[state % ROOM_AHEAD];
}

/* Prepare the states that will be asked about soon, then look at all that
 * numbering them will look at: the processor waits for much of it at once.  No
 * more of them than came in order by now: a depth-first search jumps. */
static void look_ahead(struct plumb_csp_numbering *states, uint32_t state)
{
    const uint32_t known = plumb_csp_vectors_count(states->vectors);
    const uint32_t likely =
        states->run < ROOM_AHEAD ? states->run + 1 : ROOM_AHEAD;
    const uint32_t end = known - state < likely ? known : state + likely;
    for (uint32_t s = state; s < end; s++)
        plumb_csp_vectors_expect(states->vectors,
                                 plumb_csp_vectors_root(states->vectors, s));
    for (uint32_t s = state; s < end; s++)
        prepare(states, ahead_at(states, s), s, 0);
    for (uint32_t s = state; s < end; s++)
        fetch(states, ahead_at(states, s));
    for (uint32_t s = state; s < end; s++)
        guess(states, ahead_at(states, s));
}

static bool add_edges(struct plumb_csp_numbering *states, const struct ahead *a,
                      struct plumb_csp_edges *out, bool *leads_on)
{
    *leads_on = false;
    for (uint32_t k = 0; k < a->prepared.count; k++) {
        uint32_t target = known_number(states, a, k);
        if (target == UINT32_MAX)
            target = plumb_csp_vectors_number(states->vectors, a->at[k].root);
        if (target == UINT32_MAX ||
            !plumb_csp_edges_add(out, a->at[k].event, target))
            return false;
        *leads_on |= target > a->state;
    }
    return true;
}

/* What is prepared, numbered. */
static enum plumb_status finish(struct plumb_csp_numbering *states,
                                struct ahead *a, struct plumb_csp_edges *out,
                                struct plumb_error *err)
{
    const struct plumb_csp_successors_found *const p = &a->prepared;
    const size_t begin = out->count;
    bool leads_on;
    while (!p->slow && !p->refused) {
        out->count = begin;
        if (!add_edges(states, a, out, &leads_on))
            return plumb_base_fail_memory(err);
        if (!p->alone || leads_on)
            return PLUMB_OK;
        prepare(states, a, a->state, p->component + 1);
    }
    out->count = begin;
    return p->refused ? plumb_base_fail_memory(err)
                      : make_slowly(states, a->state, out, err);
}

/* ---- with others ---- */

static void begin_workers(struct plumb_csp_numbering *states)
{
    const unsigned threads = states->threading.threads;
    states->threading.threads = 1; /* once is enough */
    if (!has_looker(states))
        return;
    const struct plumb_csp_workers_plan plan = {
        .own = &states->looker,
        .vectors = states->vectors,
        .gate = &states->system->world->gate,
        .budget = states->budget,
        .threads = threads,
        .block = states->threading.block
    };
    states->workers = plumb_csp_workers_new(&plan);
}

static void end_workers(struct plumb_csp_numbering *states)
{
    forget_ahead(states);
    plumb_csp_workers_free(states->workers);
    states->workers = NULL;
}

static void work_together(struct plumb_csp_numbering *states, uint32_t state)
{
    if (states->threading.threads > 1 && state >= states->threading.after)
        begin_workers(states);
    if (states->workers && plumb_csp_workers_is_idle(states->workers))
        end_workers(states);
    if (states->workers)
        plumb_csp_workers_expect(states->workers, state);
}

/* ---- arranged ---- */

/* When it is seen what changes, and when it is seen well; but if not all steps
 * are taken, to look at them late would number events that nobody else does. */
static bool is_time_to_arrange(struct plumb_csp_numbering *states)
{
    if (plumb_csp_vectors_count(states->vectors) < states->arranging)
        return false;
    states->arranging =
        states->arranging == EARLY && !states->reducer ? LATE : UINT32_MAX;
    return !states->workers;
}

/* What was found out about the old roots is worth nothing. */
static void arrange(struct plumb_csp_numbering *states)
{
    struct plumb_base_gate *const gate = &states->system->world->gate;
    forget_ahead(states);
    plumb_csp_successor_pass_close_fork(&states->looker);
    plumb_base_gate_close(gate);
    plumb_csp_arrange_slots(states->system, states->vectors, states->made - 1);
    plumb_base_gate_open(gate);
}

/* ---- compiled ---- */

static bool compile(struct plumb_csp_numbering *states)
{
    struct plumb_csp_world *const world = states->system->world;
    struct plumb_csp_quick *const quick = states->learner.quick;
    struct plumb_base_text text;
    plumb_base_text_init(&text, states->budget);
    plumb_base_gate_close(&world->gate);
    const bool good = plumb_csp_native_emit(quick, world->terms, &text);
    plumb_base_gate_open(&world->gate);
    const struct plumb_csp_native_entry *const table =
        good ? world->native->compile(world->native->context,
                                      plumb_base_text_string(&text))
             : NULL;
    plumb_base_gate_close(&world->gate);
    if (table)
        plumb_csp_quick_bind(quick, table);
    plumb_base_gate_open(&world->gate);
    plumb_base_text_release(&text);
    return good;
}

/* The terms that were met by now; much later once more, for those that were
 * met meanwhile. */
static bool is_time_to_compile(struct plumb_csp_numbering *states)
{
    enum { LATER = 16 };
    if (plumb_csp_vectors_count(states->vectors) < states->threshold)
        return false;
    states->threshold = states->threshold < UINT32_MAX / LATER
                            ? states->threshold * LATER
                            : UINT32_MAX;
    return true;
}

/* The first state is looked at slowly: it may stand for another. */
static enum plumb_status make_edges(void *context, uint32_t state,
                                    struct plumb_csp_edges *out,
                                    struct plumb_error *err)
{
    struct plumb_csp_numbering *const states = context;
    const bool in_order = state == states->next;
    struct ahead *const a = ahead_at(states, state);
    states->next = state + 1;
    states->run = in_order ? states->run + 1 : 0;
    states->made += state == states->made;
    if (!states->learner.quick || state == 0)
        return make_slowly(states, state, out, err);
    if (is_time_to_compile(states) && !compile(states))
        return plumb_base_fail_memory(err);
    if (a->state != state && is_time_to_arrange(states))
        arrange(states);
    if (!in_order) /* with or without workers, so that terms are made in the
                      same order */
        forget_ahead(states);
    else if (states->workers || states->threading.threads > 1)
        work_together(states, state);
    if (a->state != state)
        look_ahead(states, state);
    return finish(states, a, out, err);
}

static uint32_t count_states(const void *context)
{
    const struct plumb_csp_numbering *const states = context;
    return plumb_csp_vectors_count(states->vectors);
}

struct plumb_csp_graph_source plumb_csp_numbering_source(
    struct plumb_csp_numbering *states)
{
    return (struct plumb_csp_graph_source){ states, make_edges, count_states,
                                            states->system->slots };
}

void plumb_csp_numbering_vector(const struct plumb_csp_numbering *states,
                                uint32_t state, uint32_t *vector)
{
    assert(state < plumb_csp_vectors_count(states->vectors));
    plumb_csp_vectors_get(states->vectors, state, vector);
}
