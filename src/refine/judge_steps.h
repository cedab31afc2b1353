/* judge_steps.h - what every kind of assertion needs of judge.c. */
#ifndef PLUMB_REFINE_JUDGE_STEPS_H
#define PLUMB_REFINE_JUDGE_STEPS_H

#include "judge.h"

/* How much was looked at, before verifying looks at more. */
void plumb_refine_judge_note_size(struct plumb_refine_judgement *j);

/* The question of the assertion about a graph; `goal` is for `reaches` alone. */
enum plumb_status plumb_refine_judge_look(struct plumb_refine_judgement *j,
                                          struct plumb_csp_graph *graph,
                                          const struct plumb_refine_goal *goal);

/* What the verifier says of `what`, by which it holds or does not. */
enum plumb_status plumb_refine_judge_accepted(struct plumb_refine_judgement *j,
                                              bool holds,
                                              enum plumb_status status,
                                              bool yes, const char *what);

#endif
