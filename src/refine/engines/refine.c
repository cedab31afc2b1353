/* refine.c - which engine, and what to do when it gives up.
 *
 * Without being told: the product first, since counterexamples are mostly near
 * and those it finds are the shortest; then the graphs are completed and
 * compared by bisimulation; then the product goes on where it was, each for
 * four times as many pairs and states as before (docs/how-verification-works.md,
 * "The order of the engines").
 *
 * The product needs every state of the implementation, too, so completing that
 * is seldom in vain.  A specification may have no end, and most of it be of no
 * use: its states are limited by the pairs that the product had in its turn. */
#include "refine.h"

#include "antichain.h"
#include "base/fail.h"
#include "product.h"
#include "refine/evidence.h"
#include <assert.h>

enum { FIRST_PAIRS = 50000, FIRST_STATES = 2000000, SPEC_PER_PAIR = 3 };

/* ---- product and antichain ---- */

static bool wants_certificate(const struct plumb_refine_task *t)
{
    return t->r->refines && t->options->certificate;
}

static enum plumb_status run_product(struct plumb_refine_product *p,
                                     uint64_t most)
{
    const struct plumb_refine_task *const t = p->s.task;
    const enum plumb_status status = plumb_refine_product_run(p, most);
    if (status == PLUMB_OK && wants_certificate(t))
        t->r->certificate.relation = plumb_refine_certify_product(p, t->arena);
    return status;
}

enum plumb_status plumb_refine_antichain(const struct plumb_refine_task *task)
{
    struct plumb_refine_antichain a;
    enum plumb_status status = plumb_refine_antichain_init(&a, task);
    if (status == PLUMB_OK)
        status = plumb_refine_antichain_run(&a);
    if (status == PLUMB_OK && wants_certificate(task))
        task->r->certificate.relation =
            plumb_refine_certify_antichain(&a, task->arena);
    plumb_refine_antichain_release(&a);
    return status;
}

/* ---- bisimilar ---- */

/* As plumb_csp_graph_complete(), but somebody is told how far it is.  `*from` is
 * where to go on. */
static enum plumb_status complete(const struct plumb_refine_task *t,
                                  struct plumb_csp_graph *g, const char *phase,
                                  uint32_t most, uint32_t *from)
{
    for (; *from == 0 || *from < plumb_csp_graph_states(g); ++*from) {
        if (most && plumb_csp_graph_states(g) > most)
            return PLUMB_END;
        if (*from % 4096 == 4095) {
            if (t->options->progress)
                t->options->progress(t->options->context, phase, *from, 0);
            if (plumb_budget_state(t->arena->budget) != PLUMB_OK)
                return plumb_base_fail_budget(t->arena->budget, t->err);
        }
        const struct plumb_csp_outgoing out =
            plumb_csp_graph_edges(g, *from, t->err);
        PLUMB_TRY(out.status);
    }
    return PLUMB_OK;
}

/* How many states of the graphs have edges, and may have. */
struct completed {
    uint32_t impl, spec, most_impl, most_spec;
};

static enum plumb_status by_bisimulation(const struct plumb_refine_task *t,
                                         struct completed *done)
{
    PLUMB_TRY(
        complete(t, t->spec, "specification", done->most_spec, &done->spec));
    PLUMB_TRY(
        complete(t, t->impl, "implementation", done->most_impl, &done->impl));
    return plumb_refine_bisimilar(t);
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

static enum plumb_status in_turn(struct plumb_refine_product *p)
{
    const struct plumb_refine_task *const t = p->s.task;
    const struct plumb_refine_options *const options = t->options;
    uint64_t pairs = options->most_pairs ? options->most_pairs : FIRST_PAIRS;
    uint32_t states =
        options->most_states ? options->most_states : FIRST_STATES;
    struct completed done = { .impl = 0 };
    struct plumb_error wrong = { .status = PLUMB_OK };
    for (;;) {
        enum plumb_status status = run_product(p, pairs);
        if (status != PLUMB_OK && status != PLUMB_END && wrong.status)
            *t->err = wrong; /* which says more than that there was no room */
        if (status != PLUMB_END)
            return status ? t->err->status : status;
        if (states) {
            struct plumb_refinement other = { .decided = false };
            struct plumb_refine_task whole = *t;
            whole.r = &other;
            done.most_spec = worth(pairs, states);
            done.most_impl = states;
            status = by_bisimulation(&whole, &done);
            if (status == PLUMB_OK)
                *t->r = other;
            if (status == PLUMB_EINPUT)
                wrong = *t->err;
            else if (status != PLUMB_END && status != PLUMB_EMEMORY)
                return status;
            if (options->brief)
                return PLUMB_END;
            states = status == PLUMB_END ? four_times(states) : 0;
        }
        pairs = states && pairs < UINT64_MAX / 4 ? pairs * 4 : UINT64_MAX;
    }
}

static enum plumb_status by_product(const struct plumb_refine_task *task)
{
    const bool alone = task->options->engine == PLUMB_ENGINE_PRODUCT;
    struct plumb_refine_product p;
    plumb_refine_product_init(&p, task);
    const enum plumb_status status =
        alone ? run_product(&p, UINT64_MAX) : in_turn(&p);
    plumb_refine_product_release(&p);
    return status;
}

static enum plumb_status decide(const struct plumb_refine_task *task)
{
    struct completed done = { .most_impl = 0, .most_spec = 0 };
    switch (task->options->engine) {
    case PLUMB_ENGINE_ANTICHAIN:
        return plumb_refine_antichain(task);
    case PLUMB_ENGINE_BISIMILAR:
        return by_bisimulation(task, &done);
    case PLUMB_ENGINE_PRODUCT:
    case PLUMB_ENGINE_AUTO:
        break;
    }
    return by_product(task);
}

enum plumb_status plumb_refine(struct plumb_csp_graph *impl,
                               struct plumb_csp_graph *spec,
                               const struct plumb_refine_options *options,
                               struct plumb_base_arena *arena,
                               struct plumb_refinement *r,
                               struct plumb_error *err)
{
    assert(impl && spec && arena);
    const struct plumb_refine_task task = {
        impl, spec, options, arena, r, err
    };
    *r = (struct plumb_refinement){ .engine = options->engine };
    const enum plumb_status status = decide(&task);
    r->impl_states = plumb_csp_graph_states(impl);
    r->spec_states = plumb_csp_graph_states(spec);
    return status;
}
