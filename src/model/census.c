/* census.c - the states of a system, numbered as they are met.
 *
 * A state is its number; the vector is found by it (vectors.h), and steps are
 * worked out again when somebody wants to see them.  So what is kept is a few
 * bytes per state and an edge of two words per step. */
#include "base/fail.h"
#include "base/memory.h"
#include "model/reduction.h"
#include "model/steps.h"
#include "model/system.h"
#include "model/vectors.h"
#include <assert.h>

struct plumb_census {
    struct plumb_system *system;
    struct plumb_budget *budget;
    struct plumb_vectors *vectors;
    struct plumb_reducer *reducer; /* NULL: no reduction */
    uint32_t *vector;              /* the state that is looked at */
    struct plumb_steps steps;
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

static enum plumb_status make_edges(void *context, uint32_t state,
                                    struct plumb_edges *out,
                                    struct plumb_error *err)
{
    struct plumb_census *const states = context;
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
