/* explore_fault.h - what went wrong, with the names of the target. */
#ifndef PLUMB_APP_EXPLORE_TRACE_EXPLORE_FAULT_H
#define PLUMB_APP_EXPLORE_TRACE_EXPLORE_FAULT_H

#include "report/label.h"
#include "trace_names.h"

/* "use after free". */
void explore_fault_name(enum scheduler_fault fault,
                        struct plumb_base_text *out);

/* " of node#1.next": what it happened to, if that is known. */
void explore_fault_object(const struct explore_trace_names *n,
                          const struct job_finding *finding,
                          struct plumb_base_text *out);

/* Some lines, or none if there is nothing to add to the name; without a style
 * as members of an object, for programs: docs/json-output.md.  `finding` may be
 * NULL. */
void explore_tell_fault(const struct explore_trace_names *n,
                        const struct job_finding *finding,
                        const struct plumb_report_style *style,
                        struct plumb_base_text *out);

#endif
