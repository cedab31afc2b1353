/* accept.c - a decision and its reasons, as a whole. */
#include "accept.h"

#include "accept_partition.h"
#include "base/fail.h"

struct checking {
    struct plumb_csp_graph *impl, *spec;
    enum plumb_refine_semantics semantics;
    const struct plumb_refine_certificate *why;
    struct plumb_budget *budget;
    struct plumb_error *err;
};

static bool keeps_divergence(const struct checking *c)
{
    return c->semantics != PLUMB_TRACES;
}

static enum plumb_status whole(const struct checking *c,
                               struct plumb_csp_lts *impl,
                               struct plumb_csp_lts *spec)
{
    PLUMB_TRY(plumb_csp_graph_lts(c->impl, impl, c->err));
    return plumb_csp_graph_lts(c->spec, spec, c->err);
}

/* One partition of both, with the initial states in one block. */
static enum plumb_status accept_both(const struct checking *c, bool *yes)
{
    struct plumb_csp_lts impl, spec;
    const struct plumb_refine_partition *const p = c->why->both;
    PLUMB_TRY(whole(c, &impl, &spec));
    const struct plumb_refine_pieces of = { &impl, &spec };
    *yes = p->states > impl.states && p->block[0] == p->block[impl.states];
    return *yes ? plumb_refine_accept_partition(&of, p, keeps_divergence(c),
                                                c->budget, NULL, yes, c->err)
                : PLUMB_OK;
}

/* The relation speaks of blocks. */
static enum plumb_status accept_between(const struct checking *c,
                                        struct plumb_refine_blocks *impl,
                                        struct plumb_refine_blocks *spec,
                                        bool *yes)
{
    const struct plumb_csp_graph_source one = plumb_csp_lts_source(&impl->lts),
                                        two = plumb_csp_lts_source(&spec->lts);
    struct plumb_refine_claim claim = { .impl_start = c->why->impl->block[0],
                                        .spec_start = c->why->spec->block[0],
                                        .semantics = c->semantics };
    enum plumb_status status =
        plumb_csp_graph_open(&claim.impl, &one, c->budget, c->err);
    if (status == PLUMB_OK)
        status = plumb_csp_graph_open(&claim.spec, &two, c->budget, c->err);
    if (status == PLUMB_OK)
        status = plumb_refine_accept_relation(&claim, c->why->relation,
                                              c->budget, yes, c->err);
    plumb_csp_graph_free(claim.impl);
    plumb_csp_graph_free(claim.spec);
    return status;
}

static enum plumb_status accept_blocks(const struct checking *c, bool *yes)
{
    struct plumb_csp_lts impl, spec;
    struct plumb_refine_blocks one = { .edges = 0 }, two = { .edges = 0 };
    const bool divergence = keeps_divergence(c);
    PLUMB_TRY(whole(c, &impl, &spec));
    const struct plumb_refine_pieces left = { &impl, NULL },
                                     right = { &spec, NULL };
    enum plumb_status status = plumb_refine_accept_partition(
        &left, c->why->impl, divergence, c->budget, &one, yes, c->err);
    if (status == PLUMB_OK && *yes)
        status = plumb_refine_accept_partition(&right, c->why->spec, divergence,
                                               c->budget, &two, yes, c->err);
    if (status == PLUMB_OK && *yes)
        status = accept_between(c, &one, &two, yes);
    plumb_refine_blocks_release(&one, c->budget);
    plumb_refine_blocks_release(&two, c->budget);
    return status;
}

enum plumb_status plumb_refine_accept_refinement(
    struct plumb_csp_graph *impl, struct plumb_csp_graph *spec,
    enum plumb_refine_semantics semantics, const struct plumb_refinement *r,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err)
{
    const struct plumb_refine_certificate *const why = &r->certificate;
    const struct checking c = { impl, spec, semantics, why, budget, err };
    const struct plumb_refine_claim claim = { .impl = impl,
                                              .spec = spec,
                                              .semantics = semantics };
    if (!r->refines)
        return plumb_refine_accept_counterexample(impl, spec, semantics, r,
                                                  budget, yes, err);
    if (why->both)
        return accept_both(&c, yes);
    if (r->both_ways || !why->relation || !why->impl != !why->spec)
        return plumb_base_fail_budget(budget, err);
    if (why->impl)
        return accept_blocks(&c, yes);
    return plumb_refine_accept_relation(&claim, why->relation, budget, yes,
                                        err);
}
