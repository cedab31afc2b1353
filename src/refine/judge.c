/* judge.c - from an assertion to the algorithm that decides it. */
#include "judge_steps.h"

#include "base/fail.h"
#include "csp/terms/participants.h"
#include "refine/accept/accept.h"
#include "refine/engines/error_path.h"
#include "refine/equivalence/judge_equivalence.h"
#include "refine/ltl/proposition.h"
#include "refine/progress/judge_progress.h"
#include "refine/properties/examine.h"
#include "refine/search/seek.h"
#include "refine/symmetric/judge_symmetry.h"
#include <assert.h>

/* Made before threads could be started for them. */
enum { FEW_STATES = 4096 };

bool plumb_refine_judge_is_refinement(enum plumb_csp_assertion_kind kind)
{
    return kind == PLUMB_ASSERT_REFINES || kind == PLUMB_ASSERT_REFINES_F ||
           kind == PLUMB_ASSERT_REFINES_FD || kind == PLUMB_ASSERT_LINEARIZABLE;
}

/* Reductions keep traces; what else an assertion may ask about, they do not. */
enum plumb_csp_reduction plumb_refine_judge_reduction(
    const struct plumb_refine_judgement *j)
{
    const enum plumb_csp_assertion_kind kind = j->assertion->kind;
    const bool traces =
        kind == PLUMB_ASSERT_REFINES || kind == PLUMB_ASSERT_LINEARIZABLE;
    return traces ? j->how->reduction : PLUMB_REDUCE_NOTHING;
}

/* ---- sides ---- */

/* Linearizability is about calls and responses: that clients come to an end is
 * nothing that a specification says. */
static enum plumb_status quiet_edges(void *context, uint32_t state,
                                     struct plumb_csp_edges *out,
                                     struct plumb_error *err)
{
    const struct plumb_csp_graph_source *const inner = context;
    const size_t begin = out->count;
    const enum plumb_status status =
        inner->edges(inner->context, state, out, err);
    for (size_t i = begin; i < out->count; i++)
        if (out->edge[i].event == PLUMB_TICK)
            out->edge[i].event = PLUMB_TAU;
    return status;
}

static uint32_t quiet_states(const void *context)
{
    const struct plumb_csp_graph_source *const inner = context;
    return inner->states(inner->context);
}

void plumb_refine_side_close(struct plumb_refine_side *side)
{
    plumb_csp_graph_free(side->graph);
    plumb_csp_object_source_free(side->object);
    plumb_csp_numbering_free(side->numbering);
    plumb_csp_system_free(side->system);
}

/* The states of its system and their graph; `quiet`: without an end that is
 * seen. */
enum plumb_status plumb_refine_side_open_states(
    struct plumb_refine_side *side, struct plumb_csp_world *world,
    enum plumb_csp_reduction reduction, bool quiet, struct plumb_error *err)
{
    PLUMB_TRY(plumb_csp_numbering_open(&side->numbering, side->system,
                                       reduction, err));
    side->inner = plumb_csp_numbering_source(side->numbering);
    const struct plumb_csp_graph_source source = { &side->inner, quiet_edges,
                                                   quiet_states,
                                                   side->inner.words };
    return plumb_csp_graph_open(&side->graph, quiet ? &source : &side->inner,
                                world->budget, err);
}

enum plumb_status plumb_refine_side_open(
    struct plumb_refine_side *side, struct plumb_csp_world *world,
    const struct plumb_csp_process *process, enum plumb_csp_reduction reduction,
    bool quiet, struct plumb_error *err)
{
    PLUMB_TRY(plumb_csp_system_open(&side->system, world, process, err));
    return plumb_refine_side_open_states(side, world, reduction, quiet, err);
}

/* An error has no place, or one in the text of the specification. */
static void place_error_of_object(const struct plumb_csp_assertion *a,
                                  struct plumb_error *err)
{
    const struct plumb_csp_place at = a->built_in_place;
    const uint64_t within = err->line && a->as_written ? err->column - 1 : 0;
    err->column = err->line ? at.column + within : a->place.column;
    err->line = err->line ? at.line : a->place.line;
}

