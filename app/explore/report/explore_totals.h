/* explore_totals.h - what the jobs of an exploration add up to. */
#ifndef PLUMB_APP_EXPLORE_REPORT_EXPLORE_TOTALS_H
#define PLUMB_APP_EXPLORE_REPORT_EXPLORE_TOTALS_H

#include "app/explore/driver/exploration.h"

/* Of phase 1, where the specification is inferred.  UINT64_MAX histories: that
 * many, or more. */
struct explore_serial_totals {
    uint64_t histories, most; /* of all tests; of one            */
    uint64_t stuck;           /* of those                        */
    unsigned blocking;        /* tests that have stuck ones      */
    uint32_t positions;       /* of the largest automaton        */
    uint64_t nanoseconds, longest;
    char like[256]; /* the built-in specifications that agree; or "" */
};

struct explore_totals {
    unsigned scenarios, wanted; /* that were run, and that should be     */
    struct explore_scenario_shape
        shape; /* the largest                           */
    uint64_t executions, states, histories;
    uint64_t asleep;   /* executions that dpor gave up: they are no traces  */
    bool exhausted;    /* all schedules of all scenarios, within the bound */
    enum job_end end;  /* JOB_DONE, or why it ended before that            */
    bool cut;          /* some executions were given up after --steps      */
    bool withheld;     /* ... or some schedules were left out as unfair    */
    bool missed;       /* some races may have been missed                  */
    unsigned leaks;    /* scenarios in which not all memory was freed        */
    uint64_t failed;   /* executions of a program that did not exit with 0   */
    uint64_t assumed;  /* ... in which an assumption does not hold           */
    uint64_t complete; /* executions that were run to their end             */
    uint64_t stuck;    /* executions that wait for ever, as they may         */
    char undecided[256];  /* a finding that is in the way of a verdict; or ""*/
    char unfollowed[256]; /* inline assembly that ran and is not followed */
    uint64_t invoked[PLUMB_MAX_OPERATIONS]; /* scenarios that have it */
    /* Were in different threads of some scenario: both ways round. */
    bool apart[PLUMB_MAX_OPERATIONS][PLUMB_MAX_OPERATIONS];
    struct job_coverage coverage;
    uint32_t weak_order[JOB_WEAK_ORDERS]; /* offsets in the code, upwards */
    uint32_t weak_orders;
    struct job_cycles cycles; /* of violations, too */
    struct explore_serial_totals serial;
    const struct explore_round_up_totals *round_up; /* or NULL */
};

void explore_totals_init(struct explore_totals *t, unsigned wanted);

/* One more job, in which there was no violation. */
void explore_totals_add(struct explore_totals *t, const struct exploration *e,
                        struct job *job, enum job_end end);

/* Why not all schedules were run; NULL if they were, or were not to be. */
const char *explore_totals_shortfall(const struct explore_totals *t);

/* Why finding nothing is no pass; "" if it is one. */
void explore_totals_doubt(const struct explore_totals *t,
                          const struct exploration *e, char doubt[256]);

#endif
