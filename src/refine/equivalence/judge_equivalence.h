/* judge_equivalence.h - an assertion P() = Q(), decided. */
#ifndef PLUMB_REFINE_EQUIVALENCE_JUDGE_EQUIVALENCE_H
#define PLUMB_REFINE_EQUIVALENCE_JUDGE_EQUIVALENCE_H

#include "refine/judge.h"

/* Decide it: j->equivalence and the path. */
enum plumb_status plumb_refine_judge_equivalence(
    struct plumb_refine_judgement *j);

#endif
