/* judge_progress.h - an assertion about progress, decided. */
#ifndef PLUMB_REFINE_PROGRESS_JUDGE_PROGRESS_H
#define PLUMB_REFINE_PROGRESS_JUDGE_PROGRESS_H

#include "refine/judge.h"

bool plumb_refine_judge_is_progress(enum plumb_csp_assertion_kind kind);

/* Decide it: j->progress and the path, also of an error in calls. */
enum plumb_status plumb_refine_judge_progress(struct plumb_refine_judgement *j);

#endif
