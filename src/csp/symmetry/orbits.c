/* orbits.c - numbering states, and what is still to be renamed.
 *
 * A state of the graph is a pair: the number of a vector, and the
 * permutation that is still to be told, mostly none.  The steps of a vector
 * are those of the system, or of a component that goes alone (partial_order_reduction.h);
 * whether that leads on is asked of the numbers of the vectors. */
#include "orbits.h"

#include "base/fail.h"
#include "base/memory.h"
#include "csp/states/partial_order_reduction.h"
#include "csp/states/steps.h"
#include "csp/states/system_shape.h"
#include "csp/states/vectors.h"
#include "permutation.h"
#include "shifts.h"
#include <assert.h>
#include <string.h>

struct plumb_csp_orbits {
    struct plumb_csp_system *system;
    struct plumb_csp_symmetry *symmetry;
    struct plumb_budget *budget;
    struct plumb_csp_orbits_request request;
    struct plumb_csp_shifts shifts;
    struct plumb_csp_vectors *vectors;
    struct plumb_csp_reducer *reducer; /* or NULL */
    struct plumb_base_pairs states;    /* vector, permutation */
    struct plumb_csp_steps steps;
    uint32_t slots, *vector, *image;
};

/* ---- opening ---- */

static enum plumb_status put_initial(struct plumb_csp_orbits *o,
                                     struct plumb_error *err)
{
    plumb_csp_system_initial(o->system, o->vector);
    plumb_csp_symmetry_sort(o->symmetry, o->vector);
    if (plumb_csp_vectors_put(o->vectors, o->vector) == UINT32_MAX ||
        plumb_base_pairs_number(&o->states, (struct plumb_base_pair){
                                                0, PLUMB_SAME }) == UINT32_MAX)
        return plumb_base_fail_memory(err);
    return PLUMB_OK;
}

static enum plumb_status set_up(struct plumb_csp_orbits *o,
                                const struct plumb_csp_renames *renaming,
                                struct plumb_error *err)
{
    const uint32_t ids =
        o->request.kind == PLUMB_ORBITS_MERGED ? 0 : renaming->ids.count;
    o->vectors = plumb_csp_vectors_new(o->slots, o->budget);
    o->vector = plumb_base_alloc(o->budget, o->slots * sizeof *o->vector);
    o->image = plumb_base_alloc(o->budget, o->slots * sizeof *o->image);
    if (!o->vectors || !o->vector || !o->image ||
        !plumb_csp_shifts_init(&o->shifts, ids, renaming->world))
        return plumb_base_fail_memory(err);
    if (o->request.reduction != PLUMB_REDUCE_NOTHING)
        PLUMB_TRY(plumb_csp_reducer_open(&o->reducer, o->system,
                                         o->request.reduction, err));
    return put_initial(o, err);
}

enum plumb_status plumb_csp_orbits_open(
    struct plumb_csp_orbits **out, struct plumb_csp_system *s,
    struct plumb_csp_symmetry *symmetry, struct plumb_csp_renames *renaming,
    const struct plumb_csp_orbits_request *request, struct plumb_error *err)
{
    struct plumb_budget *const budget = s->world->budget;
    struct plumb_csp_orbits *const o =
        plumb_base_alloc_zeroed(budget, sizeof *o);
    if (!o)
        return plumb_base_fail_memory(err);
    o->system = s;
    o->symmetry = symmetry;
    o->budget = budget;
    o->request = *request;
    o->slots = s->slots;
    plumb_base_pairs_init(&o->states, budget);
    const enum plumb_status status = set_up(o, renaming, err);
    if (status != PLUMB_OK)
        plumb_csp_orbits_free(o);
    else
        *out = o;
    return status;
}

void plumb_csp_orbits_free(struct plumb_csp_orbits *o)
{
    if (!o)
        return;
    plumb_csp_reducer_free(o->reducer);
    plumb_csp_vectors_free(o->vectors);
    plumb_base_pairs_release(&o->states);
    plumb_csp_steps_release(&o->steps, o->budget);
    PLUMB_RELEASE(o->budget, o->vector, o->slots);
    PLUMB_RELEASE(o->budget, o->image, o->slots);
    plumb_base_release(o->budget, o, sizeof *o);
}

uint32_t plumb_csp_orbits_count(const struct plumb_csp_orbits *o)
{
    return plumb_csp_vectors_count(o->vectors);
}

uint32_t plumb_csp_orbits_slots(const struct plumb_csp_orbits *o)
{
    return o->slots;
}

/* ---- steps ---- */

