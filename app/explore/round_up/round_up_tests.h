/* round_up_tests.h - `--algorithm round-up`: both phases for one test after the
 * other.
 *
 *     phase 1   golden model --> legal sequential histories
 *     phase 2   object --> histories --> sequentializations --> permutations,
 *               looked up among those of phase 1
 *
 * That is the method of the paper as printed (src/quasi).  The default needs no
 * permutations: src/spec/relaxed. */
#ifndef PLUMB_APP_EXPLORE_ROUND_UP_ROUND_UP_TESTS_H
#define PLUMB_APP_EXPLORE_ROUND_UP_ROUND_UP_TESTS_H

#include "app/explore/driver/exploration.h"
#include "base/text.h"
#include "quasi/round_up.h"

struct explore_round_up_totals {
    const char *golden;
    unsigned tests;
    unsigned permuted; /* operations that are, of the largest test        */
    uint64_t executions, nanoseconds[2]; /* of each phase */
    struct plumb_quasi_counts counts;
};

struct explore_round_up;

/* NULL after saying why not. */
struct explore_round_up *explore_round_up_open(const struct exploration *e);
void explore_round_up_close(struct explore_round_up *r);

/* Decide all histories that a job kept.  If some are wrong, the first becomes a
 * finding of the job.  *why, if it is not "": not all could be decided.  False
 * after saying why it cannot go on. */
bool explore_round_up_take(struct explore_round_up *r,
                           const struct explore_host_process *h, char why[256]);

const struct explore_round_up_totals *explore_round_up_counted(
    const struct explore_round_up *r);

/* Such a finding: does the default accept its history all the same? */
bool explore_round_up_is_accepted(const struct exploration *e,
                                  const struct job *job,
                                  const struct job_finding *f);

/* ---- well-formed tests: well_formed.c ---- */

/* A test with fewer removals than additions may show values that no legal
 * sequential history has (section V-D): say so. */
void explore_round_up_warn(const struct exploration *e,
                           const struct explore_scenario *s);

/* Complete a test so that there are as many removals as additions: *before and
 * *after, which the caller frees, are the operations before and after those of
 * the threads.  False when memory is used up. */
bool explore_round_up_complete(const struct exploration *e, const char *init,
                               const char *test, char **before, char **after);

#endif
