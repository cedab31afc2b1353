/* counterexample.c - the steps between the pairs of a line.
 *
 * A search keeps who found whom and nothing about edges: the edge between two
 * pairs is found again by looking. */
#include "counterexample.h"

#include "base/fail.h"
#include "base/memory.h"
#include <assert.h>

/* Steps, as they are collected. */
struct steps {
    struct plumb_budget *budget;
    struct plumb_refine_hop *hop;
    size_t room;
    uint32_t count;
};

static bool add_hop(struct steps *s, uint32_t state, uint32_t index)
{
    return PLUMB_APPEND(s->budget, s->hop, s->count, s->room,
                        (struct plumb_refine_hop){ state, index });
}

/* What is on the right of a pair, after a visible event. */
static enum plumb_status after(const struct plumb_refine_search_of_pairs *s,
                               uint32_t right, uint32_t event, uint32_t *next,
                               struct plumb_error *err)
{
    if (s->sets)
        return plumb_refine_spec_sets_after(s->sets, right, event, next, err);
    const bool fits = right < s->events && s->trace[right] == event;
    *next = fits ? right + 1 : UINT32_MAX;
    return PLUMB_OK;
}

/* Does this edge lead from a pair with `right` to the pair `to`? */
static enum plumb_status leads_to(const struct plumb_refine_search_of_pairs *s,
                                  struct plumb_csp_edge edge, uint32_t right,
                                  uint64_t to, bool *yes,
                                  struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    *yes = false;
    if (edge.target != plumb_refine_pair_left(to))
        return PLUMB_OK;
    if (edge.event != PLUMB_TAU)
        status = after(s, right, edge.event, &right, err);
    *yes = status == PLUMB_OK && right == plumb_refine_pair_right(to);
    return status;
}

static enum plumb_status add_step(const struct plumb_refine_search_of_pairs *s,
                                  uint64_t from, uint64_t to,
                                  struct steps *steps, struct plumb_error *err)
{
    const uint32_t state = plumb_refine_pair_left(from);
    for (uint32_t i = 0;; i++) {
        bool yes;
        /* Asked again each time: sets may be of the same graph. */
        const struct plumb_csp_outgoing out =
            plumb_csp_graph_edges(s->impl, state, err);
        PLUMB_TRY(out.status);
        assert(i < out.count);
        PLUMB_TRY(leads_to(s, out.edge[i], plumb_refine_pair_right(from), to,
                           &yes, err));
        if (yes)
            return add_hop(steps, state, i) ? PLUMB_OK
                                            : plumb_base_fail_memory(err);
    }
}

static enum plumb_status add_line(const struct plumb_refine_search_of_pairs *s,
                                  const uint32_t *line, uint32_t count,
                                  struct steps *steps, struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    for (uint32_t i = 1; i < count && status == PLUMB_OK; i++)
        status = add_step(s, plumb_refine_pairs_at(s->pairs, line[i - 1]),
                          plumb_refine_pairs_at(s->pairs, line[i]), steps, err);
    return status;
}

/* From `state` into a cycle of taus and once around it. */
static enum plumb_status add_cycle(struct plumb_csp_graph *impl, uint32_t state,
                                   struct steps *steps,
                                   struct plumb_refinement *r,
                                   struct plumb_error *err)
{
    struct plumb_refine_divergence d;
    bool yes;
    plumb_refine_divergence_init(&d, impl, steps->budget);
    enum plumb_status status = plumb_refine_diverges_how(&d, state, &yes, err);
    if (status == PLUMB_OK) {
        assert(yes);
        r->cycle = steps->count + d.cycle;
    }
    for (uint32_t i = 0; status == PLUMB_OK && i < d.depth; i++)
        if (!add_hop(steps, d.stack[i].state, d.stack[i].index))
            status = plumb_base_fail_memory(err);
    plumb_refine_divergence_release(&d);
    return status;
}

static enum plumb_status add_offence(struct plumb_csp_graph *impl,
                                     uint32_t state,
                                     const struct plumb_refine_offending *o,
                                     struct steps *steps,
                                     struct plumb_refinement *r,
                                     struct plumb_error *err)
{
    r->offence = o->offence;
    if (o->offence == PLUMB_OFFENCE_DIVERGENCE)
        return add_cycle(impl, state, steps, r, err);
    if (o->offence == PLUMB_OFFENCE_EVENT && !add_hop(steps, state, o->index))
        return plumb_base_fail_memory(err);
    return PLUMB_OK;
}

/* What was collected becomes the path. */
static enum plumb_status hand_over(struct steps *steps,
                                   struct plumb_base_arena *arena,
                                   struct plumb_refinement *r,
                                   struct plumb_error *err)
{
    r->path = plumb_base_arena_copy(arena, steps->hop,
                                    steps->count * sizeof *steps->hop);
    r->length = steps->count;
    return r->path ? PLUMB_OK : plumb_base_fail_memory(err);
}

enum plumb_status plumb_refine_counterexample(
    const struct plumb_refine_search_of_pairs *search, const uint32_t *line,
    uint32_t count, const struct plumb_refine_offending *o,
    struct plumb_base_arena *arena, struct plumb_refinement *r,
    struct plumb_error *err)
{
    assert(count && line[count - 1] == o->pair);
    struct steps steps = { .budget = search->budget };
    const uint32_t state =
        plumb_refine_pair_left(plumb_refine_pairs_at(search->pairs, o->pair));
    enum plumb_status status = add_line(search, line, count, &steps, err);
    if (status == PLUMB_OK)
        status = add_offence(search->impl, state, o, &steps, r, err);
    if (status == PLUMB_OK)
        status = hand_over(&steps, arena, r, err);
    PLUMB_RELEASE(steps.budget, steps.hop, steps.room);
    return status;
}
