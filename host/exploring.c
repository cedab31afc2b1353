/* exploring.c - see exploring.h. */
#include "exploring.h"

#include "branches.h"
#include "conflict_cycles.h"
#include "coverage.h"
#include "endings.h"
#include "findings.h"
#include "hash_set.h"
#include "kept_histories.h"
#include "refusal.h"
#include "runtime/common/wait.h"
#include "runtime/explore/memory/heap.h"
#include "sharing.h"
#include "step_journal.h"
#include "stuck_prefix.h"
#include <stddef.h>
#include <string.h>

enum { STEPS = 50000 };

/* The sharing comes first: strategies hand it to who shares, as the context. */
struct exploring {
    struct host_sharing sharing;
    struct host_driver *play;
    struct job *job;
    struct plumb_budget *budget;
    struct plumb_strategies_machine machine;
    uint64_t visited; /* scheduler_adapter_visited_stacks() */
    bool restart, violated, no_memory;
    uint32_t counted; /* findings whose preemptions are known */
    bool endless;     /* dfs: some execution was cut */
    struct host_hash_set histories, answers;
};
_Static_assert(offsetof(struct exploring, sharing) == 0, "it is the context");

static struct exploring exploring;

/* ---- distinct histories ---- */

static void keep_history(struct exploring *e,
                         const struct plumb_strategies_execution *x,
                         bool is_new)
{
    const enum job_keeps keeps = e->job->request.keeps;
    if ((keeps == JOB_KEEPS_EXECUTIONS ||
         (keeps == JOB_KEEPS_HISTORIES && is_new)) &&
        !host_kept_add(e->play, x, e->budget))
        e->no_memory = true;
}

static void count_history(struct exploring *e,
                          const struct plumb_strategies_execution *x)
{
    const uint64_t history = host_driver_history_hash(e->play);
    const bool is_new = host_hash_set_add(&e->histories, history);
    keep_history(e, x, is_new);
    if (!is_new)
        return; /* and so were its answers */
    const uint64_t answers = host_driver_answers_hash(e->play);
    const bool are_new = host_hash_set_add(&e->answers, answers);
    host_sharing_tell_histories(&e->sharing);
    if (host_pool_is_worker())
        host_sharing_note_history(history);
    if (host_pool_is_worker() && are_new)
        host_sharing_note_answers(answers);
}

/* What is found once more accesses are events has all of them again. */
static void forget_histories(struct exploring *e)
{
    host_hash_set_release(&e->histories);
    host_hash_set_release(&e->answers);
}

/* ---- the end of an execution ---- */

/* A race may be the cause of something worse: that is looked for a while. */
static bool has_raced_long_ago(const struct exploring *e)
{
    const struct job *const job = e->job;
    return job->findings && job->finding[0].what.fault == FAULT_RACE &&
           atomic_load_explicit(&job->progress.executions,
                                memory_order_relaxed) >
               job->finding[0].executions + AFTER_A_RACE;
}

static bool go_on(const struct exploring *e)
{
    return e->job->request.keep_going ||
           (!e->violated && !has_raced_long_ago(e));
}

static bool is_complete(const struct plumb_strategies_execution *x)
{
    return x->outcome == PLUMB_COMPLETE || x->outcome == PLUMB_DEADLOCK ||
           x->outcome == PLUMB_ENDLESS;
}

/* All exits are one state, so that it may have been seen. */
static bool has_failed(void)
{
    int status;
    return scheduler_adapter_exited(&status) && status != 0;
}

/* Not executions of a shorter test, nor what would go on with a call. */
static bool counts(const struct exploring *e,
                   const struct plumb_strategies_execution *x)
{
    return !e->play->shortened && !(x->outcome == PLUMB_ENDLESS &&
                                    host_stuck_prefix_has_calls_left(e->play));
}

