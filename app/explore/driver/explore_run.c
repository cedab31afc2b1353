/* explore_run.c - jobs: asked for, run several at a time, taken in order. */
#include "exploration.h"

#include "app/binary/demangle.h"
#include "app/console/progress.h"
#include "app/console/say.h"
#include "app/explore/infer/observation_files.h"
#include "runtime/common/wait.h"
#include <assert.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MANY_PREEMPTIONS = 16 }; /* where nobody has counted them */

#define MILLISECOND UINT64_C(1000000)
#define GRACE       (1000 * MILLISECOND)  /* for a host that was told to end */
#define STALLED     (20000 * MILLISECOND) /* nothing happens any more */
/* The same of a host that is in a specification of the user's: see guard.c. */
#define SHORT_GRACE (200 * MILLISECOND)
#define STUCK       (5000 * MILLISECOND)

/* ---- a request ---- */

static void copy_text(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text);
}

/* Each with a 0 at its end.  They fit: explore_with() has looked. */
static void copy_arguments(const struct explore_settings *s,
                           struct job_request *r)
{
    size_t used = 0;
    for (size_t i = 0; i < s->nargs; i++) {
        const size_t size = strlen(s->args[i]) + 1;
        assert(size <= sizeof r->argument - used);
        memcpy(r->argument + used, s->args[i], size);
        used += size;
    }
    r->arguments = (uint32_t)s->nargs;
}

static unsigned jobs_at_once(const struct exploration *e)
{
    return e->with->jobs ? e->with->jobs : 1;
}

void exploration_scenario(const struct exploration *e, const char *test,
                          const char *init, struct explore_scenario *s)
{
    const struct explore_settings *const with = e->with;
    copy_text(s->test, JOB_TEXT, test);
    copy_text(s->init, JOB_TEXT,
              init         ? init
              : with->init ? with->init
                           : e->what.init);
    copy_text(s->final, JOB_TEXT, with->final ? with->final : e->what.final);
}

static bool needs_split_calls(enum plumb_strategy strategy)
{
    return strategy == PLUMB_DPOR || strategy == PLUMB_DFS;
}

/* What orders two accesses may be where no hook tells of it: a race could not be
 * told from none. */
static enum job_races races_of(const struct exploration *e)
{
    const enum job_races races = e->with->races;
    return races == JOB_RACES_REPORT && (e->unseen[0] || e->may_be_unseen)
               ? JOB_RACES_INTERLEAVE
               : races;
}

void exploration_request(const struct exploration *e,
                         const struct explore_scenario *s,
                         struct job_request *r)
{
    const struct explore_settings *const with = e->with;
    *r = (struct job_request){
        .version = JOB_VERSION,
        .mode = JOB_EXPLORE,
        .program = e->program,
        .strategy = with->strategy,
        .calls = needs_split_calls(with->strategy) ? JOB_CALLS_SPLIT
                                                   : JOB_CALLS_MERGED,
        .bounded = with->bounded,
        .preemptions = with->preemptions,
        .changes = with->changes,
        .seed = with->seed,
        .executions = with->executions,
        .steps = with->steps,
        .deadline = e->deadline,
        .memory = e->memory / jobs_at_once(e),
        .workers = 1,
        .races = races_of(e),
        .reuse = with->reuse,
        .random = with->random,
        .fair = !with->no_fairness,
        .prune = !with->no_pruning,
        .back = with->back,
        .keep_going = with->keep_going,
        .leaks = with->leaks,
        .cycles = with->also,
    };
    if (with->rank_errors)
        r->keeps = JOB_KEEPS_EXECUTIONS;
    if (with->algorithm == EXPLORE_ROUND_UP)
        r->keeps = with->duplicates & DUPLICATE_HISTORIES ? JOB_KEEPS_EXECUTIONS
                                                          : JOB_KEEPS_HISTORIES;
    copy_text(r->target, sizeof r->target, e->target->object);
    copy_text(r->given, sizeof r->given, e->target->given);
    if (e->infers && with->nondet)
        copy_text(r->nondet, sizeof r->nondet, with->nondet);
    if (e->infers && with->async)
        copy_text(r->async, sizeof r->async, with->async);
    if (e->infers)
        r->spec_from = JOB_SPEC_INFERRED;
    else if (e->plugin)
        copy_text(r->plugin, sizeof r->plugin, e->plugin->object);
    else if (with->algorithm != EXPLORE_ROUND_UP) /* it decides afterwards */
        copy_text(r->spec, sizeof r->spec, e->spec_name);
    copy_text(r->init, sizeof r->init, s->init);
    copy_text(r->test, sizeof r->test, s->test);
    copy_text(r->final, sizeof r->final, s->final);
    copy_arguments(with, r);
}

