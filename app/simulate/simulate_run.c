/* simulate_run.c - run an object, and decide every history it makes.
 *
 * The worker fills a ring of histories; this process takes them out in order,
 * decides them, and stops at the first violation.  A worker that got stuck or
 * died is replaced: its last history ends with open calls, which are pending,
 * so it is a history of the object like every other. */
#include "app/check/rank_histogram.h"
#include "app/console/interrupt.h"
#include "app/console/memory_limit.h"
#include "app/console/progress.h"
#include "app/console/say.h"
#include "app/objects/object_spec.h"
#include "batch.h"
#include "record/log_history.h"
#include "ring_history.h"
#include "simulate_output.h"
#include "simulate_report.h"
#include "simulate_settings.h"
#include "worker_process.h"
#include "worker_scripts.h"
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum {
    SLOTS = 256,
    SLOT_OPERATIONS = 1 << 18, /* keep the ring of long histories small */
    FEWEST_SLOTS = 4,
    NAP_NANOSECONDS = 300000,
    LONGEST_WAIT = 5000000, /* nanoseconds, for more to come */
    STUCK_PERCENT = 10,     /* of the time may be spent on stuck histories */
    LONGEST_DECISION = 5000 /* milliseconds for one history */
};

#define CENTURY UINT64_C(3000000000000) /* milliseconds */

struct run {
    const struct simulate_settings *with;
    struct plumb_budget *budget;
    struct plumb_spec *spec;
    struct plumb_builder *builder;
    struct simulate_worker_process worker;
    struct simulate_output output;
    struct check_ranks ranks;
    struct simulate_outcome outcome;
    struct simulate_batch batch;
    uint64_t next; /* the number of the next history to decide, from 0 */
    uint64_t deadline, stuck_time; /* nanoseconds */
    bool over;
};

/* ---- one history ---- */

static bool is_enough(const struct run *r)
{
    return r->with->span == SPAN_HISTORIES && r->next >= r->with->histories;
}

static bool time_is_up(struct run *r)
{
    if (is_enough(r))
        return true;
    if (plumb_budget_state(r->budget) == PLUMB_ESTOP) {
        r->outcome.interrupted = true;
        return true;
    }
    if (r->with->span != SPAN_TIME || runtime_nanoseconds_now() < r->deadline)
        return false;
    r->outcome.time_ran_out = true;
    return true;
}

static void fail_with(struct run *r, const struct plumb_error *err)
{
    const bool cut = err->status == PLUMB_ESTOP || err->status == PLUMB_ETIME;
    r->over = true;
    if (cut && time_is_up(r))
        return;                         /* Ctrl-C is no error */
    if (err->status == PLUMB_EMEMORY) { /* nor is a limit */
        r->outcome.undecided++;
        return;
    }
    console_say_error(r->worker.target->given, err);
    r->outcome.status = STATUS_ERROR;
}

static bool is_to_be_written(const struct run *r, enum plumb_verdict verdict)
{
    return r->with->span != SPAN_FOREVER || verdict == PLUMB_NOT_LINEARIZABLE;
}

/* The time is for looking; what was found is told in full. */
static void report_violation(struct run *r, struct plumb_history *h)
{
    struct plumb_budget *const budget =
        plumb_budget_new(0, console_memory_limit(r->with->memory));
    console_interrupts_stop(budget);
    simulate_report_violation(r->with, r->spec, budget, r->worker.target->label,
                              r->next + 1, h);
    console_interrupts_stop(r->budget);
    plumb_budget_free(budget);
}

static void take_verdict(struct run *r, struct plumb_history *h,
                         enum plumb_verdict verdict)
{
    struct simulate_outcome *const o = &r->outcome;
    o->histories++;
    o->operations += h->count;
    if (r->ranks.path)
        check_ranks_add(&r->ranks, h, r->spec);
    if (verdict == PLUMB_UNDECIDED)
        o->undecided++;
    if (is_to_be_written(r, verdict) &&
        !simulate_output_write(&r->output, h, r->next + 1, verdict)) {
        o->status = STATUS_ERROR;
        r->over = true;
    }
    if (verdict != PLUMB_NOT_LINEARIZABLE)
        return;
    o->violation = true;
    r->over = true;
    report_violation(r, h);
}