static void count(struct exploring *e,
                  const struct plumb_strategies_execution *x)
{
    struct job_progress *const p = &e->job->progress;
    const uint64_t executions =
        1 + atomic_load_explicit(&p->executions, memory_order_relaxed);
    atomic_store_explicit(&p->executions, executions, memory_order_relaxed);
    atomic_store_explicit(&p->depth, x->length, memory_order_relaxed);
    host_coverage_end(e->play, x);
    e->job->assumed += is_complete(x) && scheduler_has_given_up();
    if (!e->play->object) {
        e->job->failed += has_failed();
        return;
    }
    host_coverage_returned(e->play);
    if (host_step_journal_is_sample())
        host_coverage_overlaps(
            e->play); /* what is given up has overlapped, too */
    if (!is_complete(x))
        return;
    count_history(e, x);
    if (e->job->request.cycles &&
        !host_conflict_cycles_count(e->play, x, e->budget))
        e->no_memory = true;
    if (x->outcome == PLUMB_COMPLETE && e->play->object->teardown &&
        scheduler_adapter_finding()->fault == FAULT_NONE && memory_heap_used())
        e->job->leaking++;
}

static bool has_new_visits(struct exploring *e)
{
    const uint64_t before = e->visited;
    e->visited = scheduler_adapter_visited_stacks();
    return e->visited != before;
}

static bool is_first_without_end(struct exploring *e,
                                 const struct plumb_strategies_execution *x)
{
    if (x->outcome != PLUMB_CUT || e->endless || !e->job->request.fair ||
        e->job->request.strategy != PLUMB_DFS)
        return false;
    e->endless = true;
    return true;
}

static void check_repeated(struct exploring *e)
{
    if (host_step_journal_does_the_same_again())
        return;
    host_complain(e->job, "the program is not deterministic: the same schedule "
                          "led to different steps");
    e->play->flawed = true;
}

static bool ended(void *context, const struct plumb_strategies_execution *x)
{
    struct exploring *const e = context;
    if (counts(e, x))
        count(e, x);
    check_repeated(e);
    e->violated |= host_ending_is_wrong(e->play, e->budget, x);
    host_findings_count_preemptions(e->job, x, &e->counted);
    e->restart = host_findings_new_points() || has_new_visits(e) ||
                 is_first_without_end(e, x);
    if (host_sharing_is_stopped(&e->sharing))
        plumb_budget_stop(e->budget);
    const bool more = go_on(e) && !e->restart && !e->play->undecidable &&
                      !e->play->flawed && !e->no_memory;
    return host_pool_is_worker() ? host_sharing_count(&e->sharing) && more
                                 : more;
}

/* ---- the whole ---- */

/* With dfs it leaves out schedules, so only when it turned out that some do not
 * end.  Chance alone is fair enough. */
static bool is_fair(const struct exploring *e)
{
    const struct job_request *const r = &e->job->request;
    return r->fair && (r->strategy == PLUMB_STATES ||
                       r->strategy == PLUMB_PCT || e->endless);
}

static struct plumb_strategies_explore_options options_of(struct exploring *e)
{
    const struct job_request *const r = &e->job->request;
    /* A serial execution is broken: then any strategy is to find which. */
    const bool broken = e->job->serial.end == PLUMB_INFER_BROKEN;
    return (struct plumb_strategies_explore_options){
        .strategy = broken ? PLUMB_DFS : r->strategy,
        .calls = r->calls == JOB_CALLS_SPLIT,
        .bounded = r->bounded || broken,
        .preemptions = broken ? 0 : r->preemptions,
        .seed = r->seed,
        .changes = r->changes,
        .fair = is_fair(e),
        .executions = r->executions,
        .steps = r->steps ? r->steps : STEPS,
        .back = r->back,
        .budget = e->budget,
        .ended = ended,
        .context = e,
        .portion = r->workers > 1 ? host_sharing_portion : NULL,
        .portion_ended = host_sharing_portion_ended,
        .hands = r->workers > 1 ? &host_branches : NULL,
    };
}

static enum plumb_status explore_test(struct exploring *e,
                                      struct plumb_error *err)
{
    const struct plumb_strategies_explore_options o = options_of(e);
    e->machine = host_step_journal_machine(e->play);
    e->restart = false;
    forget_histories(e);
    host_kept_forget(e->job);
    e->job->cycles = (struct job_cycles){ 0 };
    host_sharing_begin(&e->sharing);
    const enum plumb_status status =
        plumb_strategies_explore(&e->machine, &o, &e->job->stats, err);
    if (status == PLUMB_ETIME || status == PLUMB_ESTOP)
        host_sharing_adopt_finding(&e->sharing);
    if (status != PLUMB_OK)
        host_sharing_count_all(&e->sharing);
    host_sharing_end(&e->sharing);
    return status;
}