static enum plumb_status open_object(struct plumb_refine_judgement *j)
{
    const struct plumb_csp_assertion *const a = j->assertion;
    const struct plumb_csp_object_request request = { .spec = a->built_in,
                                                      .clients = a->clients,
                                                      .value = a->value,
                                                      .values = a->values,
                                                      .points = a->points };
    const enum plumb_status status =
        plumb_csp_object_source_open(&j->spec.object, &request, j->model,
                                     j->world.events, j->world.budget, j->err);
    if (status == PLUMB_OK) {
        const struct plumb_csp_graph_source source =
            plumb_csp_object_source(j->spec.object);
        return plumb_csp_graph_open(&j->spec.graph, &source, j->world.budget,
                                    j->err);
    }
    if (status == PLUMB_EINPUT)
        place_error_of_object(a, j->err);
    return status;
}

/* A specification that has more behaviour than is there allows too much; and
 * equal over-approximations say nothing. */
static enum plumb_status refuse_many(const struct plumb_refine_judgement *j,
                                     const struct plumb_csp_process *process)
{
    const struct plumb_csp_assertion *const a = j->assertion;
    bool many = false;
    PLUMB_TRY(plumb_csp_process_counts_many(j->model, process, j->world.budget,
                                            &many, j->err));
    return many ? plumb_base_fail(
                      j->err, PLUMB_EINPUT, a->place.line, a->place.column,
                      "|||{..} over-approximates and cannot be %s",
                      a->kind == PLUMB_ASSERT_EQUAL ? "compared by ="
                                                    : "a specification")
                : PLUMB_OK;
}

/* Who takes part in a step is a bit each (system.h): with more processes than
 * bits, one that is left out could pass for another that is not. */
static enum plumb_status count_processes(const struct plumb_refine_judgement *j)
{
    const struct plumb_csp_assertion *const a = j->assertion;
    uint32_t processes = 0;
    const bool fair =
        a->kind == PLUMB_ASSERT_LTL && j->how->fairness != PLUMB_UNFAIR;
    if (!fair && !plumb_refine_judge_is_progress(a->kind))
        return PLUMB_OK;
    const enum plumb_status status =
        plumb_csp_system_count_processes(j->impl.system, &processes, j->err);
    if (status != PLUMB_OK || processes <= PLUMB_MOST_PARTICIPANTS)
        return status;
    return plumb_base_fail(
        j->err, PLUMB_EINPUT, a->place.line, a->place.column,
        "%s supports at most %d processes; this model has %u",
        fair ? "fairness" : "progress", PLUMB_MOST_PARTICIPANTS,
        (unsigned)processes);
}

bool plumb_refine_judge_is_quiet(const struct plumb_refine_judgement *j)
{
    return j->assertion->kind == PLUMB_ASSERT_LINEARIZABLE;
}

static enum plumb_status open_sides(struct plumb_refine_judgement *j)
{
    const struct plumb_csp_assertion *const a = j->assertion;
    const enum plumb_csp_reduction reduction = plumb_refine_judge_reduction(j);
    PLUMB_TRY(plumb_refine_side_open(&j->impl, &j->world, a->process, reduction,
                                     plumb_refine_judge_is_quiet(j), j->err));
    PLUMB_TRY(count_processes(j));
    if (a->kind == PLUMB_ASSERT_EQUAL)
        PLUMB_TRY(refuse_many(j, a->process));
    else if (!plumb_refine_judge_is_refinement(a->kind))
        return PLUMB_OK;
    if (!a->specification)
        return open_object(j);
    PLUMB_TRY(refuse_many(j, a->specification));
    return plumb_refine_side_open(&j->spec, &j->world, a->specification,
                                  reduction, false, j->err);
}

/* ---- deciding ---- */

static void tell_of_states(struct plumb_refine_judgement *j)
{
    plumb_csp_graph_tell(j->impl.graph, j->how->progress, "states",
                         j->how->context);
    if (j->spec.graph)
        plumb_csp_graph_tell(j->spec.graph, j->how->progress, "specification",
                             j->how->context);
}

static enum plumb_refine_semantics semantics_of(
    enum plumb_csp_assertion_kind kind)
{
    return kind == PLUMB_ASSERT_REFINES_F    ? PLUMB_FAILURES
           : kind == PLUMB_ASSERT_REFINES_FD ? PLUMB_FAILURES_DIVERGENCES
                                             : PLUMB_TRACES;
}

static enum plumb_status reject(const struct plumb_refine_judgement *j,
                                const char *what)
{
    const struct plumb_csp_place place = j->assertion->place;
    return plumb_base_fail(j->err, PLUMB_EBUG, place.line, place.column,
                           "internal error: the verifier rejects %s", what);
}