/* ---- how it ended ---- */

/* What happened in the execution that ran when the host ended becomes a finding
 * like others: its schedule is known. */
static struct job_finding *add_last_execution(struct job *job,
                                              enum scheduler_fault fault)
{
    const uint32_t length = job->now.length;
    if (job->findings == JOB_FINDINGS)
        job->findings--;
    if (job->steps > JOB_STEPS - length)
        job->steps = JOB_STEPS - length;
    struct job_finding *const f = &job->finding[job->findings++];
    *f = (struct job_finding){ .first = job->steps, .length = length };
    f->points = job->request.points;
    f->executions = atomic_load(&job->progress.executions);
    f->preemptions =
        job->request.bounded ? job->request.preemptions : MANY_PREEMPTIONS;
    f->what.fault = fault;
    if (length)
        f->what.thread = job->now.step[length - 1].thread;
    memcpy(job->step + job->steps, job->now.step,
           length * sizeof *job->now.step);
    job->steps += length;
    return f;
}

/* The target took the host down with it. */
static void add_death(struct explore_host_process *h)
{
    struct job_finding *const f = add_last_execution(h->job, FAULT_CRASH);
    char how[HOST_DEATH];
    f->what.detail = WIFSIGNALED(h->how) ? WTERMSIG(h->how) : 0;
    snprintf(f->what.text, sizeof f->what.text, "the process died: %s",
             explore_host_death(h, how));
}

/* Who only tries something does not have to hear why it cannot be. */
#define say(e, ...) ((e)->tries ? (void)0 : console_say(__VA_ARGS__))

/* Is the host in a specification of the user's? */
static bool is_in_plugin(const struct exploration *e, const struct job *job)
{
    return e->plugin && job->judging;
}

/* It did not end when it was told, or nothing happened any more: it had to be
 * killed. */
static enum job_end end_of_killed(const struct exploration *e,
                                  const struct explore_host_process *h)
{
    struct job *const job = h->job;
    if (plumb_budget_state(e->budget) == PLUMB_ESTOP)
        return JOB_STOPPED;
    if (job->request.mode == JOB_DESCRIBE)
        return JOB_TIME;
    if (is_in_plugin(e, job) && h->stalled) {
        say(e, "%s: the specification did not return within %d s", e->spec_name,
            (int)(STUCK / (1000 * MILLISECOND)));
        return JOB_ERROR;
    }
    struct job_finding *const f = add_last_execution(job, FAULT_ENDLESS);
    if (job->judging)
        snprintf(f->what.text, sizeof f->what.text,
                 is_in_plugin(e, job)
                     ? "the specification does not return"
                     : "too many operations overlap to decide the history");
    return JOB_TIME;
}

/* What it printed is kept from the terminal, but may say why. */
static void say_last_words(const struct exploration *e, const struct job *job)
{
    const size_t size =
        job->output < sizeof job->printed ? job->output : sizeof job->printed;
    const char *const end = job->printed + size;
    for (const char *at = job->printed; at < end;) {
        const char *const newline = memchr(at, '\n', (size_t)(end - at));
        const char *const stop = newline ? newline : end;
        say(e, "the target printed: %.*s", (int)(stop - at), at);
        at = newline ? newline + 1 : end;
    }
}

static enum job_end say_death(const struct exploration *e,
                              const struct explore_host_process *h)
{
    char how[HOST_DEATH];
    if (WIFEXITED(h->how) && WEXITSTATUS(h->how) == 127)
        say(e, "%s: cannot run plumb-host", e->target->given);
    else
        say(e, "%s: the target ended its process: %s", e->target->given,
            explore_host_death(h, how));
    say_last_words(e, h->job);
    return JOB_ERROR;
}

