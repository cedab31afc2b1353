/* accept.h - not believing a verdict about graphs.
 *
 * Written from the definitions, sharing nothing with the engines.  A
 * counterexample is walked and its trace is looked for in the specification; a
 * claim of refinement comes with a relation that must be closed under steps; a
 * claim that no state is of a kind makes the verifier look at all of them.
 *
 * The relation: a set of pairs (implementation state, set of specification
 * states), such that the initial pair is covered, and from a pair every edge
 * of the implementation leads to a covered pair: the same set after tau, the
 * set after the event (which must not be empty) and then taus else.  A pair is
 * covered by one of the relation with the same implementation state and a set
 * that is a subset.  If graphs were minimised first, there are partitions, the
 * pairs speak of blocks, and the partitions are checked to be branching
 * bisimulations. */
#ifndef PLUMB_REFINE_ACCEPT_ACCEPT_H
#define PLUMB_REFINE_ACCEPT_ACCEPT_H

#include "refine/equivalence.h"
#include "refine/examination.h"
#include "refine/object_progress.h"
#include "refine/refinement.h"
#include "refine/temporal.h"

/* Pair i is (impl[i], the set[i]-th set); the k-th set is member[first[k]] ..
 * member[first[k + 1] - 1], sorted. */
struct plumb_refine_relation {
    uint32_t pairs, sets;
    const uint32_t *impl, *set, *member;
    const uint64_t *first;
};

/* Every answer: PLUMB_OK and `*yes`; else what was refused while verifying,
 * or an error of the model where a graph is made further. */

/* Is `path` a way through `impl` that ends as `r` says and that `spec` cannot
 * follow? */
enum plumb_status plumb_refine_accept_counterexample(
    struct plumb_csp_graph *impl, struct plumb_csp_graph *spec,
    enum plumb_refine_semantics semantics, const struct plumb_refinement *r,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err);

/* Two different graphs, and the states where they begin. */
struct plumb_refine_claim {
    struct plumb_csp_graph *impl, *spec;
    uint32_t impl_start, spec_start;
    enum plumb_refine_semantics semantics;
};
enum plumb_status plumb_refine_accept_relation(
    const struct plumb_refine_claim *claim,
    const struct plumb_refine_relation *relation, struct plumb_budget *budget,
    bool *yes, struct plumb_error *err);

/* What plumb_refine() decided, and why.  If it holds and there is no
 * certificate, which is how an engine says that the budget refused one: why. */
enum plumb_status plumb_refine_accept_refinement(
    struct plumb_csp_graph *impl, struct plumb_csp_graph *spec,
    enum plumb_refine_semantics semantics, const struct plumb_refinement *r,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err);

/* Is `run` a run of the graph that is fair and breaks the formula? */
enum plumb_status plumb_refine_accept_run(
    struct plumb_csp_graph *g, const struct plumb_refine_formula *formula,
    const struct plumb_refine_labels *labels,
    enum plumb_refine_fairness fairness, const struct plumb_refine_run *run,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err);

/* Is there no fair run that breaks the formula?  PLUMB_END if the formula has
 * too much in it for saying so (accept_holds.c). */
enum plumb_status plumb_refine_accept_formula(
    struct plumb_csp_graph *g, const struct plumb_refine_formula *formula,
    const struct plumb_refine_labels *labels,
    enum plumb_refine_fairness fairness, const struct plumb_refine_run *run,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err);

/* What plumb_examine() found: is the path a way through the graph that ends as
 * is said?  If it found nothing (or nothing better): is there nothing? */
enum plumb_status plumb_refine_accept_examination(
    struct plumb_csp_graph *g, enum plumb_refine_question question,
    const struct plumb_refine_goal *goal,
    const struct plumb_refine_examination *x, struct plumb_budget *budget,
    bool *yes, struct plumb_error *err);

/* Are they branching bisimilar, with divergence; or does the formula tell them
 * apart? */
enum plumb_status plumb_refine_accept_equivalence(
    struct plumb_csp_graph *one, struct plumb_csp_graph *two,
    const struct plumb_refine_equivalence *claim, struct plumb_budget *budget,
    bool *yes, struct plumb_error *err);

/* What was found about progress: is some operation left open for ever as is
 * said, or none? */
enum plumb_status plumb_refine_accept_progress(
    struct plumb_csp_graph *g,
    const struct plumb_refine_progress_labels *labels,
    enum plumb_refine_progress_kind kind,
    const struct plumb_refine_progress *claim, struct plumb_budget *budget,
    bool *yes, struct plumb_error *err);

#endif
