/* judge_equivalence.c - an assertion P() = Q(), decided. */
#include "judge_equivalence.h"

#include "base/fail.h"
#include "equivalent.h"
#include "refine/accept/accept.h"
#include "refine/judge_steps.h"

static enum plumb_status compare(struct plumb_refine_judgement *j)
{
    struct plumb_refine_equivalence *const e = &j->equivalence;
    PLUMB_TRY(plumb_csp_graph_complete(j->impl.graph, 0, j->err));
    PLUMB_TRY(plumb_csp_graph_complete(j->spec.graph, 0, j->err));
    return plumb_refine_equivalent(j->impl.graph, j->spec.graph,
                                   j->how->threads, &j->arena, e, j->err);
}

enum plumb_status plumb_refine_judge_equivalence(
    struct plumb_refine_judgement *j)
{
    struct plumb_refine_equivalence *const e = &j->equivalence;
    bool yes = false;
    enum plumb_status status = compare(j);
    plumb_refine_judge_note_size(j);
    PLUMB_TRY(status);
    status = plumb_refine_accept_equivalence(j->impl.graph, j->spec.graph, e,
                                             j->world.budget, &yes, j->err);
    PLUMB_TRY(plumb_refine_judge_accepted(
        j, e->equal, status, yes, e->equal ? "the proof" : "the formula"));
    j->holds = e->equal;
    j->in_specification = e->second;
    j->path = e->path;
    j->length = j->cycle = e->length;
    return PLUMB_OK;
}
