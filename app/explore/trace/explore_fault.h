/* explore_fault.h - what went wrong, with the names of the target. */
#ifndef PLUMB_CLI_EXPLORE_FAULT_H
#define PLUMB_CLI_EXPLORE_FAULT_H

#include "trace_names.h"

/* "use after free". */
void explore_fault_name(enum stage_fault fault, struct plumb_text *out);

/* " of node#1.next": what it happened to, if that is known. */
void explore_fault_object(const struct trace_names *n,
                          const struct job_finding *finding,
                          struct plumb_text *out);

/* Some lines, or none if there is nothing to add to the name; `finding` may be
 * NULL. */
void explore_show_fault(const struct trace_names *n,
                        const struct job_finding *finding,
                        struct plumb_text *out);

/* The same as members of an object, for programs: docs/JSON.md. */
void explore_json_fault(const struct trace_names *n,
                        const struct job_finding *finding,
                        struct plumb_text *out);

#endif
