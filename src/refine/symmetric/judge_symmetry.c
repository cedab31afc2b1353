/* judge_symmetry.c - an assertion, decided up to who is who. */
#include "judge_symmetry.h"

#include "refine/judge_steps.h"

/* ---- whether ---- */

static bool is_about_states_alone(enum plumb_csp_assertion_kind kind)
{
    return kind == PLUMB_ASSERT_DEADLOCKFREE ||
           kind == PLUMB_ASSERT_NONTERMINATING ||
           kind == PLUMB_ASSERT_DIVERGENCEFREE;
}

static enum plumb_status open_symmetric(struct plumb_refine_judgement *j)
{
    const enum plumb_csp_assertion_kind kind = j->assertion->kind;
    const struct plumb_refine_symmetric_request request = {
        .assertion = j->assertion,
        .impl = j->impl.system,
        .spec = j->spec.system,
        .object = j->spec.object,
        .renames =
            kind != PLUMB_ASSERT_REFINES_F && kind != PLUMB_ASSERT_REFINES_FD,
        .quiet = plumb_refine_judge_is_quiet(j),
        .reduction = plumb_refine_judge_reduction(j)
    };
    const enum plumb_status status =
        plumb_refine_symmetric_open(&j->symmetric, &j->world, &request, j->err);
    if (!j->symmetric.renamed && j->symmetric.why.what)
        j->no_symmetry = j->symmetric.why;
    else if (!j->symmetric.applies && j->how->symmetry == PLUMB_SYMMETRY_ON)
        j->no_symmetry.what = "no two processes of a top-level ||| are alike";
    return status;
}

/* Why it cannot be, whatever the processes are; or NULL. */
static const char *no_symmetry(const struct plumb_refine_judgement *j)
{
    const enum plumb_csp_assertion_kind kind = j->assertion->kind;
    if (j->how->counts)
        return "--count counts states as another tool does";
    if (!plumb_refine_judge_is_refinement(kind) && !is_about_states_alone(kind))
        return "the assertion may distinguish processes";
    return NULL;
}

/* Is it to be tried at all? */
enum plumb_status plumb_refine_judge_consider_symmetry(
    struct plumb_refine_judgement *j)
{
    const char *const why = no_symmetry(j);
    const bool automatic =
        plumb_refine_judge_is_refinement(j->assertion->kind) &&
        j->how->engine == PLUMB_ENGINE_AUTO;
    if (j->how->symmetry == PLUMB_SYMMETRY_OFF ||
        (j->how->symmetry == PLUMB_SYMMETRY_AUTO && (why || !automatic)))
        return PLUMB_OK;
    j->no_symmetry =
        (struct plumb_csp_process_ids_refusal){ j->assertion->place, why };
    return why ? PLUMB_OK : open_symmetric(j);
}

/* ---- telling it again ---- */

/* A path that was found there becomes one of the model, where every step is
 * possible that anybody can make. */
static enum plumb_status retell(struct plumb_refine_judgement *j,
                                struct plumb_refine_retelling *path)
{
    enum plumb_status status = PLUMB_OK;
    if (plumb_refine_judge_reduction(j) != PLUMB_REDUCE_NOTHING) {
        plumb_csp_graph_free(j->impl.graph);
        plumb_csp_numbering_free(j->impl.numbering);
        j->impl.graph = NULL;
        j->impl.numbering = NULL;
        status = plumb_refine_side_open_states(
            &j->impl, &j->world, PLUMB_REDUCE_NOTHING,
            plumb_refine_judge_is_quiet(j), j->err);
    }
    return status == PLUMB_OK
               ? plumb_refine_symmetric_retell(
                     &j->symmetric, j->impl.graph, j->impl.numbering,
                     plumb_refine_judge_is_quiet(j), &j->arena, path, j->err)
               : status;
}

/* The counterexample in the model's own names, verified once more. */
static enum plumb_status retell_refinement(struct plumb_refine_judgement *j)
{
    struct plumb_refinement *const r = &j->refinement;
    const bool round = r->offence == PLUMB_OFFENCE_DIVERGENCE;
    struct plumb_refine_retelling path = { r->path, r->length,
                                           round ? r->cycle : r->length, 0 };
    const enum plumb_status status = retell(j, &path);
    if (status != PLUMB_OK)
        return plumb_refine_judge_unverified(j, false, status);
    r->path = path.path;
    r->length = path.length;
    r->cycle = path.cycle;
    return plumb_refine_judge_accept_refinement(j, j->impl.graph,
                                                j->spec.graph);
}

enum plumb_status plumb_refine_judge_refine_symmetrically(
    struct plumb_refine_judgement *j,
    const struct plumb_refine_options *options)
{
    struct plumb_refine_symmetric *const y = &j->symmetric;
    struct plumb_refinement *const r = &j->refinement;
    enum plumb_status status = plumb_refine(y->impl.graph, y->spec.graph,
                                            options, &j->arena, r, j->err);
    j->states = r->impl_states = plumb_csp_orbits_count(y->impl.orbits);
    j->transitions = plumb_csp_graph_edge_count(y->impl.graph);
    j->symmetrically = true;
    if (status == PLUMB_OK)
        status = plumb_refine_judge_accept_refinement(j, y->impl.graph,
                                                      y->spec.graph);
    return status == PLUMB_OK && !r->refines ? retell_refinement(j) : status;
}

/* ---- questions about states ---- */

/* The same of the graph up to who is who; what is found is told again. */
enum plumb_status plumb_refine_judge_examine_symmetrically(
    struct plumb_refine_judgement *j)
{
    const struct plumb_refine_symmetric *const y = &j->symmetric;
    struct plumb_refine_examination *const x = &j->examination;
    const struct plumb_refine_goal goal = { 0 };
    const bool round = j->assertion->kind == PLUMB_ASSERT_DIVERGENCEFREE;
    enum plumb_status status = plumb_refine_judge_look(j, y->impl.graph, &goal);
    j->states = plumb_csp_orbits_count(y->impl.orbits);
    j->transitions = plumb_csp_graph_edge_count(y->impl.graph);
    j->symmetrically = true;
    if (status == PLUMB_OK)
        status = plumb_refine_judge_accept_examination(j, y->impl.graph, &goal);
    if (status != PLUMB_OK || x->holds)
        return status;
    struct plumb_refine_retelling path = { x->path, x->length,
                                           round ? x->cycle : x->length, 0 };
    status = retell(j, &path);
    if (status != PLUMB_OK)
        return plumb_refine_judge_unverified(j, false, status);
    x->path = path.path;
    x->length = path.length;
    x->cycle = path.cycle;
    x->final = path.final;
    return plumb_refine_judge_accept_examination(j, j->impl.graph, &goal);
}
