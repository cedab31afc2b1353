/* verify_steps.h - the steps of a counterexample, a column per process. */
#ifndef PLUMB_APP_VERIFY_VERIFY_STEPS_H
#define PLUMB_APP_VERIFY_VERIFY_STEPS_H

#include "base/text.h"
#include "refine/judge.h"
#include "report/label.h"
#include "verify_way.h"

/* `all`: also steps that nobody sees and that change nothing but where a
 * process is. */
void verify_steps(struct plumb_refine_judgement *j,
                  const struct plumb_report_style *style, bool all,
                  unsigned indent, struct plumb_base_text *out);

/* What one step is, in words: push_inv.0, or [hidden.1] H=1, HL[0]=1. */
void verify_step_text(const struct verify_way *w, struct plumb_base_text *out);

#endif
