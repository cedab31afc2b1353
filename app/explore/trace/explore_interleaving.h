/* explore_interleaving.h - an execution, told step by step. */
#ifndef PLUMB_APP_EXPLORE_TRACE_EXPLORE_INTERLEAVING_H
#define PLUMB_APP_EXPLORE_TRACE_EXPLORE_INTERLEAVING_H

#include "app/binary/debug_symbols.h"
#include "base/text.h"
#include "report/label.h"
#include "runtime/explore/job/job.h"

/* What happened in a job that was replayed, from its trace: what went wrong,
 * then a column per thread.  `object`: the shared object, for names.  `all`:
 * also what a reader can do without.  Without a style, members of an object,
 * for programs: docs/json-output.md. */
void explore_show_interleaving(const struct job *replayed, const char *object,
                               const struct plumb_report_style *style, bool all,
                               struct plumb_base_text *out);

/* The scenario as a table, with what was answered: the operations before, a
 * column per process, the operations behind. */
void explore_show_scenario(const struct job *job,
                           const struct job_finding *finding,
                           const struct plumb_report_style *style,
                           struct plumb_base_text *out);

/* The place in the code that an offset stands for: "push (treiber.c:31)". */
void explore_show_place(const char *object, uint64_t offset,
                        struct plumb_base_text *out);
/* ... and its parts; false if its line is not known. */
bool explore_find_place(const char *object, uint64_t offset,
                        struct binary_symbol_place *place);

#endif
