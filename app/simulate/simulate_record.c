/* simulate_record.c - simulate --record: one long run, recorded to a file.
 *
 * The worker runs and records (runtime/simulate/long_run.c); here it is looked after.
 * If it gets stuck, the operations that were open are such as may wait for
 * ever: then the run begins anew, and they are invoked with care.  If that does
 * not help, the recording ends there, with operations that are pending. */
#include "simulate_record.h"

#include "app/console/interrupt.h"
#include "app/console/say.h"
#include "runtime/simulate/measure.h"
#include "worker_process.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { ATTEMPTS = 4, NAP_NANOSECONDS = 1000000 };

enum ending { GOES_ON, IS_OVER, IS_STUCK, HAS_DIED, HAS_FAILED };

struct recording_run {
    const struct simulate_settings *with;
    const struct plumb_budget *budget;
    struct simulate_worker_process worker;
    uint32_t waiting; /* operations that were seen to wait */
    uint64_t began;
    int how; /* it died */
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

static enum ending heed(struct recording_run *r, enum simulate_worker_news news)
{
    switch (news) {
    case WORKER_RUNS:
        return GOES_ON;
    case WORKER_STUCK:
        return IS_STUCK;
    case WORKER_DIED:
        return HAS_DIED;
    default:
        break;
    }
    simulate_worker_complain(&r->worker, news);
    return HAS_FAILED;
}

static bool is_to_end(const struct recording_run *r)
{
    if (plumb_budget_state(r->budget) == PLUMB_ESTOP)
        return true;
    return r->with->span == SPAN_TIME && runtime_nanoseconds_now() - r->began >
                                             r->with->milliseconds * 1000000;
}

static enum ending watch(struct recording_run *r)
{
    const struct timespec nap = { .tv_nsec = NAP_NANOSECONDS };
    struct worker_shared *const s = r->worker.s;
    enum ending ending = GOES_ON;
    while (ending == GOES_ON) {
        if (is_to_end(r))
            atomic_store_explicit(&s->over, true, memory_order_relaxed);
        nanosleep(&nap, NULL);
        /* acquire: pairs with the release in long_run() */
        const int phase = atomic_load_explicit(&s->phase, memory_order_acquire);
        if (phase == PHASE_OVER)
            return IS_OVER;
        if (phase == PHASE_READY || phase == PHASE_SETUP)
            r->began = runtime_nanoseconds_now(); /* it has not begun yet */
        ending = heed(r, simulate_worker_look(&r->worker, &r->how));
    }
    return ending;
}

static void learn_who_waits(struct recording_run *r)
{
    struct worker_shared *const s = r->worker.s;
    for (unsigned p = 0; p < s->with.processes; p++) {
        const struct plumb_record_entry *const e =
            worker_shared_entries(s, 0, p);
        if (atomic_load_explicit(&e->ret, memory_order_relaxed) == 0 &&
            e->operation < r->worker.object.operations)
            r->waiting |= UINT32_C(1) << e->operation;
    }
}

static enum ending attempt(struct recording_run *r)
{
    r->worker.s->waiting = r->waiting;
    atomic_store_explicit(&r->worker.s->over, false, memory_order_relaxed);
    memset(r->worker.s->tally, 0, sizeof r->worker.s->tally);
    if (!simulate_worker_start(&r->worker, 0))
        return HAS_FAILED;
    r->began = runtime_nanoseconds_now();
    const enum ending ending = watch(r);
    simulate_worker_end(&r->worker);
    if (ending == IS_STUCK)
        learn_who_waits(r);
    return ending;
}

/* Again as long as something is learned from it. */
static enum ending run(struct recording_run *r)
{
    enum ending ending = IS_STUCK;
    bool learned = true;
    for (unsigned n = 0; ending == IS_STUCK && learned && n < ATTEMPTS; n++) {
        const uint32_t before = r->waiting;
        ending = attempt(r);
        learned = r->waiting != before && !is_to_end(r);
    }
    return ending;
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
                                enum ending ending)
{
    if (ending == HAS_FAILED)
        return STATUS_ERROR;
    tell_run(r);
    if (ending == HAS_DIED) {
        if (WIFSIGNALED(r->how))
            console_say("%s: crashed (%s); the recording has all operations "
                        "before the crash",
                        r->worker.target->label, strsignal(WTERMSIG(r->how)));
        else
            console_say("%s: ended its process (exit status %d); the recording "
                        "has all operations before that",
                        r->worker.target->label, WEXITSTATUS(r->how));
        return STATUS_VIOLATED;
    }
    if (ending == IS_STUCK)
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
    console_say("%s: already exists and was not overwritten; give another name",
                path);
    return false;
}

enum console_status simulate_record(const struct simulate_settings *s,
                                    const struct objects_target *target)
{
    const struct worker_conditions with = conditions_of(s);
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct recording_run r = { .with = s, .budget = budget };
    enum console_status status = STATUS_ERROR;
    if (!budget) {
        console_say("plumb simulate: out of memory");
        return STATUS_ERROR;
    }
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