/* The vector that stands for the one a step leads to. */
static enum plumb_status number_target(struct plumb_csp_orbits *o,
                                       uint32_t step, uint32_t *number,
                                       uint32_t *permutation,
                                       struct plumb_error *err)
{
    memcpy(o->image, plumb_csp_steps_target(&o->steps, step, o->slots),
           o->slots * sizeof *o->image);
    *permutation = PLUMB_SAME;
    if (o->request.kind == PLUMB_ORBITS_ALL)
        plumb_csp_symmetry_sort(o->symmetry, o->image);
    else
        PLUMB_TRY(
            plumb_csp_symmetry_choose(o->symmetry, o->image, permutation, err));
    *number = plumb_csp_vectors_put(o->vectors, o->image);
    return *number == UINT32_MAX ? plumb_base_fail_memory(err) : PLUMB_OK;
}

/* See partial_order_reduction.h. */
static enum plumb_status leads_on(struct plumb_csp_orbits *o, uint32_t vector,
                                  bool *yes, struct plumb_error *err)
{
    *yes = false;
    for (uint32_t k = 0; k < o->steps.count; k++) {
        uint32_t target, permutation;
        PLUMB_TRY(number_target(o, k, &target, &permutation, err));
        *yes |= target > vector;
    }
    return PLUMB_OK;
}

static enum plumb_status find_steps(struct plumb_csp_orbits *o, uint32_t vector,
                                    struct plumb_error *err)
{
    const uint32_t components = o->system->components;
    bool alone = false;
    plumb_csp_vectors_get(o->vectors, vector, o->vector);
    for (uint32_t c = 0; o->reducer && c < components && !alone; c++) {
        PLUMB_TRY(plumb_csp_reducer_try(o->reducer, o->vector, c, &o->steps,
                                        &alone, err));
        if (alone)
            PLUMB_TRY(leads_on(o, vector, &alone, err));
    }
    return alone ? PLUMB_OK
                 : plumb_csp_system_steps(o->system, o->vector, &o->steps, err);
}

/* ---- edges ---- */

static enum plumb_status add_edge(struct plumb_csp_orbits *o, uint32_t event,
                                  uint32_t vector, uint32_t permutation,
                                  struct plumb_csp_edges *out,
                                  struct plumb_error *err)
{
    const uint32_t target = plumb_base_pairs_number(
        &o->states, (struct plumb_base_pair){ vector, permutation });
    return target != UINT32_MAX && plumb_csp_edges_add(out, event, target)
               ? PLUMB_OK
               : plumb_base_fail_memory(err);
}

/* Nothing is left but to tell of the renaming. */
static enum plumb_status tell(struct plumb_csp_orbits *o, uint32_t vector,
                              uint32_t permutation, struct plumb_csp_edges *out,
                              struct plumb_error *err)
{
    uint32_t rest;
    const uint32_t shift =
        plumb_csp_shifts_first(&o->shifts, permutation, &rest);
    return add_edge(o, o->shifts.event[shift], vector, rest, out, err);
}

static enum plumb_status add_step(struct plumb_csp_orbits *o, uint32_t step,
                                  struct plumb_csp_edges *out,
                                  struct plumb_error *err)
{
    uint32_t event = o->steps.step[step].event, vector, permutation;
    PLUMB_TRY(number_target(o, step, &vector, &permutation, err));
    if (event == PLUMB_TICK && o->request.quiet)
        event = PLUMB_TAU;
    if (o->request.kind == PLUMB_ORBITS_MERGED)
        permutation = PLUMB_SAME;
    return event == PLUMB_TAU && permutation != PLUMB_SAME
               ? tell(o, vector, permutation, out, err)
               : add_edge(o, event, vector, permutation, out, err);
}

/* Every renaming of a state of the specification. */
static enum plumb_status add_renamings(struct plumb_csp_orbits *o,
                                       uint32_t vector,
                                       struct plumb_csp_edges *out,
                                       struct plumb_error *err)
{
    plumb_csp_vectors_get(o->vectors, vector, o->vector);
    for (uint32_t i = 0; i < o->shifts.count; i++) {
        PLUMB_TRY(plumb_csp_symmetry_rename(
            o->symmetry, o->vector, o->shifts.permutation[i], o->image, err));
        plumb_csp_symmetry_sort(o->symmetry, o->image);
        const uint32_t image = plumb_csp_vectors_put(o->vectors, o->image);
        if (image == UINT32_MAX)
            return plumb_base_fail_memory(err);
        PLUMB_TRY(add_edge(o, o->shifts.event[i], image, PLUMB_SAME, out, err));
    }
    return PLUMB_OK;
}

