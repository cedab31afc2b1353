/* symmetric_path.c - telling a path again in the model's own names.
 *
 * Along the way there is a *frame* f: the state of the model is the image by f
 * of the state here, but for the order of identical components.  A step leads
 * here to t, for which the image p(t) stands; in the model to f(t), which is
 * the image of p(t) by f after the inverse of p. */
#include "base/fail.h"
#include "base/memory.h"
#include "csp/symmetry/permutation.h"
#include "symmetric.h"
#include <string.h>

struct telling {
    struct plumb_refine_symmetric *y;
    struct plumb_csp_graph *graph;
    struct plumb_csp_numbering *census;
    bool quiet;
    uint32_t state, frame;
    uint32_t slots, *wanted, *seen;
    struct plumb_budget *budget;
    struct plumb_refine_hop *hop; /* so far */
    size_t room;
    uint32_t hops;
};

static bool leads_there(struct telling *t, uint32_t state)
{
    plumb_csp_numbering_vector(t->census, state, t->seen);
    plumb_csp_symmetry_sort(t->y->impl.symmetry, t->seen);
    return memcmp(t->seen, t->wanted, t->slots * sizeof *t->seen) == 0;
}

static enum plumb_status lost(struct plumb_error *err)
{
    return plumb_base_fail(
        err, PLUMB_EBUG, 0, 0,
        "internal error: a step up to renaming is not in the model");
}

/* The edge with this event to the state that is wanted. */
static enum plumb_status find_edge(struct telling *t, uint32_t event,
                                   struct plumb_error *err)
{
    const struct plumb_csp_edge *edge;
    uint32_t count;
    const enum plumb_status status =
        plumb_csp_graph_edges(t->graph, t->state, &edge, &count, err);
    if (status != PLUMB_OK)
        return status;
    if (!plumb_base_grow(t->budget, (void **)&t->hop, &t->room,
                         (size_t)t->hops + 1, sizeof *t->hop))
        return plumb_base_fail_memory(err);
    for (uint32_t i = 0; i < count; i++)
        if (edge[i].event == event && leads_there(t, edge[i].target)) {
            t->hop[t->hops++] = (struct plumb_refine_hop){ t->state, i };
            t->state = edge[i].target;
            return PLUMB_OK;
        }
    return lost(err);
}

static enum plumb_status tell(struct telling *t,
                              const struct plumb_refine_hop *hop,
                              struct plumb_error *err)
{
    struct plumb_csp_orbit_step step;
    enum plumb_status status = plumb_csp_orbits_step(
        t->y->impl.orbits, hop->state, hop->index, &step, err);
    if (status != PLUMB_OK)
        return status == PLUMB_END ? PLUMB_OK : status;
    uint32_t event =
        plumb_csp_event_image(&t->y->renaming, step.event, t->frame);
    if (event == UINT32_MAX)
        return plumb_base_fail_memory(err);
    if (event == PLUMB_TICK && t->quiet)
        event = PLUMB_TAU;
    status = plumb_csp_symmetry_rename(t->y->impl.symmetry, step.target,
                                       t->frame, t->wanted, err);
    if (status != PLUMB_OK)
        return status;
    plumb_csp_symmetry_sort(t->y->impl.symmetry, t->wanted);
    t->frame = plumb_csp_compose(t->frame, plumb_csp_inverse(step.permutation));
    return find_edge(t, event, err);
}

static enum plumb_status tell_part(struct telling *t,
                                   const struct plumb_refine_hop *hop,
                                   uint32_t count, struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    for (uint32_t i = 0; status == PLUMB_OK && i < count; i++)
        status = tell(t, hop + i, err);
    return status;
}

/* Where the state that the path is at now was met before, if at the beginning
 * of a round: rounds are equally long. */
static bool was_at(const struct telling *t, uint32_t first, uint32_t round,
                   uint32_t *at)
{
    for (*at = first; round && *at < t->hops; *at += round)
        if (t->hop[*at].state == t->state)
            return true;
    return false;
}

static enum plumb_status tell_rounds(struct telling *t,
                                     const struct plumb_refine_retelling *path,
                                     uint32_t *cycle, struct plumb_error *err)
{
    const uint32_t first = t->hops;
    uint32_t round = 0;
    enum plumb_status status = PLUMB_OK;
    while (status == PLUMB_OK && !was_at(t, first, round, cycle)) {
        const uint32_t before = t->hops;
        status = tell_part(t, path->path + path->cycle,
                           path->length - path->cycle, err);
        round = t->hops - before;
    }
    return status;
}

static enum plumb_status tell_all(struct telling *t,
                                  struct plumb_refine_retelling *path,
                                  struct plumb_base_arena *arena,
                                  struct plumb_error *err)
{
    uint32_t cycle = 0;
    enum plumb_status status = tell_part(t, path->path, path->cycle, err);
    const bool round = path->cycle < path->length;
    if (status == PLUMB_OK && round)
        status = tell_rounds(t, path, &cycle, err);
    if (status != PLUMB_OK)
        return status;
    struct plumb_refine_hop *const copy =
        plumb_base_arena_alloc(arena, ((size_t)t->hops + 1) * sizeof *copy);
    if (!copy)
        return plumb_base_fail_memory(err);
    if (t->hops)
        memcpy(copy, t->hop, t->hops * sizeof *copy);
    *path =
        (struct plumb_refine_retelling){ copy, t->hops, round ? cycle : t->hops,
                                         t->state };
    return PLUMB_OK;
}

enum plumb_status plumb_refine_symmetric_retell(
    struct plumb_refine_symmetric *y, struct plumb_csp_graph *graph,
    struct plumb_csp_numbering *census, bool quiet,
    struct plumb_base_arena *arena, struct plumb_refine_retelling *path,
    struct plumb_error *err)
{
    struct plumb_budget *const budget = y->world->budget;
    struct telling t = { .y = y,
                         .graph = graph,
                         .census = census,
                         .quiet = quiet,
                         .frame = PLUMB_SAME,
                         .slots = plumb_csp_orbits_slots(y->impl.orbits),
                         .budget = budget };
    const size_t size = t.slots * sizeof *t.wanted;
    enum plumb_status status;
    t.wanted = plumb_base_alloc(budget, size);
    t.seen = plumb_base_alloc(budget, size);
    status = t.wanted && t.seen ? tell_all(&t, path, arena, err)
                                : plumb_base_fail_memory(err);
    plumb_base_release(budget, t.wanted, size);
    plumb_base_release(budget, t.seen, size);
    plumb_base_release(budget, t.hop, t.room * sizeof *t.hop);
    return status;
}
