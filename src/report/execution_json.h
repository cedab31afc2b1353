/* execution_json.h - an execution that went wrong, for programs: docs/JSON.md.
 *
 * Each adds members to an object that has some already. */
#ifndef PLUMB_REPORT_EXECUTION_JSON_H
#define PLUMB_REPORT_EXECUTION_JSON_H

#include "faults.h"
#include "interleaving.h"

/* What it happened to, and who did what to it. */
void plumb_json_deeds(const char *object, const struct plumb_deed *deed,
                      size_t count, struct plumb_text *out);
void plumb_json_waiters(const struct plumb_waiter *waiter, size_t count,
                        struct plumb_text *out);
void plumb_json_interleaving(const struct plumb_interleaving *what,
                             struct plumb_text *out);

#endif
