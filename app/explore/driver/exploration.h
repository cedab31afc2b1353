/* exploration.h - a target that is explored: what is known of it, and the jobs
 * that are run on it.
 *
 *     samples or --test --> jobs, several at once --> findings, in order
 *     finding --> confirmed --> minimised --> replayed --> told
 *
 * One scenario is one job, in a process of its own. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_EXPLORATION_H
#define PLUMB_APP_EXPLORE_DRIVER_EXPLORATION_H

#include "app/objects/target.h"
#include "explore_settings.h"
#include "host_process.h"
#include "rising_bound.h"
#include "scenario.h"
#include <plumb/history.h>
#include <plumb/spec.h>

struct exploration {
    const struct explore_settings *with;
    const struct objects_target *target;
    char subject[300];           /* what the result line calls it           */
    struct job_description what; /* as the host saw it                      */
    struct plumb_object object;  /* ... as if it were loaded; or a program  */
    bool program;                /* it has a main() and no PLUMB_OBJECT     */
    const char *spec_name;       /* as given, or as the object says; or ""  */
    /* With --quasi: without it, and as it is now, with k=factor. */
    char strict_name[JOB_TEXT], relaxed_name[JOB_TEXT];
    unsigned factor;
    bool no_factor; /* no K accepts what was found                            */
    struct objects_target *plugin; /* if that is a file                       */
    struct plumb_spec *spec;       /* NULL: a program, or it is inferred      */
    bool infers;                   /* the specification, from serial runs     */
    bool tries;                    /* a suggestion: errors are not said       */
    struct plumb_budget *budget;
    char unseen[256];    /* code without hooks, or ""               */
    bool may_be_unseen;  /* inline assembly that is not followed, if it runs */
    size_t memory;       /* for all jobs together; 0 is no limit    */
    const char *command; /* that results name; NULL: "explore"  */
    uint64_t deadline;   /* CLOCK_MONOTONIC, nanoseconds; 0: none   */
};

/* ---- jobs: explore_run.c ---- */

/* A test with its own `init`, or if that is NULL with what the settings or the
 * object have. */
void exploration_scenario(const struct exploration *e, const char *test,
                          const char *init, struct explore_scenario *s);

/* The request for one scenario, as the settings have it. */
void exploration_request(const struct exploration *e,
                         const struct explore_scenario *s,
                         struct job_request *request);

/* Start it and wait for its end, or for the end of the time: at most
 * `milliseconds` (0: no limit of its own).  JOB_ERROR after saying why, unless
 * e->tries. */
enum job_end exploration_run_job(const struct exploration *e,
                                 struct explore_host_process *h,
                                 uint64_t milliseconds);

/* Load the target for what it says of itself. */
bool exploration_describe(struct exploration *e);

/* A schedule, how many points of the request it was run with, how many of its
 * last steps repeat, and which race it is to show (as in job_request). */
struct explore_schedule_part {
    const struct job_step *step;
    const uint8_t *switched; /* as in struct job */
    uint32_t length, points, cycle;
    uint64_t race[2];
};

/* Run a schedule again, recording what happens.  The host is
 * open afterwards, whatever came of it. */
enum job_end exploration_replay(const struct exploration *e,
                                const struct job_request *request,
                                const struct explore_schedule_part *part,
                                struct explore_host_process *h);

/* The same, made ready and not run. */
bool exploration_prepare_replay(const struct job_request *request,
                                const struct explore_schedule_part *part,
                                struct explore_host_process *h);

/* Each has its own `init` and `final`, unless they are NULL. */
struct exploration_tests {
    const char *const *test, *const *init, *const *final;
    unsigned count;
    unsigned sure, sure_end;           /* from here to there none is left out */
    const struct explore_limit *limit; /* of each; or NULL           */
    /* In place of `test`, if there is no end to them: the next one; false: that
     * was the last. */
    bool (*next)(void *context, char test[JOB_TEXT]);
    void *context;
};

/* Run them, `jobs` at a time.  `take` gets each job that ended, in the order of
 * the tests, and says which one is next: this one plus 1, one further on, this
 * one again (unless there is `next`), or TAKE_NO_MORE.  When it is stopped it gets all that have begun.  False after
 * saying why it cannot go on. */
#define TAKE_NO_MORE UINT_MAX
typedef unsigned exploration_take(void *context, unsigned number,
                                  struct explore_host_process *h,
                                  enum job_end end);
bool exploration_run(const struct exploration *e,
                     const struct exploration_tests *tests,
                     exploration_take *take, void *context);

/* ---- findings: explore_confirm.c ---- */

enum explore_judgement {
    JUDGED_NOTHING,   /* no violation: waiting was all right           */
    JUDGED_VIOLATION, /* ... and is one                                */
    JUDGED_UNDECIDED, /* `why` says what is in the way                 */
    JUDGED_BUG        /* of ours: `why` says which                     */
};
enum explore_judgement exploration_judge(const struct exploration *e,
                                         const struct job *job,
                                         const struct job_finding *f,
                                         char why[256]);

/* The history of a finding. */
enum plumb_status explore_finding_history(const struct job *job,
                                          const struct job_finding *f,
                                          struct plumb_budget *budget,
                                          struct plumb_history *h,
                                          struct plumb_error *err);

/* "not linearizable", "use after free", ... */
const char *explore_verdict_of_fault(enum scheduler_fault fault);

/* Are two findings of one kind?  If several are wanted (--keep-going), of one
 * kind and at the same lines, and histories wrong in the same way. */
bool explore_findings_are_alike(const struct exploration *e,
                                const struct job_finding *a,
                                const struct job_finding *b);

/* ---- making it small: explore_minimise.c ---- */

/* A violation, and the job that shows it. */
struct explore_violation {
    struct explore_scenario scenario;
    struct explore_host_process host;
    uint32_t finding; /* which one of the job's */
};

static inline const struct job_finding *explore_violation_finding(
    const struct explore_violation *v)
{
    return &v->host.job->finding[v->finding];
}

/* Fewer operations, then fewer preemptions, as long as there is a violation of
 * the same kind.  False if a job could not be run. */
bool exploration_minimise(const struct exploration *e,
                          struct explore_violation *v);

/* ---- from scenarios to a verdict: explore_search.c ---- */

/* Run these tests, and report. */
enum console_status exploration_search_tests(
    struct exploration *e, const struct exploration_tests *tests);

/* ---- which tests: choose_tests.c ---- */

/* Everything above, and the report.  `e` is described. */
enum console_status exploration_search(struct exploration *e);

#endif
