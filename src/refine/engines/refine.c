/* refine.c - which engine, and what to do when it gives up.
 *
 * Without being told: the product first, since counterexamples are mostly near
 * and those it finds are the shortest.  If it has not ended after some number
 * of pairs, the graphs are completed, up to some number of states, and compared
 * by bisimulation.  If there are more states, or no more memory for that, the
 * product goes on where it was, for four times as many pairs, and so on.  It
 * goes on alone if the model goes wrong in a state to which the product may
 * never come.
 *
 * The product needs every state of the implementation, too, so completing that
 * is seldom in vain.  A specification may have no end, and most of it be of no
 * use: its states are limited by the pairs that the product had in its turn. */
#include "refine.h"

#include "antichain.h"
#include "base/fail.h"
#include "product.h"
#include "refine/evidence.h"
#include "refine/minimise/bisimilar.h"

enum { FIRST_PAIRS = 50000, FIRST_STATES = 2000000, SPEC_PER_PAIR = 3 };

/* ---- product ---- */

static enum plumb_status run_product(struct plumb_refine_product *p,
                                     uint64_t most,
                                     struct plumb_base_arena *arena,
                                     struct plumb_refinement *r,
                                     struct plumb_error *err)
{
    struct plumb_refine_offending o;
    enum plumb_status status = plumb_refine_product_run(p, most, &o, err);
    plumb_refine_product_count(p, r);
    if (status == PLUMB_OK && o.offence != PLUMB_OFFENCE_NONE)
        status = plumb_refine_product_path(p, &o, arena, r, err);
    if (status != PLUMB_OK)
        return status;
    r->decided = true;
    r->refines = o.offence == PLUMB_OFFENCE_NONE;
    if (r->refines && p->options->certificate)
        r->certificate.relation = plumb_refine_certify_product(p, arena);
    return PLUMB_OK;
}

/* ---- antichain ---- */

static enum plumb_status run_antichain(struct plumb_refine_antichain *a,
                                       struct plumb_base_arena *arena,
                                       struct plumb_refinement *r,
                                       struct plumb_error *err)
{
    struct plumb_refine_offending o;
    enum plumb_status status = plumb_refine_antichain_run(a, &o, err);
    plumb_refine_antichain_count(a, r);
    if (status == PLUMB_OK && o.offence != PLUMB_OFFENCE_NONE)
        status = plumb_refine_antichain_path(a, &o, arena, r, err);
    if (status != PLUMB_OK)
        return status;
    r->decided = true;
    r->refines = o.offence == PLUMB_OFFENCE_NONE;
    if (r->refines && a->options->certificate)
        r->certificate.relation = plumb_refine_certify_antichain(a, arena);
    return PLUMB_OK;
}

enum plumb_status plumb_refine_antichain(
    struct plumb_csp_graph *impl, struct plumb_csp_graph *spec,
    const struct plumb_refine_options *options, struct plumb_base_arena *arena,
    struct plumb_refinement *r, struct plumb_error *err)
{
    struct plumb_refine_antichain a;
    enum plumb_status status = plumb_refine_antichain_init(
        &a, impl, spec, options, arena->budget, err);
    if (status == PLUMB_OK)
        status = run_antichain(&a, arena, r, err);
    plumb_refine_antichain_release(&a);
    return status;
}

/* ---- bisimilar ---- */

/* As plumb_csp_graph_complete(), but somebody is told how far it is.  `*from` is
 * where to go on. */
static enum plumb_status complete(struct plumb_csp_graph *g, const char *phase,
                                  const struct plumb_refine_options *options,
                                  uint32_t most, uint32_t *from,
                                  const struct plumb_budget *budget,
                                  struct plumb_error *err)
{
    for (; *from == 0 || *from < plumb_csp_graph_states(g); ++*from) {
        const struct plumb_csp_edge *edge;
        uint32_t count;
        if (most && plumb_csp_graph_states(g) > most)
            return PLUMB_END;
        if (*from % 4096 == 4095) {
            if (options->progress)
                options->progress(options->context, phase, *from, 0);
            if (plumb_budget_state(budget) != PLUMB_OK)
                return plumb_base_fail_budget(budget, err);
        }
        const enum plumb_status status =
            plumb_csp_graph_edges(g, *from, &edge, &count, err);
        if (status != PLUMB_OK)
            return status;
    }
    return PLUMB_OK;
}

/* The two graphs, as far as they are complete. */
struct graphs {
    struct plumb_csp_graph *impl, *spec;
    uint32_t impl_done, spec_done;
};