/* ---- shorter tests ----
 *
 * Where nobody goes on but with a call, operations must not wait for ever
 * (stuck_prefix.h).  Strategies that run every order of all steps come to every
 * such moment.  dpor does not: that others made their calls before anybody had
 * to wait is the same trace.  So each test that is a prefix is explored by
 * itself, if operations can wait for others at all. */

static bool has_run_enough(const struct exploring *e)
{
    const uint64_t most = e->job->request.executions;
    return most && atomic_load_explicit(&e->job->progress.executions,
                                        memory_order_relaxed) >= most;
}

static bool needs_shorter_tests(const struct exploring *e,
                                enum plumb_status status)
{
    const bool waits = scheduler_adapter_may_wait() || e->sharing.waits;
    return status == PLUMB_OK && e->play->adapter.stuck && waits &&
           e->job->request.strategy == PLUMB_DPOR && !has_run_enough(e) &&
           !e->restart && go_on(e);
}

/* They are counted like a clock, each process a digit.  False: that was the
 * whole test. */
static bool shorten_next(struct host_driver *p, unsigned end[JOB_PROCESSES])
{
    unsigned i = 0;
    for (; i < p->processes && end[i] == p->first[i + 1]; i++)
        end[i] = p->first[i];
    if (i < p->processes)
        end[i]++;
    host_driver_shorten(p, end);
    return p->shortened;
}

static enum plumb_status explore_shorter_tests(struct exploring *e,
                                               struct plumb_error *err)
{
    struct plumb_strategies_explore_options o = options_of(e);
    struct plumb_strategies_explore_stats stats;
    enum plumb_status status = PLUMB_OK;
    unsigned end[JOB_PROCESSES];
    memcpy(end, e->play->first, sizeof end);
    o.hands = NULL;
    while (shorten_next(e->play, end) && status == PLUMB_OK && go_on(e) &&
           !e->restart) {
        e->machine = host_step_journal_machine(e->play);
        status = plumb_strategies_explore(&e->machine, &o, &stats, err);
        e->job->stats.exhausted &= stats.exhausted;
        e->job->stats.limited |= stats.limited;
    }
    for (unsigned i = 0; i < e->play->processes; i++)
        end[i] = e->play->first[i + 1];
    host_driver_shorten(e->play, end);
    return status;
}

static void explore(struct exploring *e)
{
    struct plumb_error err = { 0 };
    enum plumb_status status;
    do {
        status = explore_test(e, &err);
        if (needs_shorter_tests(e, status))
            status = explore_shorter_tests(e, &err);
    } while (e->restart && status == PLUMB_OK && go_on(e));
    if (status == PLUMB_OK)
        e->job->end = JOB_DONE;
    else
        host_give_up(e->job, status, err.message);
}

void host_explore_test(struct host_driver *p, struct plumb_budget *budget)
{
    struct exploring *const e = &exploring;
    struct job *const job = p->job;
    *e = (struct exploring){ .play = p,
                             .job = job,
                             .budget = budget,
                             .sharing = { .job = job,
                                          .budget = budget,
                                          .histories = &e->histories,
                                          .answers = &e->answers } };
    races_wanted = job->request.races != JOB_RACES_IGNORE;
    races_step_on = races_wanted && job->request.strategy == PLUMB_STATES;
    p->adapter.raced = host_findings_race;
    p->adapter.suspected = host_findings_suspect;
    host_stuck_prefix_judge(p, budget);
    const uint64_t began = runtime_nanoseconds_used();
    explore(e);
    job->nanoseconds = runtime_nanoseconds_used() - began;
    job->too_many_points |= races_step_incomplete;
    job->exhausted =
        job->stats.exhausted && job->end == JOB_DONE && !job->too_many_points;
    job->coverage.instrumented = scheduler_adapter_hooks() + e->sharing.hooks;
    job->coverage.failed_swaps =
        scheduler_adapter_failed_swaps() + e->sharing.failed_swaps;
    if (p->flawed) {
        job->end = JOB_ERROR;
    } else if (p->undecidable) {
        const struct plumb_error *const err =
            plumb_check_configurations_error(p->configurations);
        host_give_up(job, err->status, err->message);
    } else if (e->no_memory) {
        host_give_up(job, PLUMB_EMEMORY, "");
    }
    forget_histories(e);
    host_stuck_prefix_forget();
}