enum plumb_status plumb_refine_judge_unverified(
    struct plumb_refine_judgement *j, bool holds, enum plumb_status status)
{
    if (status != PLUMB_EMEMORY && status != PLUMB_ETIME)
        return status;
    j->unverified = true;
    j->holds = holds;
    return plumb_base_fail(j->err, status, 0, 0, "unverified: out of %s",
                           status == PLUMB_ETIME ? "time" : "memory");
}

enum plumb_status plumb_refine_judge_accepted(struct plumb_refine_judgement *j,
                                              bool holds,
                                              enum plumb_status status,
                                              bool yes, const char *what)
{
    return status == PLUMB_OK && !yes
               ? reject(j, what)
               : plumb_refine_judge_unverified(j, holds, status);
}

void plumb_refine_judge_note_size(struct plumb_refine_judgement *j)
{
    j->states = plumb_csp_graph_states(j->impl.graph);
    j->transitions = plumb_csp_graph_edge_count(j->impl.graph);
}

/* What the engines found is not believed: accept.h. */
enum plumb_status plumb_refine_judge_accept_refinement(
    struct plumb_refine_judgement *j, struct plumb_csp_graph *impl,
    struct plumb_csp_graph *spec)
{
    bool yes = false;
    const enum plumb_status status = plumb_refine_accept_refinement(
        impl, spec, semantics_of(j->assertion->kind), &j->refinement,
        j->world.budget, &yes, j->err);
    return plumb_refine_judge_accepted(
        j, j->refinement.refines, status, yes,
        j->refinement.refines ? "the proof" : "the counterexample");
}

/* ---- refinement ---- */

static enum plumb_status refine_plainly(
    struct plumb_refine_judgement *j,
    const struct plumb_refine_options *options)
{
    const enum plumb_status status =
        plumb_refine(j->impl.graph, j->spec.graph, options, &j->arena,
                     &j->refinement, j->err);
    plumb_refine_judge_note_size(j);
    return status == PLUMB_OK ? plumb_refine_judge_accept_refinement(
                                    j, j->impl.graph, j->spec.graph)
                              : status;
}

/* Small ones are decided at once, and their counterexamples are the shortest.
 * Then it pays if many states become one, since each costs more. */
static enum plumb_status refine(struct plumb_refine_judgement *j)
{
    enum { PAYS = 6, BRIEF_STATES = 100000 };
    struct plumb_refine_options options = {
        .semantics = semantics_of(j->assertion->kind),
        .engine = j->how->engine,
        .threads = j->how->threads,
        .certificate = true,
        .pat3_counts = j->how->counting == PLUMB_COUNT_PAT3 && j->how->counts,
        .progress = j->how->progress,
        .context = j->how->context
    };
    const bool automatic = j->how->symmetry == PLUMB_SYMMETRY_AUTO;
    if (!j->symmetric.applies || (automatic && j->symmetric.order < PAYS))
        return refine_plainly(j, &options);
    if (automatic) {
        struct plumb_refine_options first = options;
        first.brief = true;
        first.most_states = BRIEF_STATES;
        const enum plumb_status status = refine_plainly(j, &first);
        if (status != PLUMB_END)
            return status;
    }
    const enum plumb_status status =
        plumb_refine_judge_refine_symmetrically(j, &options);
    if (!j->symmetric.renaming.refused)
        return status;
    j->symmetrically = j->unverified = false;
    j->no_symmetry.what = "a process cannot be renamed";
    return refine_plainly(j, &options);
}

static enum plumb_status decide_refinement(struct plumb_refine_judgement *j)
{
    const struct plumb_refinement *const r = &j->refinement;
    PLUMB_TRY(refine(j));
    j->holds = r->refines;
    j->path = r->path;
    j->length = r->length;
    j->cycle = r->offence == PLUMB_OFFENCE_DIVERGENCE ? r->cycle : r->length;
    return PLUMB_OK;
}

/* ---- other questions ---- */

enum plumb_refine_question plumb_refine_judge_question(
    enum plumb_csp_assertion_kind kind)
{
    switch (kind) {
    case PLUMB_ASSERT_DEADLOCKFREE:
        return PLUMB_DEADLOCKFREE;
    case PLUMB_ASSERT_NONTERMINATING:
        return PLUMB_NONTERMINATING;
    case PLUMB_ASSERT_DIVERGENCEFREE:
        return PLUMB_DIVERGENCEFREE;
    case PLUMB_ASSERT_DETERMINISTIC:
        return PLUMB_DETERMINISTIC;
    default:
        return PLUMB_REACHES;
    }
}

