/* execution_json.h - an execution that went wrong, for programs:
 * docs/json-output.md.
 *
 * Each adds members to an object that has some already. */
#ifndef PLUMB_REPORT_EXECUTION_JSON_H
#define PLUMB_REPORT_EXECUTION_JSON_H

#include "faults.h"
#include "interleaving.h"

/* What it happened to, and who did what to it. */
void plumb_report_json_deeds(const char *object,
                             const struct plumb_report_deed *deed, size_t count,
                             struct plumb_base_text *out);
void plumb_report_json_waiters(const struct plumb_report_waiter *waiter,
                               size_t count, struct plumb_base_text *out);
void plumb_report_json_interleaving(
    const struct plumb_report_interleaving *what, struct plumb_base_text *out);

#endif
