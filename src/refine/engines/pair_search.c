/* pair_search.c - see pair_search.h. */
#include "pair_search.h"

#include "base/fail.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

void plumb_refine_pair_search_init(struct plumb_refine_pair_search *s,
                                   const struct plumb_refine_task *task)
{
    struct plumb_budget *const budget = task->arena->budget;
    *s = (struct plumb_refine_pair_search){ .task = task,
                                            .budget = budget,
                                            .impl = task->impl,
                                            .options = task->options,
                                            .err = task->err };
    plumb_refine_spec_sets_init(&s->sets, task->spec, budget);
    plumb_refine_judge_init(&s->judge, task->impl, &s->sets,
                            task->options->semantics, budget);
}

void plumb_refine_pair_search_release(struct plumb_refine_pair_search *s)
{
    plumb_refine_judge_release(&s->judge);
    plumb_refine_spec_sets_release(&s->sets);
    PLUMB_RELEASE(s->budget, s->copy, s->copy_room);
}

/* Edges that stay while the specification is asked. */
static struct plumb_csp_outgoing edges_of(struct plumb_refine_pair_search *s,
                                          uint32_t state)
{
    struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(s->impl, state, s->err);
    if (s->impl != s->sets.graph || !out.count)
        return out;
    if (!PLUMB_GROW(s->budget, s->copy, s->copy_room, out.count))
        return (struct plumb_csp_outgoing){ .status = plumb_base_fail_budget(
                                                s->budget, s->err) };
    memcpy(s->copy, out.edge, out.count * sizeof *s->copy);
    out.edge = s->copy;
    return out;
}

static enum plumb_status follow(struct plumb_refine_pair_search *s,
                                uint32_t number, uint64_t pair,
                                plumb_refine_meet_pair *meet,
                                struct plumb_refine_offending *o)
{
    const uint32_t set = plumb_refine_pair_right(pair);
    const struct plumb_csp_outgoing out =
        edges_of(s, plumb_refine_pair_left(pair));
    PLUMB_TRY(out.status);
    for (uint32_t i = 0; i < out.count; i++) {
        uint32_t after = set;
        if (out.edge[i].event != PLUMB_TAU)
            PLUMB_TRY(plumb_refine_spec_sets_after(
                &s->sets, set, out.edge[i].event, &after, s->err));
        if (after == PLUMB_NO_SET) {
            *o = (struct plumb_refine_offending){ PLUMB_OFFENCE_EVENT, number,
                                                  i };
            break;
        }
        if (!meet(s, number, out.edge[i].target, after))
            return plumb_base_fail_budget(s->budget, s->err);
    }
    s->transitions += out.count;
    return PLUMB_OK;
}

enum plumb_status plumb_refine_pair_search_expand(
    struct plumb_refine_pair_search *s, uint32_t number, uint64_t pair,
    plumb_refine_meet_pair *meet, struct plumb_refine_offending *o)
{
    struct plumb_refine_finding_of_pair f = { PLUMB_OFFENCE_NONE, false };
    if (s->options->semantics != PLUMB_TRACES)
        PLUMB_TRY(
            plumb_refine_judge_pair(&s->judge, plumb_refine_pair_left(pair),
                                    plumb_refine_pair_right(pair), &f, s->err));
    if (f.offence == PLUMB_OFFENCE_NONE)
        return f.anything ? PLUMB_OK : follow(s, number, pair, meet, o);
    *o = (struct plumb_refine_offending){ f.offence, number, 0 };
    return PLUMB_OK;
}

enum plumb_status plumb_refine_pair_search_look_up(
    struct plumb_refine_pair_search *s, const char *phase, uint64_t done)
{
    s->watched = s->sets.work;
    if (s->options->progress)
        s->options->progress(s->options->context, phase, done, s->depth);
    return plumb_budget_state(s->budget) == PLUMB_OK
               ? PLUMB_OK
               : plumb_base_fail_budget(s->budget, s->err);
}

enum plumb_status plumb_refine_pair_search_decide(
    struct plumb_refine_pair_search *s, const struct plumb_refine_pairs *pairs,
    uint32_t *line, uint32_t count, const struct plumb_refine_offending *o)
{
    assert(o->offence != PLUMB_OFFENCE_NONE);
    struct plumb_refinement *const r = s->task->r;
    const struct plumb_refine_search_of_pairs search = {
        .impl = s->impl, .sets = &s->sets, .pairs = pairs, .budget = s->budget
    };
    if (!line)
        return plumb_base_fail_budget(s->budget, s->err);
    const enum plumb_status status = plumb_refine_counterexample(
        &search, line, count, o, s->task->arena, r, s->err);
    PLUMB_RELEASE(s->budget, line, count);
    r->decided = status == PLUMB_OK;
    return status;
}
