/* explore_minimise.c - the smallest scenario that still shows a violation.
 *
 * Operations are left out one by one; whatever leaves a violation of the same
 * kind is kept.  When no single one can be left out any more, fewer of them are
 * done at once: before all others, or by a thread that does something already.
 * Then the smallest bound on preemptions that still shows it gives a schedule
 * with the fewest.
 *
 * Every attempt is a job with a limit on its executions, not on its time, so
 * that the same violation is minimised in the same way every time. */
#include "app/objects/described_object.h"
#include "exploration.h"
#include <string.h>

enum {
    ATTEMPT_EXECUTIONS = 100000,
    ALL_EXECUTIONS = 400000,      /* of all attempts */
    ATTEMPT_MILLISECONDS = 20000, /* in case they are slow ones */
};

/* The first violation among the findings like that; false if none is. */
static bool find_alike(const struct exploration *e, const struct job *job,
                       const struct job_finding *like, uint32_t *found)
{
    char why[256];
    for (uint32_t i = 0; i < job->findings; i++) {
        const struct job_finding *const f = &job->finding[i];
        if (!explore_findings_are_alike(e, f, like) ||
            exploration_judge(e, job, f, why) != JUDGED_VIOLATION)
            continue;
        *found = i;
        return true;
    }
    return false;
}

/* Strategies that go by chance find it again or not: they are replaced. */
static void prepare(const struct exploration *e,
                    const struct explore_violation *v,
                    const struct explore_scenario *s, uint32_t preemptions,
                    uint64_t left, struct job_request *r)
{
    exploration_request(e, s, r);
    if (r->strategy == PLUMB_RANDOM || r->strategy == PLUMB_PCT)
        r->strategy = PLUMB_STATES;
    r->calls = v->host.job->request.calls;
    r->bounded = true;
    r->preemptions = preemptions;
    r->executions = left < ATTEMPT_EXECUTIONS ? left : ATTEMPT_EXECUTIONS;
    r->memory = e->memory; /* it goes on if it should: behind others */
}

enum attempt { SHOWN, NOT_SHOWN, IMPOSSIBLE };

/* Does `s` show it too?  Then it is the violation from now on. */
static enum attempt attempt(const struct exploration *e,
                            struct explore_violation *v,
                            const struct explore_scenario *s,
                            uint32_t preemptions, uint64_t *left)
{
    struct explore_host_process h;
    uint32_t found = 0;
    if (*left == 0)
        return NOT_SHOWN;
    if (!explore_host_open(&h))
        return IMPOSSIBLE;
    prepare(e, v, s, preemptions, *left, &h.job->request);
    const enum job_end end = exploration_run_job(e, &h, ATTEMPT_MILLISECONDS);
    const uint64_t used = atomic_load(&h.job->progress.executions);
    *left -= used < *left ? used : *left;
    if (end == JOB_ERROR ||
        !find_alike(e, h.job, explore_violation_finding(v), &found)) {
        explore_host_close(&h);
        return end == JOB_ERROR ? IMPOSSIBLE : NOT_SHOWN;
    }
    explore_host_close(&v->host);
    v->host = h;
    v->finding = found;
    v->scenario = *s;
    return SHOWN;
}

static bool time_is_left(const struct exploration *e)
{
    return plumb_budget_state(e->budget) == PLUMB_OK;
}

static bool has_operation(const char *test)
{
    return test[strspn(test, " |")] != '\0';
}

/* One operation fewer, if that can be. */
static enum attempt leave_one_out(const struct exploration *e,
                                  struct explore_violation *v,
                                  bool keep_threads, uint64_t *left)
{
    const unsigned size = explore_scenario_size(&v->scenario);
    const uint32_t preemptions = explore_violation_finding(v)->preemptions;
    struct explore_scenario smaller;
    for (unsigned k = 0; k < size && time_is_left(e); k++) {
        explore_scenario_without(&v->scenario, k, keep_threads, &smaller);
        if (!has_operation(smaller.test))
            continue;
        const enum attempt result = attempt(e, v, &smaller, preemptions, left);
        if (result != NOT_SHOWN)
            return result;
    }
    return NOT_SHOWN;
}

/* One operation before all others. */
static enum attempt move_one(const struct exploration *e,
                             struct explore_violation *v, bool keep_threads,
                             uint64_t *left)
{
    const unsigned threads = explore_scenario_shape(&v->scenario).threads;
    const uint32_t preemptions = explore_violation_finding(v)->preemptions;
    struct explore_scenario moved;
    enum attempt result = NOT_SHOWN;
    for (unsigned t = 0; t < threads && result == NOT_SHOWN && time_is_left(e);
         t++)
        if (explore_scenario_moved(&v->scenario, t, keep_threads, &moved) &&
            has_operation(moved.test))
            result = attempt(e, v, &moved, preemptions, left);
    return result;
}

/* One thread fewer. */
static enum attempt join_two(const struct exploration *e,
                             struct explore_violation *v, uint64_t *left)
{
    const unsigned threads = explore_scenario_shape(&v->scenario).threads;
    const uint32_t preemptions = explore_violation_finding(v)->preemptions;
    struct explore_scenario joined;
    enum attempt result = NOT_SHOWN;
    for (unsigned pair = 0; pair < threads * threads && result == NOT_SHOWN &&
                            threads > 2 && time_is_left(e);
         pair++)
        if (explore_scenario_joined(&v->scenario, pair / threads,
                                    pair % threads, &joined))
            result = attempt(e, v, &joined, preemptions, left);
    return result;
}

/* As few operations as can be, and of these as few at once. */
static enum attempt simplify(const struct exploration *e,
                             struct explore_violation *v, uint64_t *left)
{
    const bool keep_threads = objects_described_threads_differ(&e->what);
    uint64_t other = ATTEMPT_EXECUTIONS; /* the rest is for preemptions */
    enum attempt result;
    do {
        result = leave_one_out(e, v, keep_threads, left);
        if (result == NOT_SHOWN)
            result = move_one(e, v, keep_threads, &other);
        if (result == NOT_SHOWN && !keep_threads)
            result = join_two(e, v, &other);
    } while (result == SHOWN);
    return result;
}

bool exploration_minimise(const struct exploration *e,
                          struct explore_violation *v)
{
    uint64_t left = ALL_EXECUTIONS;
    enum attempt result = e->program ? NOT_SHOWN : simplify(e, v, &left);
    const struct explore_scenario smallest = v->scenario;
    const uint32_t most = explore_violation_finding(v)->preemptions;
    for (uint32_t n = 0; n < most && result == NOT_SHOWN && time_is_left(e);
         n++)
        result = attempt(e, v, &smallest, n, &left);
    return result != IMPOSSIBLE;
}
