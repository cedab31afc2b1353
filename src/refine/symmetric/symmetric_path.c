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
#include <assert.h>
#include <string.h>

struct telling {
    struct plumb_refine_symmetric *y;
    struct plumb_csp_graph *graph;
    struct plumb_csp_numbering *numbering;
    bool quiet;
    uint32_t state, frame;
    uint32_t slots, *wanted, *seen;
    struct plumb_budget *budget;
    struct plumb_refine_hop *hop; /* so far */
    size_t room;
    uint32_t hops;
    struct plumb_error *err;
};

static bool leads_there(struct telling *t, uint32_t state)
{
    plumb_csp_numbering_vector(t->numbering, state, t->seen);
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
static enum plumb_status find_edge(struct telling *t, uint32_t event)
{
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(t->graph, t->state, t->err);
    PLUMB_TRY(out.status);
    if (!PLUMB_GROW(t->budget, t->hop, t->room, (size_t)t->hops + 1))
        return plumb_base_fail_memory(t->err);
    for (uint32_t i = 0; i < out.count; i++)
        if (out.edge[i].event == event && leads_there(t, out.edge[i].target)) {
            t->hop[t->hops++] = (struct plumb_refine_hop){ t->state, i };
            t->state = out.edge[i].target;
            return PLUMB_OK;
        }
    return lost(t->err);
}

static enum plumb_status tell(struct telling *t,
                              const struct plumb_refine_hop *hop)
{
    struct plumb_csp_orbit_step step;
    const enum plumb_status status = plumb_csp_orbits_step(
        t->y->impl.orbits, hop->state, hop->index, &step, t->err);
    if (status != PLUMB_OK)
        return status == PLUMB_END ? PLUMB_OK : status;
    uint32_t event =
        plumb_csp_event_image(&t->y->renaming, step.event, t->frame);
    if (event == UINT32_MAX)
        return plumb_base_fail_memory(t->err);
    if (event == PLUMB_TICK && t->quiet)
        event = PLUMB_TAU;
    PLUMB_TRY(plumb_csp_symmetry_rename(t->y->impl.symmetry, step.target,
                                        t->frame, t->wanted, t->err));
    plumb_csp_symmetry_sort(t->y->impl.symmetry, t->wanted);
    t->frame = plumb_csp_compose(t->frame, plumb_csp_inverse(step.permutation));
    return find_edge(t, event);
}

static enum plumb_status tell_part(struct telling *t,
                                   const struct plumb_refine_hop *hop,
                                   uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        PLUMB_TRY(tell(t, hop + i));
    return PLUMB_OK;
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
                                     uint32_t *cycle)
{
    const uint32_t first = t->hops;
    uint32_t round = 0;
    while (!was_at(t, first, round, cycle)) {
        const uint32_t before = t->hops;
        PLUMB_TRY(
            tell_part(t, path->path + path->cycle, path->length - path->cycle));
        round = t->hops - before;
    }
    return PLUMB_OK;
}

static enum plumb_status tell_all(struct telling *t,
                                  struct plumb_refine_retelling *path,
                                  struct plumb_base_arena *arena)
{
    uint32_t cycle = 0;
    const bool round = path->cycle < path->length;
    PLUMB_TRY(tell_part(t, path->path, path->cycle));
    if (round)
        PLUMB_TRY(tell_rounds(t, path, &cycle));
    struct plumb_refine_hop *const copy =
        plumb_base_arena_copy(arena, t->hop, t->hops * sizeof *copy);
    if (!copy)
        return plumb_base_fail_memory(t->err);
    *path =
        (struct plumb_refine_retelling){ copy, t->hops, round ? cycle : t->hops,
                                         t->state };
    return PLUMB_OK;
}

enum plumb_status plumb_refine_symmetric_retell(
    struct plumb_refine_symmetric *y, struct plumb_csp_graph *graph,
    struct plumb_csp_numbering *numbering, bool quiet,
    struct plumb_base_arena *arena, struct plumb_refine_retelling *path,
    struct plumb_error *err)
{
    assert(y->applies && path->cycle <= path->length);
    struct plumb_budget *const budget = y->world->budget;
    struct telling t = { .y = y,
                         .graph = graph,
                         .numbering = numbering,
                         .quiet = quiet,
                         .frame = PLUMB_SAME,
                         .slots = plumb_csp_orbits_slots(y->impl.orbits),
                         .budget = budget,
                         .err = err };
    const size_t size = 2 * t.slots * sizeof *t.wanted;
    t.wanted = plumb_base_alloc(budget, size);
    t.seen = t.wanted + (t.wanted ? t.slots : 0);
    const enum plumb_status status =
        t.wanted ? tell_all(&t, path, arena) : plumb_base_fail_memory(err);
    plumb_base_release(budget, t.wanted, size);
    PLUMB_RELEASE(budget, t.hop, t.room);
    return status;
}