enum plumb_status plumb_refine_judge_accept_examination(
    struct plumb_refine_judgement *j, struct plumb_csp_graph *graph,
    const struct plumb_refine_goal *goal)
{
    bool yes = false;
    const enum plumb_status status = plumb_refine_accept_examination(
        graph, plumb_refine_judge_question(j->assertion->kind), goal,
        &j->examination, j->world.budget, &yes, j->err);
    return plumb_refine_judge_accepted(j, j->examination.holds, status, yes,
                                       j->examination.path
                                           ? "the path that was found"
                                           : "the claim that no path exists");
}

enum plumb_status plumb_refine_judge_look(struct plumb_refine_judgement *j,
                                          struct plumb_csp_graph *graph,
                                          const struct plumb_refine_goal *goal)
{
    const enum plumb_csp_assertion_kind kind = j->assertion->kind;
    const enum plumb_refine_question question =
        plumb_refine_judge_question(kind);
    const struct plumb_refine_seeking how = { .how = j->how->search };
    const bool one_is_enough =
        kind == PLUMB_ASSERT_DEADLOCKFREE ||
        (kind == PLUMB_ASSERT_REACHES && !goal->optimise);
    return one_is_enough
               ? plumb_refine_seek(graph, question, goal, &how, &j->arena,
                                   &j->examination, j->err)
               : plumb_refine_examine(graph, question, goal, &j->arena,
                                      &j->examination, j->err);
}

static enum plumb_status examine_plainly(struct plumb_refine_judgement *j)
{
    struct plumb_refine_propositions p;
    struct plumb_refine_goal goal = { .optimise = j->assertion->optimise };
    enum plumb_status status = plumb_refine_propositions_open(
        &p, &j->world, j->impl.system, j->impl.numbering, j->err);
    if (status == PLUMB_OK && j->assertion->kind == PLUMB_ASSERT_REACHES)
        status =
            plumb_refine_propositions_goal(&p, j->assertion, &goal, j->err);
    if (status == PLUMB_OK)
        status = plumb_refine_judge_look(j, j->impl.graph, &goal);
    plumb_refine_judge_note_size(j);
    if (status == PLUMB_OK)
        status = plumb_refine_judge_accept_examination(j, j->impl.graph, &goal);
    plumb_refine_propositions_close(&p);
    return status;
}

static enum plumb_status decide_question(struct plumb_refine_judgement *j)
{
    const struct plumb_refine_examination *const x = &j->examination;
    enum plumb_status status = j->symmetric.applies
                                   ? plumb_refine_judge_examine_symmetrically(j)
                                   : examine_plainly(j);
    if (j->symmetric.applies && j->symmetric.renaming.refused) {
        j->symmetrically = j->unverified = false;
        j->no_symmetry.what = "a process cannot be renamed";
        status = examine_plainly(j);
    }
    if (status != PLUMB_OK)
        return status;
    j->holds = x->holds;
    j->path = x->path;
    j->length = x->length;
    j->cycle = j->assertion->kind == PLUMB_ASSERT_DIVERGENCEFREE ? x->cycle
                                                                 : x->length;
    return PLUMB_OK;
}

static enum plumb_status accept_run(struct plumb_refine_judgement *j,
                                    const struct plumb_refine_formula *formula,
                                    const struct plumb_refine_labels *labels,
                                    enum plumb_refine_fairness fairness)
{
    bool yes = false;
    const bool holds = j->run.holds;
    const enum plumb_status status =
        (holds ? plumb_refine_accept_formula : plumb_refine_accept_run)(
            j->impl.graph, formula, labels, fairness, &j->run, j->world.budget,
            &yes, j->err);
    j->believed = status == PLUMB_END;
    if (j->believed)
        return PLUMB_OK;
    return plumb_refine_judge_accepted(
        j, holds, status, yes, holds ? "the proof" : "the counterexample");
}

