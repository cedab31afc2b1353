/* simulate_record.c - simulate --record: one long run, recorded to a file.
 *
 * The worker runs and records (runtime/simulate/long_run.c); here it is looked after.
 * If it gets stuck, the operations that were open are such as may wait for
 * ever: then the run begins anew, and they are invoked with care.  If that does
 * not help, the recording ends there, with operations that are pending. */
#include "simulate_settings.h"

#include "app/console/interrupt.h"
#include "app/console/say.h"
#include "runtime/simulate/worker.h"
#include "worker_process.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { ATTEMPTS = 4 };

struct recording_run {
    const struct simulate_settings *with;
    const struct plumb_budget *budget;
    struct simulate_worker_process worker;
    uint32_t waiting; /* operations that were seen to wait */
    uint64_t began;
};

static struct worker_conditions conditions_of(const struct simulate_settings *s)
{
    return (struct worker_conditions){
        .processes = s->processes,
        .operations = s->operations,
        .most = MEASURE_ENTRIES,
        .slots = 1,
        .measures = true, /* for who looks whether it is stuck */
        .unique = s->unique,
        .seed = s->seed,
    };
}

/* ---- one worker ---- */

static bool is_to_end(const struct recording_run *r)
{
    if (plumb_budget_state(r->budget) == PLUMB_ESTOP)
        return true;
    return r->with->span == SPAN_TIME && runtime_nanoseconds_now() - r->began >
                                             r->with->milliseconds * 1000000;
}

static bool is_to_end_now(void *context)
{
    struct recording_run *const r = context;
    const int phase =
        atomic_load_explicit(&r->worker.s->phase, memory_order_relaxed);
    if (phase == PHASE_READY || phase == PHASE_SETUP)
        r->began = runtime_nanoseconds_now(); /* it has not begun yet */
    return is_to_end(r);
}

static enum simulate_worker_news attempt(struct recording_run *r)
{
    struct simulate_worker_process *const w = &r->worker;
    w->s->waiting = r->waiting;
    atomic_store_explicit(&w->s->over, false, memory_order_relaxed);
    memset(w->s->tally, 0, sizeof w->s->tally);
    if (!simulate_worker_start(w, 0))
        return WORKER_UNUSABLE;
    r->began = runtime_nanoseconds_now();
    const enum simulate_worker_news news =
        simulate_worker_await(w, NULL, is_to_end_now, r);
    simulate_worker_end(w);
    if (news == WORKER_STUCK)
        r->waiting |= simulate_worker_open_operations(w);
    return news;
}

/* Again as long as something is learned from it. */
static enum simulate_worker_news run(struct recording_run *r)
{
    enum simulate_worker_news news = WORKER_STUCK;
    bool learned = true;
    for (unsigned n = 0; news == WORKER_STUCK && learned && n < ATTEMPTS; n++) {
        const uint32_t before = r->waiting;
        news = attempt(r);
        learned = r->waiting != before && !is_to_end(r);
    }
    return news;
}

/* ---- what to say ---- */

static uint64_t operations_of(const struct worker_shared *s)
{
    uint64_t all = 0;
    for (unsigned p = 0; p < s->with.processes; p++)
        for (unsigned i = 0; i < PLUMB_MAX_OPERATIONS; i++)
            all += s->tally[p].returns[i];
    return all;
}

static void tell_run(const struct recording_run *r)
{
    const struct worker_shared *const s = r->worker.s;
    const double seconds =
        (double)(s->measured ? s->measured
                             : runtime_nanoseconds_now() - r->began) /
        1e9;
    const uint64_t operations = operations_of(s);
    struct stat st = { .st_size = 0 };
    stat(r->with->record, &st);
    printf("%s: %" PRIu64 " operations of %u processes, recorded to %s\n",
           r->worker.target->label, operations, s->with.processes,
           r->with->record);
    console_note("in %.1f s, %.2f million/s; %.1f MB", seconds,
                 (double)operations / seconds / 1e6, (double)st.st_size / 1e6);
}

static enum console_status tell(const struct recording_run *r,
                                enum simulate_worker_news news)
{
    const int how = r->worker.how;
    if (news != WORKER_OVER && news != WORKER_DIED && news != WORKER_STUCK)
        return STATUS_ERROR;
    tell_run(r);
    if (news == WORKER_DIED) {
        if (WIFSIGNALED(how))
            console_say("%s: crashed (%s); the recording has all operations "
                        "before the crash",
                        r->worker.target->label, strsignal(WTERMSIG(how)));
        else
            console_say("%s: ended its process (exit status %d); the recording "
                        "has all operations before that",
                        r->worker.target->label, WEXITSTATUS(how));
        return STATUS_VIOLATED;
    }
    if (news == WORKER_STUCK)
        console_note("some operations did not return; they are pending in the "
                     "recording");
    return console_flush_results() ? STATUS_HOLDS : STATUS_ERROR;
}

/* As other commands leave alone what exists. */
static bool is_new(const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return true;
    return console_fails(
        "%s: already exists and was not overwritten; give another name", path);
}

enum console_status simulate_record(const struct simulate_settings *s,
                                    const struct objects_target *target)
{
    const struct worker_conditions with = conditions_of(s);
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct recording_run r = { .with = s, .budget = budget };
    enum console_status status = STATUS_ERROR;
    if (!budget)
        return console_error("plumb simulate: out of memory");
    console_interrupts_stop(budget);
    if (is_new(s->record) &&
        simulate_worker_prepare(&r.worker, target, &with)) {
        r.worker.recording = s->record;
        status = tell(&r, run(&r));
    }
    simulate_worker_release(&r.worker);
    console_interrupts_stop(NULL);
    plumb_budget_free(budget);
    return status;
}
