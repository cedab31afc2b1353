/* retrace.c - breadth-first over pairs of a state and a place in the trace. */
#include "retrace.h"

#include "base/fail.h"
#include "base/memory.h"
#include "counterexample.h"
#include "parent_bits.h"
#include <assert.h>

struct retracing {
    struct plumb_csp_graph *impl;
    const struct plumb_refine_trace_end *to;
    struct plumb_budget *budget;
    struct plumb_refine_pairs
        pairs; /* of a state and how many events are done */
    struct plumb_refine_parents parents;
    uint32_t next;
    struct plumb_error *err;
};

static bool is_stable(struct plumb_csp_outgoing out)
{
    for (uint32_t i = 0; i < out.count; i++)
        if (out.edge[i].event == PLUMB_TAU)
            return false;
    return true;
}

/* After the whole trace: is this where it goes wrong? */
static bool is_end(const struct retracing *t, uint32_t state, uint32_t done,
                   struct plumb_csp_outgoing out)
{
    const struct plumb_refine_trace_end *const to = t->to;
    if (done < to->count || to->offence == PLUMB_OFFENCE_EVENT)
        return false;
    return to->block[state] == to->last &&
           (to->offence != PLUMB_OFFENCE_REFUSAL || is_stable(out));
}

static bool meet(struct retracing *t, uint32_t state, uint32_t done)
{
    const uint64_t pair = plumb_refine_pair(state, done);
    bool fresh;
    return plumb_refine_pairs_add(&t->pairs, &pair, 1, &fresh) &&
           (!fresh || plumb_refine_parents_add(&t->parents, true));
}

/* Does the edge go along the trace? */
static bool fits(const struct retracing *t, struct plumb_csp_edge edge,
                 uint32_t done)
{
    return edge.event == PLUMB_TAU ||
           (done < t->to->count && edge.event == t->to->event[done]);
}

/* Is it the last event of the trace, and that one is what is wrong? */
static bool offends(const struct retracing *t, struct plumb_csp_edge edge,
                    uint32_t done)
{
    return t->to->offence == PLUMB_OFFENCE_EVENT && done + 1 == t->to->count &&
           edge.event == t->to->event[done];
}

static enum plumb_status expand(struct retracing *t,
                                struct plumb_refine_offending *o)
{
    const uint64_t pair = plumb_refine_pairs_at(&t->pairs, t->next);
    const uint32_t state = plumb_refine_pair_left(pair),
                   done = plumb_refine_pair_right(pair);
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(t->impl, state, t->err);
    PLUMB_TRY(out.status);
    if (is_end(t, state, done, out)) {
        *o = (struct plumb_refine_offending){ t->to->offence, t->next, 0 };
        return PLUMB_OK;
    }
    for (uint32_t i = 0; i < out.count; i++) {
        if (offends(t, out.edge[i], done)) {
            *o = (struct plumb_refine_offending){ PLUMB_OFFENCE_EVENT, t->next,
                                                  i };
            return PLUMB_OK;
        }
        if (fits(t, out.edge[i], done) &&
            !meet(t, out.edge[i].target,
                  done + (out.edge[i].event != PLUMB_TAU)))
            return plumb_base_fail_budget(t->budget, t->err);
    }
    t->next++;
    return plumb_refine_parents_add(&t->parents, false)
               ? PLUMB_OK
               : plumb_base_fail_budget(t->budget, t->err);
}

static enum plumb_status search(struct retracing *t,
                                struct plumb_refine_offending *o)
{
    const uint64_t begin = plumb_refine_pair(0, 0);
    enum plumb_status status = PLUMB_OK;
    bool fresh;
    if (!plumb_refine_pairs_add(&t->pairs, &begin, 1, &fresh))
        return plumb_base_fail_budget(t->budget, t->err);
    while (status == PLUMB_OK && o->offence == PLUMB_OFFENCE_NONE) {
        assert(t->next < t->pairs.count); /* there is a way */
        if (t->next % 4096 == 4095 && plumb_budget_state(t->budget) != PLUMB_OK)
            return plumb_base_fail_budget(t->budget, t->err);
        status = expand(t, o);
    }
    return status;
}

static enum plumb_status take_path(struct retracing *t,
                                   const struct plumb_refine_offending *o,
                                   struct plumb_base_arena *arena,
                                   struct plumb_refinement *r)
{
    const struct plumb_refine_search_of_pairs search = { .impl = t->impl,
                                                         .trace = t->to->event,
                                                         .events = t->to->count,
                                                         .pairs = &t->pairs,
                                                         .budget = t->budget };
    uint32_t count;
    uint32_t *const line =
        plumb_refine_parents_line(&t->parents, o->pair, &count);
    if (!line)
        return plumb_base_fail_budget(t->budget, t->err);
    const enum plumb_status status =
        plumb_refine_counterexample(&search, line, count, o, arena, r, t->err);
    PLUMB_RELEASE(t->budget, line, count);
    return status;
}

enum plumb_status plumb_refine_retrace(struct plumb_csp_graph *impl,
                                       const struct plumb_refine_trace_end *to,
                                       struct plumb_budget *budget,
                                       struct plumb_base_arena *arena,
                                       struct plumb_refinement *r,
                                       struct plumb_error *err)
{
    assert(to->offence != PLUMB_OFFENCE_NONE);
    struct retracing t = {
        .impl = impl, .to = to, .budget = budget, .err = err
    };
    struct plumb_refine_offending o = { .offence = PLUMB_OFFENCE_NONE };
    plumb_refine_pairs_init(&t.pairs, budget);
    plumb_refine_parents_init(&t.parents, budget);
    enum plumb_status status = search(&t, &o);
    if (status == PLUMB_OK)
        status = take_path(&t, &o, arena, r);
    plumb_refine_pairs_release(&t.pairs);
    plumb_refine_parents_release(&t.parents);
    return status;
}