static enum plumb_status make_edges(void *context, uint32_t state,
                                    struct plumb_csp_edges *out,
                                    struct plumb_error *err)
{
    struct plumb_csp_orbits *const o = context;
    const struct plumb_base_pair at = plumb_base_pairs_at(&o->states, state);
    if (at.right != PLUMB_SAME)
        return tell(o, at.left, at.right, out, err);
    enum plumb_status status = find_steps(o, at.left, err);
    for (uint32_t k = 0; status == PLUMB_OK && k < o->steps.count; k++)
        status = add_step(o, k, out, err);
    return status == PLUMB_OK && o->request.kind == PLUMB_ORBITS_ALL
               ? add_renamings(o, at.left, out, err)
               : status;
}

static uint32_t count_states(const void *context)
{
    const struct plumb_csp_orbits *const o = context;
    return o->states.count;
}

struct plumb_csp_graph_source plumb_csp_orbits_source(
    struct plumb_csp_orbits *o)
{
    return (struct plumb_csp_graph_source){ o, make_edges, count_states,
                                            o->slots };
}

/* ---- retelling ---- */

enum plumb_status plumb_csp_orbits_step(struct plumb_csp_orbits *o,
                                        uint32_t state, uint32_t index,
                                        struct plumb_csp_orbit_step *step,
                                        struct plumb_error *err)
{
    assert(state < o->states.count);
    const struct plumb_base_pair at = plumb_base_pairs_at(&o->states, state);
    uint32_t number;
    if (at.right != PLUMB_SAME)
        return PLUMB_END;
    PLUMB_TRY(find_steps(o, at.left, err));
    assert(index < o->steps.count);
    const enum plumb_status status =
        number_target(o, index, &number, &step->permutation, err);
    step->event = o->steps.step[index].event;
    step->target = plumb_csp_steps_target(&o->steps, index, o->slots);
    return status;
}

/* ---- a built-in specification ---- */

struct plumb_csp_renamed_object {
    struct plumb_csp_object_source *object;
    struct plumb_csp_graph_source inner;
    struct plumb_budget *budget;
    const struct plumb_csp_process_ids *ids;
    struct plumb_csp_shifts shifts;
};

enum plumb_status plumb_csp_renamed_object_open(
    struct plumb_csp_renamed_object **out,
    struct plumb_csp_object_source *object, struct plumb_csp_renames *renaming,
    struct plumb_error *err)
{
    struct plumb_budget *const budget = renaming->world->budget;
    struct plumb_csp_renamed_object *const r =
        plumb_base_alloc_zeroed(budget, sizeof *r);
    if (!r)
        return plumb_base_fail_memory(err);
    r->object = object;
    r->inner = plumb_csp_object_source(object);
    r->budget = budget;
    r->ids = &renaming->ids;
    if (!plumb_csp_shifts_init(&r->shifts, r->ids->count, renaming->world)) {
        plumb_base_release(budget, r, sizeof *r);
        return plumb_base_fail_memory(err);
    }
    *out = r;
    return PLUMB_OK;
}

void plumb_csp_renamed_object_free(struct plumb_csp_renamed_object *r)
{
    if (r)
        plumb_base_release(r->budget, r, sizeof *r);
}

static uint32_t renamed_image(const struct plumb_csp_renamed_object *r,
                              uint32_t state, uint32_t permutation)
{
    return plumb_csp_object_source_renamed(
        r->object, state, (uint32_t)r->ids->low, r->ids->count, permutation);
}

static enum plumb_status renamed_edges(void *context, uint32_t state,
                                       struct plumb_csp_edges *out,
                                       struct plumb_error *err)
{
    struct plumb_csp_renamed_object *const r = context;
    const enum plumb_status status =
        r->inner.edges(r->inner.context, state, out, err);
    for (uint32_t i = 0; status == PLUMB_OK && i < r->shifts.count; i++) {
        const uint32_t image =
            renamed_image(r, state, r->shifts.permutation[i]);
        if (image == UINT32_MAX ||
            !plumb_csp_edges_add(out, r->shifts.event[i], image))
            return plumb_base_fail_memory(err);
    }
    return status;
}

static uint32_t renamed_states(const void *context)
{
    const struct plumb_csp_renamed_object *const r = context;
    return r->inner.states(r->inner.context);
}

struct plumb_csp_graph_source plumb_csp_renamed_object_source(
    struct plumb_csp_renamed_object *r)
{
    return (struct plumb_csp_graph_source){ r, renamed_edges, renamed_states,
                                            0 };
}