/* Milliseconds for the next decision: it must not outlast the run. */
static uint64_t time_for_one(const struct run *r)
{
    if (r->with->span != SPAN_TIME)
        return LONGEST_DECISION;
    const uint64_t time = runtime_nanoseconds_now();
    const uint64_t left =
        time < r->deadline ? (r->deadline - time) / 1000000 + 1 : 1;
    return left < LONGEST_DECISION ? left : LONGEST_DECISION;
}

static void decide(struct run *r, struct plumb_history *h)
{
    const struct plumb_check_options options = { .budget = r->budget,
                                                 .no_core = true };
    struct plumb_answer answer;
    struct plumb_error err = { 0 };
    object_spec_forget();
    plumb_budget_allow(r->budget, time_for_one(r));
    const enum plumb_status status =
        plumb_check(h, r->spec, &options, &answer, &err);
    plumb_budget_allow(r->budget, 0);
    if (status != PLUMB_OK) {
        fail_with(r, &err);
        return;
    }
    const enum plumb_verdict verdict = answer.verdict;
    r->outcome.unknown |= answer.unknown;
    plumb_answer_release(&answer);
    /* What the end of the run cut short is not counted. */
    if (verdict != PLUMB_UNDECIDED || !time_is_up(r))
        take_verdict(r, h, verdict);
    else
        r->outcome.cut = true;
}

/* Further than the ring allows. */
static bool is_ahead(struct run *r)
{
    const struct worker_shared *const s = r->worker.s;
    return atomic_load_explicit(&s->finished, memory_order_relaxed) >
           r->next + s->with.slots;
}

/* Take history number r->next out of the ring. */
static void take_history(struct run *r)
{
    struct plumb_history h = { .count = 0 };
    struct plumb_error err = { 0 };
    if ((is_ahead(r) ? plumb_record_log_is_damaged(&err)
                     : simulate_ring_history(&r->worker, r->next, r->builder,
                                             &h, &err)) != PLUMB_OK) {
        fail_with(r, &err);
        return;
    }
    decide(r, &h);
    plumb_history_release(&h);
    r->next++;
    console_progress_count();
}

/* The slots of what was taken are free again. */
static void free_slots(struct run *r)
{
    /* release: pairs with the acquire in has_slot() */
    atomic_store_explicit(&r->worker.s->taken, r->next, memory_order_release);
}

/* ---- when it does not go on ---- */

static bool is_open(struct run *r, unsigned p, unsigned *operation)
{
    struct worker_shared *const s = r->worker.s;
    const uint32_t count = atomic_load_explicit(
        worker_shared_count(s, r->next, p), memory_order_acquire);
    if (count == 0 || count > s->with.most)
        return false;
    const struct plumb_record_entry *const e =
        worker_shared_entries(s, r->next, p) + count - 1;
    *operation = e->operation;
    return e->operation < r->worker.object.operations &&
           atomic_load_explicit(&e->ret, memory_order_relaxed) == 0;
}

/* The operations that are open are such as may wait for ever. */
static void learn_who_waits(struct run *r)
{
    unsigned operation;
    for (unsigned p = 0; p < r->with->processes; p++)
        if (is_open(r, p, &operation))
            r->worker.s->waiting |= UINT32_C(1) << operation;
}

static void begin_worker(struct run *r)
{
    if (r->over || simulate_worker_start(&r->worker, r->next))
        return;
    r->outcome.status = STATUS_ERROR;
    r->over = true;
}

static void leave_stuck_history(struct run *r)
{
    if (!simulate_worker_end(&r->worker))
        return; /* it is not stuck, it crashed: that is told next */
    learn_who_waits(r);
    r->outcome.stuck++;
    r->stuck_time += runtime_nanoseconds_now() - r->worker.last_change;
    take_history(r);
    free_slots(r);
    atomic_store_explicit(&r->worker.s->finished, r->next,
                          memory_order_relaxed);
    begin_worker(r);
}

