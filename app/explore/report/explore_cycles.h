/* explore_cycles.h - `--also serializability`: what there is to say.
 *
 * That an execution is not conflict-serializable is no violation: most of them
 * are right all the same (docs/infer.md).  So this stands beside the verdict. */
#ifndef PLUMB_APP_EXPLORE_REPORT_EXPLORE_CYCLES_H
#define PLUMB_APP_EXPLORE_REPORT_EXPLORE_CYCLES_H

#include "app/explore/driver/exploration.h"
#include "base/text.h"

void explore_cycles_add(struct job_cycles *sum, const struct job_cycles *c);

/* Nothing, if nobody asked. */
void explore_add_cycles(const struct exploration *e, const struct job_cycles *c,
                        struct plumb_base_text *out);
void explore_json_cycles(const struct exploration *e,
                         const struct job_cycles *c,
                         struct plumb_base_text *out);

#endif
