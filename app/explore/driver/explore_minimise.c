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

/* A violation that becomes smaller. */
struct reduction {
    const struct exploration *e;
    struct explore_violation *v;
    bool keep_threads;   /* they differ by their number */
    uint64_t left;       /* executions, for fewer operations and preemptions */
    uint64_t left_other; /* ... and for fewer at once */
};

/* Strategies that go by chance find it again or not: they are replaced. */
static void prepare(const struct reduction *m, const struct explore_scenario *s,
                    uint32_t preemptions, uint64_t left, struct job_request *r)
{
    exploration_request(m->e, s, r);
    if (r->strategy == PLUMB_RANDOM || r->strategy == PLUMB_PCT)
        r->strategy = PLUMB_STATES;
    r->calls = m->v->host.job->request.calls;
    r->bounded = true;
    r->preemptions = preemptions;
    r->executions = left < ATTEMPT_EXECUTIONS ? left : ATTEMPT_EXECUTIONS;
    r->memory = m->e->memory; /* it goes on if it should: behind others */
}

enum attempt { SHOWN, NOT_SHOWN, IMPOSSIBLE };

/* Does `s` show it too?  Then it is the violation from now on. */
static enum attempt attempt(struct reduction *m,
                            const struct explore_scenario *s,
                            uint32_t preemptions, uint64_t *left)
{
    struct explore_violation *const v = m->v;
    struct explore_host_process h;
    uint32_t found = 0;
    if (*left == 0)
        return NOT_SHOWN;
    if (!explore_host_open(&h))
        return IMPOSSIBLE;
    prepare(m, s, preemptions, *left, &h.job->request);
    const enum job_end end =
        exploration_run_job(m->e, &h, ATTEMPT_MILLISECONDS);
    const uint64_t used = atomic_load(&h.job->progress.executions);
    *left -= used < *left ? used : *left;
    if (end == JOB_ERROR ||
        !find_alike(m->e, h.job, explore_violation_finding(v), &found)) {
        explore_host_close(&h);
        return end == JOB_ERROR ? IMPOSSIBLE : NOT_SHOWN;
    }
    explore_host_close(&v->host);
    *v = (struct explore_violation){ *s, h, found };
    return SHOWN;
}

static bool time_is_left(const struct reduction *m)
{
    return plumb_budget_state(m->e->budget) == PLUMB_OK;
}

/* Way number `k` of making a scenario smaller; false if that is none. */
typedef bool change(const struct explore_scenario *s, unsigned k, bool keep,
                    struct explore_scenario *smaller);

/* One operation fewer. */
static bool leave_one_out(const struct explore_scenario *s, unsigned k,
                          bool keep, struct explore_scenario *smaller)
{
    explore_scenario_without(s, k, keep, smaller);
    return true;
}

/* One thread fewer. */
static bool join_two(const struct explore_scenario *s, unsigned k, bool keep,
                     struct explore_scenario *joined)
{
    const unsigned threads = explore_scenario_shape(s).threads;
    return !keep && threads > 2 &&
           explore_scenario_joined(s, k / threads, k % threads, joined);
}

/* Make one of `ways` changes, the first that still shows it. */
static enum attempt try_changes(struct reduction *m, change *make,
                                unsigned ways, uint64_t *left)
{
    const uint32_t preemptions = explore_violation_finding(m->v)->preemptions;
    struct explore_scenario smaller;
    enum attempt result = NOT_SHOWN;
    for (unsigned k = 0; k < ways && result == NOT_SHOWN && time_is_left(m);
         k++)
        if (make(&m->v->scenario, k, m->keep_threads, &smaller) &&
            smaller.test[strspn(smaller.test, " |")] != '\0')
            result = attempt(m, &smaller, preemptions, left);
    return result;
}

/* As few operations as can be, and of these as few at once. */
static enum attempt simplify(struct reduction *m)
{
    enum attempt result;
    do {
        const struct explore_scenario *const s = &m->v->scenario;
        const unsigned threads = explore_scenario_shape(s).threads;
        result =
            try_changes(m, leave_one_out, explore_scenario_size(s), &m->left);
        if (result == NOT_SHOWN) /* one operation before all others */
            result =
                try_changes(m, explore_scenario_moved, threads, &m->left_other);
        if (result == NOT_SHOWN)
            result =
                try_changes(m, join_two, threads * threads, &m->left_other);
    } while (result == SHOWN);
    return result;
}

bool exploration_minimise(const struct exploration *e,
                          struct explore_violation *v)
{
    struct reduction m = { .e = e,
                           .v = v,
                           .keep_threads = explore_threads_differ(&e->object),
                           .left = ALL_EXECUTIONS,
                           .left_other = ATTEMPT_EXECUTIONS };
    enum attempt result = e->program ? NOT_SHOWN : simplify(&m);
    const struct explore_scenario smallest = v->scenario;
    const uint32_t most = explore_violation_finding(v)->preemptions;
    for (uint32_t n = 0; n < most && result == NOT_SHOWN && time_is_left(&m);
         n++)
        result = attempt(&m, &smallest, n, &m.left);
    return result != IMPOSSIBLE;
}