/* Died: while it was loaded, that is an error; in an execution, a finding. */
static enum job_end end_of_dead(const struct exploration *e,
                                struct explore_host_process *h)
{
    struct job *const job = h->job;
    if (h->killed)
        return end_of_killed(e, h);
    if (WIFSIGNALED(h->how) && WTERMSIG(h->how) == SIGKILL)
        return JOB_MEMORY; /* nobody else kills like this */
    if (job->judging && e->plugin) {
        char how[HOST_DEATH];
        say(e, "%s: the specification ended its process: %s", e->spec_name,
            explore_host_death(h, how));
        return JOB_ERROR;
    }
    if (job->request.mode == JOB_DESCRIBE ||
        (job->now.length == 0 && atomic_load(&job->progress.executions) == 0))
        return say_death(e, h);
    add_death(h);
    return JOB_DONE;
}

static enum job_end say_error_of(const struct exploration *e,
                                 const char *message)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    binary_demangle(*message ? message : "the target cannot be explored",
                    &text);
    say(e, "%s: %s", e->target->given, plumb_base_text_string(&text));
    plumb_base_text_release(&text);
    return JOB_ERROR;
}

/* How a job ended; JOB_ERROR was said. */
static enum job_end end_of(const struct exploration *e,
                           struct explore_host_process *h)
{
    const enum job_end end = h->job->end;
    if (end == JOB_RUNNING || !WIFEXITED(h->how) || WEXITSTATUS(h->how) != 0)
        return end_of_dead(e, h);
    if (end == JOB_ERROR)
        return say_error_of(e, h->job->message);
    if (end > JOB_ERROR)
        return say_error_of(e, "the target overwrote memory of the explorer");
    /* It is also told to stop when its time is up. */
    if (end == JOB_STOPPED && plumb_budget_state(e->budget) != PLUMB_ESTOP)
        return JOB_TIME;
    return end;
}

/* ---- watching ---- */

struct watch {
    uint64_t deadline; /* 0: none                                  */
    uint64_t told;     /* when it was told to end; 0: it was not   */
    /* For noticing that nothing happens any more. */
    uint64_t last_executions, last_length, last_change;
};

static bool moves(struct job *job, struct watch *w)
{
    const uint64_t executions =
        atomic_load_explicit(&job->progress.executions, memory_order_relaxed) +
        atomic_load_explicit(&job->progress.others, memory_order_relaxed);
    const uint32_t length =
        atomic_load_explicit(&job->now.length, memory_order_relaxed);
    if (w->last_change && executions == w->last_executions &&
        length == w->last_length)
        return false;
    w->last_executions = executions;
    w->last_length = length;
    return true;
}

static void take_care(const struct exploration *e,
                      struct explore_host_process *h, struct watch *w)
{
    const uint64_t now = runtime_nanoseconds_now();
    const bool late = w->deadline && now > w->deadline;
    if (moves(h->job, w))
        w->last_change = now;
    if (!w->told && (late || plumb_budget_state(e->budget) != PLUMB_OK)) {
        explore_host_stop(h);
        w->told = now;
    }
    const bool plugin = is_in_plugin(e, h->job);
    if (w->told && now - w->told > (plugin ? SHORT_GRACE : GRACE))
        explore_host_kill(h);
    if (now - w->last_change > (plugin ? STUCK : STALLED)) {
        h->stalled = true;
        explore_host_kill(h);
    }
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return !a ? b : !b ? a : a < b ? a : b;
}

enum job_end exploration_run_job(const struct exploration *e,
                                 struct explore_host_process *h,
                                 uint64_t milliseconds)
{
    struct watch w = { .told = 0 };
    if (milliseconds)
        w.deadline = runtime_nanoseconds_now() + milliseconds * MILLISECOND;
    w.deadline = earlier(w.deadline, e->deadline);
    h->job->request.deadline = w.deadline;
    if (!explore_host_start(h))
        return JOB_ERROR;
    const uint64_t began = runtime_nanoseconds_now();
    while (!explore_host_has_ended(h)) {
        take_care(e, h, &w);
        runtime_take_another_nap(runtime_nanoseconds_now() - began);
    }
    return end_of(e, h);
}

