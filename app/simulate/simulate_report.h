/* simulate_report.h - what a simulation found, in words. */
#ifndef PLUMB_APP_SIMULATE_SIMULATE_REPORT_H
#define PLUMB_APP_SIMULATE_SIMULATE_REPORT_H

#include "app/console/exit_status.h"
#include "runtime/simulate/shared.h"
#include "simulate_settings.h"
#include <plumb/history.h>
#include <plumb/spec.h>

struct simulate_outcome {
    enum console_status
        status; /* STATUS_ERROR, or HOLDS as far as known here */
    uint64_t histories, operations, stuck, undecided;
    bool violation, time_ran_out, interrupted;
    bool unknown;   /* some are undecided for what the specification lacks */
    bool cut;       /* time ran out while a history was being decided */
    char doubt[96]; /* why finding nothing says little; "" if it does */
    uint64_t began, ended; /* nanoseconds */
};

/* Fill in o->doubt, after the last history. */
void simulate_doubt(struct simulate_outcome *o,
                    const struct worker_description *object,
                    const struct worker_shared *shared);

enum console_status simulate_status(const struct simulate_outcome *o);

/* The result of history `number`, with its core and timeline. */
void simulate_report_violation(const struct simulate_settings *s,
                               const struct plumb_spec *spec,
                               struct plumb_budget *budget, const char *label,
                               uint64_t number, struct plumb_history *h);

/* The object ended its process in `h`; `how` is waitpid()'s.  `phase`: the name
 * of the function, if it was not an operation. */
void simulate_report_death(const struct simulate_settings *s, const char *label,
                           uint64_t number, int how, const char *phase,
                           const struct plumb_history *h);

/* After the last history. */
void simulate_report_end(const struct simulate_settings *s, const char *label,
                         const struct worker_description *object,
                         const struct worker_shared *shared,
                         const struct simulate_outcome *o);

#endif
