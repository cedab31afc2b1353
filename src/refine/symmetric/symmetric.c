/* symmetric.c - finding out whether it applies, and putting it together. */
#include "symmetric.h"

#include "base/fail.h"

/* ---- process ids ---- */

static enum plumb_status list_calls(
    struct plumb_refine_symmetric *y,
    const struct plumb_csp_object_source *object,
    struct plumb_csp_process_ids_request *r, struct plumb_error *err)
{
    uint32_t count = 0, name;
    while (plumb_csp_object_source_calls(object, count, &name))
        count++;
    uint32_t *const called =
        plumb_base_arena_alloc(&y->arena, (count + 1) * sizeof *called);
    if (!called)
        return plumb_base_fail_memory(err);
    for (uint32_t i = 0; i < count; i++)
        (void)plumb_csp_object_source_calls(object, i, &called[i]);
    r->called = called;
    r->calls = count;
    return PLUMB_OK;
}

static enum plumb_status find_ids(
    struct plumb_refine_symmetric *y,
    const struct plumb_refine_symmetric_request *request,
    struct plumb_csp_process_ids *found, struct plumb_error *err)
{
    struct plumb_csp_process_ids_request r = {
        .model = y->world->model,
        .assertion = request->assertion,
        .clients = request->assertion->clients
    };
    enum plumb_status status = PLUMB_OK;
    *found = (struct plumb_csp_process_ids){ .count = 0 };
    if (!request->renames) {
        y->why = (struct plumb_csp_process_ids_refusal){
            request->assertion->place,
            "symmetry supports refinement of traces, not of failures"
        };
        return PLUMB_OK;
    }
    if (request->object)
        status = list_calls(y, request->object, &r, err);
    if (status == PLUMB_OK)
        status = plumb_csp_process_ids_find(&r, &y->arena, found, &y->why, err);
    return status;
}

/* ---- do both sides begin so? ---- */

static enum plumb_status begins(
    struct plumb_refine_symmetric *y, struct plumb_refine_symmetric_side *side,
    const struct plumb_refine_symmetric_request *request, bool *well,
    struct plumb_error *err)
{
    uint32_t slot;
    if (!side->symmetry || !*well)
        return PLUMB_OK;
    PLUMB_TRY(plumb_csp_symmetry_begins(side->symmetry, well, &slot, err));
    if (*well)
        return PLUMB_OK;
    const struct plumb_csp_variable *const v =
        slot < y->world->model->slots
            ? plumb_csp_model_variable_at(y->world->model, slot)
            : NULL;
    y->why = (struct plumb_csp_process_ids_refusal){
        v ? v->place : request->assertion->place,
        "the variable does not start the same for all processes"
    };
    return PLUMB_OK;
}

static enum plumb_status open_symmetries(
    struct plumb_refine_symmetric *y,
    const struct plumb_refine_symmetric_request *request,
    struct plumb_error *err)
{
    enum plumb_status status = plumb_csp_symmetry_open(
        &y->impl.symmetry, request->impl, &y->renaming, err);
    if (status == PLUMB_OK && request->spec)
        status = plumb_csp_symmetry_open(&y->spec.symmetry, request->spec,
                                         &y->renaming, err);
    return status;
}

static void close_symmetries(struct plumb_refine_symmetric *y)
{
    plumb_csp_symmetry_free(y->impl.symmetry);
    plumb_csp_symmetry_free(y->spec.symmetry);
    y->impl.symmetry = y->spec.symmetry = NULL;
}

static enum plumb_status find_symmetries(
    struct plumb_refine_symmetric *y,
    const struct plumb_refine_symmetric_request *request,
    const struct plumb_csp_process_ids *found, bool *well,
    struct plumb_error *err)
{
    plumb_csp_renames_release(&y->renaming);
    plumb_csp_renames_init(&y->renaming, y->world, found);
    *well = true;
    enum plumb_status status = open_symmetries(y, request, err);
    if (status == PLUMB_OK)
        status = begins(y, &y->impl, request, well, err);
    if (status == PLUMB_OK)
        status = begins(y, &y->spec, request, well, err);
    if (y->renaming.refused) {
        *well = false;
        y->why = (struct plumb_csp_process_ids_refusal){
            request->assertion->place, "a process cannot be renamed"
        };
        return PLUMB_OK;
    }
    return status;
}