static enum plumb_status by_bisimulation(
    struct graphs *g, const struct plumb_refine_options *options,
    uint32_t most_spec, uint32_t most_impl, struct plumb_base_arena *arena,
    struct plumb_refinement *r, struct plumb_error *err)
{
    enum plumb_status status =
        complete(g->spec, "specification", options, most_spec, &g->spec_done,
                 arena->budget, err);
    if (status == PLUMB_OK)
        status = complete(g->impl, "implementation", options, most_impl,
                          &g->impl_done, arena->budget, err);
    if (status != PLUMB_OK)
        return status;
    return plumb_refine_bisimilar(g->impl, g->spec, options, arena, r, err);
}

/* ---- all of them in turn ---- */

static uint32_t four_times(uint32_t n)
{
    return n < UINT32_MAX / 4 ? n * 4 : UINT32_MAX;
}

/* States of a specification that are worth a turn of so many pairs. */
static uint32_t worth(uint64_t pairs, uint32_t most)
{
    return pairs < most / SPEC_PER_PAIR ? (uint32_t)pairs * SPEC_PER_PAIR
                                        : most;
}

static enum plumb_status in_turn(struct plumb_refine_product *p,
                                 struct plumb_csp_graph *spec,
                                 struct plumb_base_arena *arena,
                                 struct plumb_refinement *r,
                                 struct plumb_error *err)
{
    const struct plumb_refine_options *const options = p->options;
    uint64_t pairs = options->most_pairs ? options->most_pairs : FIRST_PAIRS;
    uint32_t states =
        options->most_states ? options->most_states : FIRST_STATES;
    struct graphs graphs = { .impl = p->impl, .spec = spec };
    struct plumb_error wrong = { .status = PLUMB_OK };
    for (;;) {
        enum plumb_status status = run_product(p, pairs, arena, r, err);
        if (status != PLUMB_OK && status != PLUMB_END && wrong.status)
            *err = wrong; /* which says more than that there was no room */
        if (status != PLUMB_END)
            return status ? err->status : status;
        if (states) {
            struct plumb_refinement other = { .decided = false };
            status = by_bisimulation(&graphs, options, worth(pairs, states),
                                     states, arena, &other, err);
            if (status == PLUMB_OK)
                *r = other;
            if (status == PLUMB_EINPUT)
                wrong = *err;
            else if (status != PLUMB_END && status != PLUMB_EMEMORY)
                return status;
            if (options->brief)
                return PLUMB_END;
            states = status == PLUMB_END ? four_times(states) : 0;
        }
        pairs = states && pairs < UINT64_MAX / 4 ? pairs * 4 : UINT64_MAX;
    }
}

static enum plumb_status by_product(struct plumb_csp_graph *impl,
                                    struct plumb_csp_graph *spec,
                                    const struct plumb_refine_options *options,
                                    struct plumb_base_arena *arena,
                                    struct plumb_refinement *r,
                                    struct plumb_error *err)
{
    const bool alone = options->engine == PLUMB_ENGINE_PRODUCT;
    struct plumb_refine_product p;
    plumb_refine_product_init(&p, impl, spec, options, arena->budget);
    const enum plumb_status status =
        alone ? run_product(&p, UINT64_MAX, arena, r, err)
              : in_turn(&p, spec, arena, r, err);
    plumb_refine_product_release(&p);
    return status;
}

static enum plumb_status decide(struct plumb_csp_graph *impl,
                                struct plumb_csp_graph *spec,
                                const struct plumb_refine_options *options,
                                struct plumb_base_arena *arena,
                                struct plumb_refinement *r,
                                struct plumb_error *err)
{
    struct graphs graphs = { .impl = impl, .spec = spec };
    switch (options->engine) {
    case PLUMB_ENGINE_ANTICHAIN:
        return plumb_refine_antichain(impl, spec, options, arena, r, err);
    case PLUMB_ENGINE_BISIMILAR:
        return by_bisimulation(&graphs, options, 0, 0, arena, r, err);
    case PLUMB_ENGINE_PRODUCT:
    case PLUMB_ENGINE_AUTO:
        break;
    }
    return by_product(impl, spec, options, arena, r, err);
}

enum plumb_status plumb_refine(struct plumb_csp_graph *impl,
                               struct plumb_csp_graph *spec,
                               const struct plumb_refine_options *options,
                               struct plumb_base_arena *arena,
                               struct plumb_refinement *r,
                               struct plumb_error *err)
{
    *r = (struct plumb_refinement){ .engine = options->engine };
    const enum plumb_status status = decide(impl, spec, options, arena, r, err);
    r->impl_states = plumb_csp_graph_states(impl);
    r->spec_states = plumb_csp_graph_states(spec);
    return status;
}
