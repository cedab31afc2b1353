/* judge_symmetry.h - between judge.c and judge_symmetry.c: what each needs of
 * the other. */
#ifndef PLUMB_REFINE_SYMMETRIC_JUDGE_SYMMETRY_H
#define PLUMB_REFINE_SYMMETRIC_JUDGE_SYMMETRY_H

#include "refine/judge.h"

/* ---- judge_symmetry.c ---- */

/* Find out whether states that differ in who is who can be one, if it is to be
 * tried: then j->symmetric applies. */
enum plumb_status plumb_refine_judge_consider_symmetry(
    struct plumb_refine_judgement *j);

/* Decide so.  What was decided counts unless j->symmetric.renaming.refused; a
 * path is one of j->impl.graph, which is not reduced any more. */
enum plumb_status plumb_refine_judge_refine_symmetrically(
    struct plumb_refine_judgement *j,
    const struct plumb_refine_options *options);
enum plumb_status plumb_refine_judge_examine_symmetrically(
    struct plumb_refine_judgement *j);

/* ---- judge.c ---- */

bool plumb_refine_judge_is_refinement(enum plumb_csp_assertion_kind kind);
/* Is termination hidden? */
bool plumb_refine_judge_is_quiet(const struct plumb_refine_judgement *j);
enum plumb_csp_reduction plumb_refine_judge_reduction(
    const struct plumb_refine_judgement *j);
enum plumb_refine_question plumb_refine_judge_question(
    enum plumb_csp_assertion_kind kind);

/* The states of a side's system and their graph. */
enum plumb_status plumb_refine_side_open_states(
    struct plumb_refine_side *side, struct plumb_csp_world *world,
    enum plumb_csp_reduction reduction, bool quiet, struct plumb_error *err);

/* Have what was found verified; PLUMB_EBUG if it is rejected. */
enum plumb_status plumb_refine_judge_accept_refinement(
    struct plumb_refine_judgement *j, struct plumb_csp_graph *impl,
    struct plumb_csp_graph *spec);
enum plumb_status plumb_refine_judge_accept_examination(
    struct plumb_refine_judgement *j, struct plumb_csp_graph *graph,
    const struct plumb_refine_goal *goal);

/* What a step of verifying came to: if time or memory are used up, j is
 * unverified, and it was found whether it `holds`. */
enum plumb_status plumb_refine_judge_unverified(
    struct plumb_refine_judgement *j, bool holds, enum plumb_status status);

#endif