/* ---- special ones ---- */

bool exploration_describe(struct exploration *e)
{
    static const struct explore_scenario nothing;
    struct explore_host_process h;
    if (!explore_host_open(&h))
        return false;
    exploration_request(e, &nothing, &h.job->request);
    h.job->request.mode = JOB_DESCRIBE;
    const enum job_end end = exploration_run_job(e, &h, 0);
    e->what = h.job->target;
    if (end != JOB_DONE && end != JOB_ERROR && end != JOB_STOPPED)
        console_say("%s: the target was not loaded in time", e->target->given);
    explore_host_close(&h);
    return end == JOB_DONE;
}

bool exploration_prepare_replay(const struct job_request *request,
                                const struct explore_schedule_part *part,
                                struct explore_host_process *h)
{
    if (!explore_host_open(h))
        return false;
    struct job *const job = h->job;
    job->request = *request;
    job->request.mode = JOB_REPLAY;
    job->request.schedule = job->steps = part->length;
    job->request.points = part->points;
    job->request.cycle = part->cycle;
    memcpy(job->request.race, part->race, sizeof part->race);
    memcpy(job->step, part->step, part->length * sizeof *part->step);
    memcpy(job->switched, part->switched, part->length);
    return true;
}

enum job_end exploration_replay(const struct exploration *e,
                                const struct job_request *request,
                                const struct explore_schedule_part *part,
                                struct explore_host_process *h)
{
    return exploration_prepare_replay(request, part, h)
               ? exploration_run_job(e, h, 0)
               : JOB_ERROR;
}

/* ---- all of them ---- */

/* Job number i lives in slot i % slots, from its start until it is taken. */
struct slot {
    struct explore_host_process host;
    struct watch watch;
    bool ended;
};

struct runs {
    const struct exploration *e;
    const struct exploration_tests *tests;
    unsigned slots, next, taken;
    bool no_more; /* tests */
    struct slot *slot;
    /* For the progress line. */
    uint64_t began, shown;
    uint64_t executions; /* of jobs that were taken */
};

/* Where there are more processes than jobs, a job has several. */
static void share_job(const struct runs *r, struct job_request *request)
{
    const bool can = request->strategy != PLUMB_STATES && !request->cycles &&
                     !request->keeps;
    request->workers = can ? jobs_at_once(r->e) / r->slots : 1;
    request->memory = r->e->memory / r->slots / request->workers;
}

static bool start_one(struct runs *r)
{
    struct slot *const s = &r->slot[r->next % r->slots];
    const struct exploration_tests *const tests = r->tests;
    struct explore_scenario scenario;
    char test[JOB_TEXT];
    *s = (struct slot){ .watch.deadline = r->e->deadline };
    s->host.file = -1;
    if (tests->next && !tests->next(tests->context, test)) {
        r->no_more = true;
        return true;
    }
    if (!explore_host_open(&s->host))
        return false;
    exploration_scenario(r->e, tests->next ? test : tests->test[r->next],
                         tests->init ? tests->init[r->next] : NULL, &scenario);
    if (tests->final)
        copy_text(scenario.final, JOB_TEXT, tests->final[r->next]);
    exploration_request(r->e, &scenario, &s->host.job->request);
    share_job(r, &s->host.job->request);
    if (tests->limit) {
        s->host.job->request.executions = tests->limit[r->next].executions;
        s->host.job->request.steps = tests->limit[r->next].steps;
    }
    if (!explore_observations_load(r->e, r->next, tests->count, s->host.job)) {
        explore_host_close(&s->host);
        return false;
    }
    r->next++;
    return explore_host_start(&s->host);
}

/* What is shown must not be more than what is told in the end. */
static bool will_be_taken(const struct runs *r, unsigned i)
{
    return i == r->taken || (i >= r->tests->sure && i < r->tests->sure_end);
}

static uint64_t count_executions(const struct runs *r, uint32_t *depth)
{
    uint64_t executions = r->executions;
    for (unsigned i = r->taken; i < r->next; i++) {
        struct job_progress *const p =
            &r->slot[i % r->slots].host.job->progress;
        if (will_be_taken(r, i))
            executions +=
                atomic_load_explicit(&p->executions, memory_order_relaxed);
        *depth = atomic_load_explicit(&p->depth, memory_order_relaxed);
    }
    return executions;
}