static const char *phase_name(const struct run *r)
{
    const int phase =
        atomic_load_explicit(&r->worker.s->phase, memory_order_relaxed);
    return phase == PHASE_SETUP      ? "setup"
           : phase == PHASE_TEARDOWN ? "teardown"
                                     : NULL;
}

/* First whether what it did until then was right, then that it died. */
static void tell_death(struct run *r, int how)
{
    struct plumb_history h = { .count = 0 };
    struct plumb_error err = { 0 };
    if (simulate_ring_history(&r->worker, r->next, r->builder, &h, &err) ==
        PLUMB_OK) {
        decide(r, &h);
        if (!r->over)
            simulate_report_death(r->with, r->worker.target->label, r->next + 1,
                                  how, phase_name(r), &h);
        plumb_history_release(&h);
    } else
        fail_with(r, &err);
    r->outcome.violation = r->outcome.status == STATUS_HOLDS;
    r->over = true;
}

static void heed(struct run *r, enum simulate_worker_news news, int how)
{
    switch (news) {
    case WORKER_RUNS:
        return;
    case WORKER_STUCK:
        leave_stuck_history(r);
        return;
    case WORKER_DIED:
        tell_death(r, how);
        return;
    default:
        break;
    }
    simulate_worker_complain(&r->worker, news);
    r->outcome.status = STATUS_ERROR;
    r->over = true;
}

/* ---- the run ---- */

static uint64_t histories_ready(const struct run *r)
{
    /* acquire: pairs with the release in lead_history() */
    return atomic_load_explicit(&r->worker.s->finished, memory_order_acquire) -
           r->next;
}

static void ration_recklessness(struct run *r)
{
    const uint64_t spent = runtime_nanoseconds_now() - r->outcome.began;
    const bool reckless = r->stuck_time * 100 < spent * STUCK_PERCENT;
    atomic_store_explicit(&r->worker.s->reckless, reckless,
                          memory_order_relaxed);
}

/* History r->next is known to be linearizable, and looked at again only to be
 * written. */
static void pass_history(struct run *r, uint32_t operations)
{
    struct plumb_history h = { .count = operations };
    struct plumb_error err = { 0 };
    const bool written =
        r->ranks.path ||
        (r->output.wanted && is_to_be_written(r, PLUMB_LINEARIZABLE));
    if (written && simulate_ring_history(&r->worker, r->next, r->builder, &h,
                                         &err) != PLUMB_OK) {
        fail_with(r, &err);
        return;
    }
    take_verdict(r, &h, PLUMB_LINEARIZABLE);
    if (written)
        plumb_history_release(&h);
    r->next++;
    console_progress_count();
}

/* Decide all that is there.  The slots become free together, not one by one:
 * the worker rests meanwhile, and has the processors for itself afterwards. */
static void take_batch(struct run *r, uint64_t ready)
{
    struct simulate_batch *const b = &r->batch;
    const uint32_t count = ready < BATCH_MOST ? (uint32_t)ready : BATCH_MOST;
    if (is_ahead(r)) {
        take_history(r); /* and say so */
        return;
    }
    plumb_budget_allow(r->budget, time_for_one(r));
    simulate_batch_decide(b, r->next, count, r->builder);
    plumb_budget_allow(r->budget, 0);
    for (uint32_t i = 0; i < count && !r->over; i++) {
        if (b->linearizable[i])
            pass_history(r, b->operations[i]);
        else
            take_history(r);
        r->over =
            r->over || is_enough(r) || (!b->linearizable[i] && time_is_up(r));
    }
    free_slots(r);
}

static void wait_for_histories(struct run *r)
{
    const struct timespec nap = { .tv_nsec = NAP_NANOSECONDS };
    int how = 0;
    const enum simulate_worker_news news =
        simulate_worker_look(&r->worker, &how);
    const uint64_t ready = histories_ready(r);
    if (news == WORKER_RUNS)
        nanosleep(&nap, NULL);
    else if (ready > 0) /* what is whole comes first */
        take_batch(r, ready);
    else
        heed(r, news, how);
}

