/* explore_report.h - what an exploration found, in words. */
#ifndef PLUMB_APP_EXPLORE_REPORT_EXPLORE_REPORT_H
#define PLUMB_APP_EXPLORE_REPORT_EXPLORE_REPORT_H

#include "explore_totals.h"

/* No violation was found: say so, and how much that means. */
enum console_status explore_report_pass(const struct exploration *e,
                                        const struct explore_totals *t);

/* Pairs of places that race, each once: what may be behind a violation. */
struct explore_races {
    struct {
        uint64_t place[2]; /* the smaller first */
    } race[32];
    unsigned count;
    bool incomplete; /* there were too many places to preempt at all of them */
};

void explore_races_add(struct explore_races *r, uint64_t a, uint64_t b);

/* A violation, as small as it became. */
struct explore_found {
    struct explore_violation violation;
    struct explore_host_process
        replayed;                    /* with its trace                        */
    char schedule[PATH_MAX];         /* its file; or ""                       */
    unsigned scenario, scenarios;    /* it was found in this one, of so many  */
    unsigned size;                   /* operations it had then                */
    uint64_t executions;             /* of all scenarios up to then           */
    const struct job_cycles *cycles; /* of all of them                     */
    /* --algorithm round-up, or NULL; by default this would be no violation. */
    const struct explore_round_up_totals *round_up;
    bool accepted;
    const struct explore_races *races; /* likewise                         */
    char heading
        [64]; /* unless it is the first: in place of "also: ...", or "" */
};

/* `first`: the result line as well. */
void explore_report_violation(const struct exploration *e,
                              const struct explore_found *f, bool first);

/* The execution of a job that was replayed from the file `schedule`, and its
 * finding, if any. */
void explore_report_replay(const struct exploration *e, const struct job *job,
                           const char *schedule);

#endif