static void show_progress(struct runs *r)
{
    const uint64_t now = runtime_nanoseconds_now();
    uint32_t depth = 0;
    char line[128];
    if (now - r->shown < 200 * MILLISECOND)
        return;
    const uint64_t executions = count_executions(r, &depth);
    r->shown = now;
    const double seconds = (double)(now - r->began) / 1e9;
    char of[16] = "";
    if (!r->tests->next)
        snprintf(of, sizeof of, " of %u", r->tests->count);
    snprintf(line, sizeof line,
             "test %u%s, %" PRIu64 " schedules, %.0f/s, depth %" PRIu32,
             r->taken + 1, of, executions,
             seconds > 0 ? (double)executions / seconds : 0.0, depth);
    console_progress_line(line);
    console_progress_share(r->taken, r->tests->next ? 0 : r->tests->count);
}

static void look_after_all(struct runs *r)
{
    for (unsigned i = r->taken; i < r->next; i++) {
        struct slot *const s = &r->slot[i % r->slots];
        if (!s->ended)
            s->ended = explore_host_has_ended(&s->host);
        if (!s->ended)
            take_care(r->e, &s->host, &s->watch);
    }
}

static bool may_start(const struct runs *r)
{
    return !r->no_more && r->next < r->tests->count &&
           r->next - r->taken < r->slots &&
           plumb_budget_state(r->e->budget) == PLUMB_OK;
}

/* Those before `next` are not wanted, whether they run or not. */
static void go_on_at(struct runs *r, unsigned next)
{
    for (; r->taken < r->next && r->taken < next; r->taken++)
        explore_host_close(&r->slot[r->taken % r->slots].host);
    if (r->next < next)
        r->taken = r->next = next;
}

/* Everything from this one on, as if it had not run: what it is judged by has
 * changed. */
static void begin_again(struct runs *r)
{
    assert(!r->tests->next);
    for (unsigned i = r->taken; i < r->next; i++)
        explore_host_close(&r->slot[i % r->slots].host);
    r->next = r->taken;
}

/* Take the first of those that run.  False: that is all. */
static bool take_first(struct runs *r, exploration_take *take, void *context)
{
    struct slot *const s = &r->slot[r->taken % r->slots];
    const enum job_end end = end_of(r->e, &s->host);
    r->executions += atomic_load(&s->host.job->progress.executions);
    const unsigned next = take(context, r->taken, &s->host, end);
    if (next == r->taken) {
        begin_again(r);
        return true;
    }
    go_on_at(r, next < r->tests->count ? next : r->next);
    return next < r->tests->count;
}

static bool run_all(struct runs *r, exploration_take *take, void *context)
{
    uint64_t began = runtime_nanoseconds_now();
    for (;;) {
        while (may_start(r))
            if (!start_one(r))
                return false;
        if (r->taken == r->next)
            return true;
        look_after_all(r);
        if (!r->slot[r->taken % r->slots].ended) {
            show_progress(r);
            runtime_take_another_nap(runtime_nanoseconds_now() - began);
        } else if (!take_first(r, take, context)) {
            return true;
        } else {
            began = runtime_nanoseconds_now();
        }
    }
}

bool exploration_run(const struct exploration *e,
                     const struct exploration_tests *tests,
                     exploration_take *take, void *context)
{
    const unsigned jobs = jobs_at_once(e);
    struct runs r = { .e = e,
                      .tests = tests,
                      .slots = jobs < tests->count ? jobs : tests->count,
                      .began = runtime_nanoseconds_now() };
    r.slot = calloc(r.slots, sizeof *r.slot);
    if (!r.slot) {
        console_say("plumb explore: out of memory");
        return false;
    }
    for (unsigned i = 0; i < r.slots; i++)
        r.slot[i].host.file = -1;
    const bool done = run_all(&r, take, context);
    for (unsigned i = r.taken; i < r.next; i++)
        explore_host_close(&r.slot[i % r.slots].host);
    free(r.slot);
    return done;
}