/* ---- graphs ---- */

static enum plumb_status open_orbits(
    struct plumb_refine_symmetric *y, struct plumb_refine_symmetric_side *side,
    struct plumb_csp_system *system,
    const struct plumb_csp_orbits_request *request, struct plumb_error *err)
{
    PLUMB_TRY(plumb_csp_orbits_open(&side->orbits, system, side->symmetry,
                                    &y->renaming, request, err));
    const struct plumb_csp_graph_source source =
        plumb_csp_orbits_source(side->orbits);
    return plumb_csp_graph_open(&side->graph, &source, y->world->budget, err);
}

static enum plumb_status open_object(struct plumb_refine_symmetric *y,
                                     struct plumb_csp_object_source *object,
                                     struct plumb_error *err)
{
    PLUMB_TRY(plumb_csp_renamed_object_open(&y->spec.object, object,
                                            &y->renaming, err));
    const struct plumb_csp_graph_source source =
        plumb_csp_renamed_object_source(y->spec.object);
    return plumb_csp_graph_open(&y->spec.graph, &source, y->world->budget, err);
}

static enum plumb_status open_graphs(
    struct plumb_refine_symmetric *y,
    const struct plumb_refine_symmetric_request *request,
    struct plumb_error *err)
{
    const bool both = request->spec || request->object;
    const struct plumb_csp_orbits_request impl = {
        .kind = y->renamed && both ? PLUMB_ORBITS_RENAMED : PLUMB_ORBITS_MERGED,
        .reduction = request->reduction,
        .quiet = request->quiet
    };
    const struct plumb_csp_orbits_request spec = {
        .kind = y->renamed ? PLUMB_ORBITS_ALL : PLUMB_ORBITS_MERGED,
        .reduction = request->reduction
    };
    enum plumb_status status =
        open_orbits(y, &y->impl, request->impl, &impl, err);
    if (status == PLUMB_OK && request->spec)
        status = open_orbits(y, &y->spec, request->spec, &spec, err);
    if (status == PLUMB_OK && request->object)
        status = open_object(y, request->object, err);
    return status;
}

static uint64_t factorial(uint32_t n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* ---- opening ---- */

enum plumb_status plumb_refine_symmetric_open(
    struct plumb_refine_symmetric *y, struct plumb_csp_world *world,
    const struct plumb_refine_symmetric_request *request,
    struct plumb_error *err)
{
    static const struct plumb_csp_process_ids none = { .count = 0 };
    struct plumb_csp_process_ids found;
    bool well = true;
    *y = (struct plumb_refine_symmetric){ .world = world };
    plumb_base_arena_init(&y->arena, world->budget);
    plumb_csp_renames_init(&y->renaming, world, &none);
    enum plumb_status status = find_ids(y, request, &found, err);
    if (status == PLUMB_OK)
        status = find_symmetries(y, request, &found, &well, err);
    if (status == PLUMB_OK && !well) {
        found = none;
        close_symmetries(y);
        status = find_symmetries(y, request, &none, &well, err);
    }
    if (status != PLUMB_OK)
        return status;
    y->renamed = found.count;
    y->order =
        factorial(found.count) * plumb_csp_symmetry_identical(y->impl.symmetry);
    y->applies = y->order > 1;
    return y->applies ? open_graphs(y, request, err) : PLUMB_OK;
}

static void close_side(struct plumb_refine_symmetric_side *side)
{
    plumb_csp_graph_free(side->graph);
    plumb_csp_orbits_free(side->orbits);
    plumb_csp_renamed_object_free(side->object);
    plumb_csp_symmetry_free(side->symmetry);
}

void plumb_refine_symmetric_close(struct plumb_refine_symmetric *y)
{
    if (!y->world)
        return;
    close_side(&y->impl);
    close_side(&y->spec);
    plumb_csp_renames_release(&y->renaming);
    plumb_base_arena_release(&y->arena);
}