static enum plumb_status decide_formula(struct plumb_refine_judgement *j)
{
    const struct plumb_csp_assertion *const a = j->assertion;
    struct plumb_refine_formula formula;
    struct plumb_refine_propositions p;
    struct plumb_refine_labels labels;
    enum plumb_status status = plumb_refine_propositions_open(
        &p, &j->world, j->impl.system, j->impl.numbering, j->err);
    if (status == PLUMB_OK)
        status = plumb_refine_propositions_formula(&p, a, &j->arena, &formula,
                                                   &labels, j->err);
    if (status == PLUMB_OK)
        status = plumb_refine_ltl_check(j->impl.graph, &formula, &labels,
                                        j->how->fairness, &j->arena, &j->run,
                                        j->err);
    plumb_refine_judge_note_size(j);
    if (status == PLUMB_OK)
        status = accept_run(j, &formula, &labels, j->how->fairness);
    if (status == PLUMB_OK && j->run.holds)
        j->vacuous_event = plumb_refine_vacuous_event(&p, j->impl.graph);
    plumb_refine_propositions_close(&p);
    if (status != PLUMB_OK)
        return status;
    j->holds = j->run.holds;
    j->path = j->run.path;
    j->length = j->run.length;
    j->cycle = j->run.cycle;
    return PLUMB_OK;
}

static enum plumb_status decide(struct plumb_refine_judgement *j)
{
    if (plumb_refine_judge_is_refinement(j->assertion->kind))
        return decide_refinement(j);
    if (j->assertion->kind == PLUMB_ASSERT_LTL)
        return decide_formula(j);
    if (plumb_refine_judge_is_progress(j->assertion->kind))
        return plumb_refine_judge_progress(j);
    if (j->assertion->kind == PLUMB_ASSERT_EQUAL)
        return plumb_refine_judge_equivalence(j);
    return decide_question(j);
}

/* The way to where one side goes wrong.  States up to who is who are looked at
 * elsewhere (`symmetric`): as many as they can stand for are made here. */
static bool find_error_path(struct plumb_refine_judgement *j,
                            const struct plumb_refine_side *side,
                            const struct plumb_csp_graph *symmetric)
{
    enum { ENOUGH = 10000000 };
    const uint64_t others =
        symmetric && j->symmetric.applies
            ? plumb_csp_graph_states(symmetric) * (uint64_t)j->symmetric.order
            : 0;
    return side->graph && side->system &&
           plumb_refine_error_path_find(
               side->graph, others < ENOUGH ? (uint32_t)others : ENOUGH,
               j->world.budget, &j->arena, &j->path, &j->length, j->err);
}

static void find_error_paths(struct plumb_refine_judgement *j)
{
    const bool impl = find_error_path(j, &j->impl, j->symmetric.impl.graph);
    j->in_specification =
        !impl && find_error_path(j, &j->spec, j->symmetric.spec.graph);
    if (impl || j->in_specification)
        j->cycle = j->length;
}

/* From here on time does not count: there is little to do but to tell. */
static void tell_unhurriedly(struct plumb_refine_judgement *j)
{
    struct plumb_csp_graph *const graph[] = { j->impl.graph, j->spec.graph,
                                              j->symmetric.impl.graph,
                                              j->symmetric.spec.graph };
    for (size_t i = 0; i < sizeof graph / sizeof *graph; i++)
        if (graph[i])
            plumb_csp_graph_unhurry(graph[i]);
    j->world.unhurried = true;
}

enum plumb_status plumb_refine_judge(struct plumb_refine_judgement *j,
                                     const struct plumb_csp_model *model,
                                     uint32_t index,
                                     const struct plumb_refine_judging *how,
                                     struct plumb_error *err)
{
    assert(index < model->assertions);
    *j = (struct plumb_refine_judgement){ .model = model,
                                          .assertion = model->assertion + index,
                                          .how = how,
                                          .err = err };
    plumb_base_arena_init(&j->arena, how->budget);
    enum plumb_status status =
        plumb_csp_world_open(&j->world, model, how->counting, how->budget, err);
    j->world.native = how->native;
    j->world.threading = (struct plumb_csp_threading){ .threads = how->threads,
                                                       .after = FEW_STATES };
    if (status == PLUMB_OK)
        status = open_sides(j);
    if (status == PLUMB_OK)
        status = plumb_refine_judge_consider_symmetry(j);
    if (status == PLUMB_OK) {
        tell_of_states(j);
        status = decide(j);
    }
    tell_unhurriedly(j);
    if (status == PLUMB_EINPUT && !j->path)
        find_error_paths(j);
    j->decided = status == PLUMB_OK;
    j->how = NULL;
    j->err = NULL;
    return status;
}

void plumb_refine_judgement_free(struct plumb_refine_judgement *j)
{
    plumb_refine_symmetric_close(&j->symmetric);
    plumb_refine_side_close(&j->impl);
    plumb_refine_side_close(&j->spec);
    plumb_csp_world_close(&j->world);
    plumb_base_arena_release(&j->arena);
}