/* How much of what was asked for is done. */
static void tell_share(const struct run *r, uint64_t time)
{
    if (r->with->histories)
        console_progress_share(r->outcome.histories, r->with->histories);
    else if (r->deadline != UINT64_MAX)
        console_progress_share(time - r->outcome.began,
                               r->deadline - r->outcome.began);
}

static void run_histories(struct run *r)
{
    uint64_t last = r->outcome.began;
    while (!r->over && !time_is_up(r)) {
        const uint64_t ready = histories_ready(r),
                       time = runtime_nanoseconds_now();
        ration_recklessness(r);
        if (ready >= r->worker.s->with.slots ||
            (ready > 0 && time - last > LONGEST_WAIT)) {
            take_batch(r, ready);
            last = runtime_nanoseconds_now();
            tell_share(r, last);
        } else {
            wait_for_histories(r);
        }
    }
}

static struct worker_conditions conditions_of(const struct simulate_settings *s)
{
    const unsigned most = s->operations + s->operations / 2 + 2 * SCRIPT_ROOM;
    unsigned slots = SLOT_OPERATIONS / (most * s->processes);
    slots = slots > SLOTS ? SLOTS : slots;
    return (struct worker_conditions){
        .processes = s->processes,
        .operations = s->operations,
        .most = most,
        .slots = slots < FEWEST_SLOTS ? FEWEST_SLOTS : slots,
        .noise = s->noise,
        .timed = s->statistics,
        .seed = s->seed,
    };
}

static bool out_of_memory(void)
{
    return console_fails("plumb simulate: out of memory");
}

static bool open_run(struct run *r, const struct objects_target *target)
{
    const struct worker_conditions with = conditions_of(r->with);
    r->budget = plumb_budget_new(0, console_memory_limit(r->with->memory));
    r->builder = r->budget ? plumb_builder_new(r->budget) : NULL;
    if (!r->builder)
        return out_of_memory();
    console_interrupts_stop(r->budget);
    r->spec = check_load_spec(r->with->spec, r->with->plugin, &r->with->quasi,
                              SIMULATE_SPEC_OPTION);
    return r->spec && simulate_worker_prepare(&r->worker, target, &with) &&
           simulate_worker_start(&r->worker, 0) &&
           simulate_output_open(&r->output, r->with->output) &&
           check_ranks_open(&r->ranks, r->with->rank_errors, !r->with->json,
                            r->with->memory);
}

static void close_run(struct run *r)
{
    simulate_worker_release(&r->worker);
    console_interrupts_stop(NULL);
    if (r->spec)
        plumb_spec_free(r->spec);
    plumb_builder_free(r->builder);
    plumb_budget_free(r->budget);
}

/* A specification of the user's does one step at a time. */
static unsigned helpers_for(const struct run *r)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return r->with->plugin || processors < 2 ? 0 : (unsigned)processors - 1;
}

static void run_to_the_end(struct run *r)
{
    if (!r->with->quiet)
        fputs("Starting simulation...\n", stderr);
    r->outcome.began = runtime_nanoseconds_now();
    r->deadline = r->with->milliseconds < CENTURY
                      ? r->outcome.began + r->with->milliseconds * 1000000
                      : UINT64_MAX;
    if (!r->with->quiet)
        console_progress_start(r->budget);
    simulate_batch_open(&r->batch, &r->worker, r->spec, r->budget,
                        helpers_for(r));
    run_histories(r);
    simulate_batch_close(&r->batch);
    console_progress_stop();
    r->outcome.ended = runtime_nanoseconds_now();
    simulate_worker_end(&r->worker);
    simulate_doubt(&r->outcome, &r->worker.object, r->worker.s);
    simulate_report_end(r->with, r->worker.target->label, &r->worker.object,
                        r->worker.s, &r->outcome);
    if (!simulate_output_close(&r->output) || !check_ranks_close(&r->ranks))
        r->outcome.status = STATUS_ERROR;
}

enum console_status simulate_object(const struct simulate_settings *s,
                                    const struct objects_target *target)
{
    struct run r = { .with = s, .outcome.status = STATUS_HOLDS };
    if (open_run(&r, target))
        run_to_the_end(&r);
    else
        r.outcome.status = STATUS_ERROR;
    close_run(&r);
    return simulate_status(&r.outcome);
}
