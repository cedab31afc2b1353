/* explore_search.c - from scenarios to a verdict: which findings are kept, when
 * the search ends, and with which bounds it goes on. */
#include "explore_search.h"
#include "app/console/progress.h"
#include "app/console/say.h"
#include "app/explore/infer/likeness.h"
#include "app/explore/infer/observation_files.h"
#include "app/explore/infer/write_spec.h"
#include "app/explore/report/explore_cycles.h"
#include "app/explore/round_up/kept_history.h"
#include "app/explore/round_up/round_up_tests.h"
#include "app/toolchain/build.h"
#include "quasi_factor.h"
#include "runtime/common/wait.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_FOUND = 16, /* violations that are told, with --keep-going     */
    AFTER_A_RACE = 8000000, /* steps of tests that are run after a race      */
    FEW_FOR_SMALL = 20000   /* ... and executions, after which they are left */
};

/* ---- taking jobs ---- */

bool explore_search_bug(const struct explore_search *s, const char *why)
{
    console_say(
        "%s: internal error: %s; this is a bug in plumb, please report it",
        s->e->subject, why);
    return false;
}

static bool is_known(const struct explore_search *s,
                     const struct job_finding *f)
{
    for (unsigned i = 0; i < s->founds; i++)
        if (explore_findings_are_alike(
                s->e, explore_violation_finding(&s->found[i].violation), f))
            return true;
    return false;
}

/* A host of our own with the same job: one job may have several findings. */
static bool copy_host(const struct explore_host_process *from,
                      struct explore_host_process *to)
{
    if (!explore_host_open(to))
        return false;
    const struct job *const job = from->job;
    memcpy(&to->job->request, &job->request, sizeof job->request);
    to->job->target = job->target;
    plumb_infer_store_copy(&job->serial, &to->job->serial);
    to->job->findings = job->findings;
    memcpy(to->job->finding, job->finding, sizeof job->finding);
    to->job->steps = job->steps;
    memcpy(to->job->step, job->step, job->steps * sizeof *job->step);
    memcpy(to->job->switched, job->switched, job->steps);
    return true;
}

static bool keep(const struct explore_search *s, struct explore_found *f,
                 unsigned number, const struct explore_host_process *h,
                 uint32_t finding)
{
    const struct job_request *const r = &h->job->request;
    *f = (struct explore_found){ .scenario = number,
                                 .scenarios = s->totals.wanted,
                                 .cycles = &s->totals.cycles,
                                 .round_up =
                                     explore_round_up_counted(s->round_up),
                                 .races = &s->races };
    f->replayed.file = -1;
    if (!copy_host(h, &f->violation.host))
        return false;
    f->violation.finding = finding;
    memcpy(f->violation.scenario.init, r->init, sizeof r->init);
    memcpy(f->violation.scenario.test, r->test, sizeof r->test);
    memcpy(f->violation.scenario.final, r->final, sizeof r->final);
    f->size = explore_scenario_size(&f->violation.scenario);
    f->executions =
        s->earlier + s->totals.executions + h->job->finding[finding].executions;
    return true;
}

static bool keep_violation(struct explore_search *s, unsigned number,
                           const struct explore_host_process *h,
                           uint32_t finding)
{
    if (!keep(s, &s->found[s->founds], number, h, finding))
        return false;
    s->founds++;
    return true;
}

static void release_found(struct explore_found *f)
{
    explore_host_close(&f->violation.host);
    explore_host_close(&f->replayed);
}

/* With --quasi auto it may be right with a larger K. */
static bool take_violation(struct explore_search *s, unsigned number,
                           const struct explore_host_process *h, uint32_t i)
{
    const enum explore_factor factor =
        s->e->with->quasi.automatic
            ? exploration_raise_factor(s->e, h->job, &h->job->finding[i])
            : FACTOR_UNKNOWN;
    s->e->no_factor = factor == FACTOR_NONE;
    if (factor != FACTOR_RAISED)
        return keep_violation(s, number, h, i);
    if (s->has_need)
        release_found(s->needs);
    s->too_small = s->e->factor - 1;
    s->again = s->has_need = keep(s, s->needs, number, h, i);
    return s->has_need;
}

/* As printed it is a violation; by default it is none. */
static bool take_accepted(struct explore_search *s, unsigned number,
                          const struct explore_host_process *h, uint32_t i)
{
    if (!keep_violation(s, number, h, i))
        return false;
    s->found[s->founds - 1].accepted = true;
    return true;
}

/* False: it cannot go on. */
static bool take_finding(struct explore_search *s, unsigned number,
                         const struct explore_host_process *h, uint32_t i)
{
    const struct job_finding *const f = &h->job->finding[i];
    char why[256] = "";
    if (s->round_up && f->what.fault == FAULT_HISTORY &&
        s->founds < MOST_FOUND && !is_known(s, f) &&
        explore_round_up_is_accepted(s->e, h->job, f))
        return take_accepted(s, number, h, i);
    switch (exploration_judge(s->e, h->job, f, why)) {
    case JUDGED_BUG:
        return explore_search_bug(s, why);
    case JUDGED_UNDECIDED:
        if (!s->totals.undecided[0])
            snprintf(s->totals.undecided, sizeof s->totals.undecided, "%s",
                     why);
        return true;
    case JUDGED_VIOLATION:
        if (is_known(s, f))
            return true;
        if (s->founds < MOST_FOUND)
            return take_violation(s, number, h, i);
        s->too_many = true;
        return true;
    default:
        return true;
    }
}

static bool has_worse_than_races(const struct explore_search *s)
{
    for (unsigned i = 0; i < s->founds; i++)
        if (explore_search_fault(&s->found[i]) != FAULT_RACE)
            return true;
    return false;
}

bool explore_search_is_over(const struct explore_search *s)
{
    return !s->e->with->keep_going && has_worse_than_races(s);
}

static void note_races(struct explore_search *s, const struct job *job)
{
    for (uint32_t i = 0; i < job->findings; i++)
        if (job->finding[i].what.fault == FAULT_RACE)
            explore_races_add(&s->races, job->finding[i].offset,
                              job->finding[i].other);
    s->races.incomplete |= job->too_many_points;
}

/* Only the races, or all but them: a race may be the cause of something worse,
 * which is what is told then. */
static bool take_findings(struct explore_search *s, unsigned number,
                          const struct explore_host_process *h, bool races)
{
    for (uint32_t i = 0; i < h->job->findings; i++) {
        if ((h->job->finding[i].what.fault == FAULT_RACE) != races)
            continue;
        if (!take_finding(s, number, h, i)) {
            s->error = true;
            return false;
        }
        if (s->again || explore_search_is_over(s))
            return false;
    }
    return true;
}

/* Without all serial histories there is nothing to judge by. */
static void note_serial_end(struct explore_search *s, const struct job *job)
{
    static const char *const why[] = {
        [PLUMB_INFER_CUT] = "a serial execution has too many steps (--steps)",
        [PLUMB_INFER_TOO_MANY] = "the test has too many serial histories",
        [PLUMB_INFER_BROKEN] = "a serial execution ended in a fault",
    };
    const size_t end = (size_t)job->serial.end;
    if (end < sizeof why / sizeof *why && why[end] && !s->totals.undecided[0])
        snprintf(s->totals.undecided, sizeof s->totals.undecided, "%s",
                 why[end]);
}

/* A specification that does not know enough to judge. */
static void note_unknown(struct explore_search *s, const struct job *job)
{
    if (job->unknown && !s->totals.undecided[0])
        snprintf(s->totals.undecided, sizeof s->totals.undecided,
                 "%.100s does not know every answer of this test: %.100s",
                 s->e->spec_name, job->request.test);
}

/* By executions, not by time: the same every time. */
static bool is_enough(const struct explore_search *s)
{
    const struct explore_settings *const with = s->e->with;
    return !with->test && !with->samples && !s->e->infers &&
           s->drawn >= DEFAULT_SAMPLES &&
           s->totals.executions >= FEW_EXECUTIONS;
}

/* The small ones are there to be quick: if they are not, on with the others. */
static unsigned next_test(struct explore_search *s, unsigned number)
{
    const unsigned next = number + 1;
    if (next >= s->small || s->totals.executions < FEW_FOR_SMALL)
        return next;
    s->totals.wanted -= s->small - next;
    return s->small;
}

/* How much there was to do, and what it took: for who asks. */
static void note_test(const struct explore_search *s, unsigned number,
                      const struct job *job)
{
    const struct plumb_infer_store *const serial = &job->serial;
    char phase1[96] = "";
    if (!s->e->with->verbose || s->e->program)
        return;
    if (s->e->infers)
        snprintf(phase1, sizeof phase1,
                 "%" PRIu64 " serial histories (%" PRIu64 " wait) in %.3f ms, ",
                 plumb_infer_store_histories(serial), serial->stuck,
                 (double)serial->nanoseconds / 1e6);
    console_note("test %u: %s%" PRIu64 " schedules in %.3f ms: %s", number + 1,
                 phase1, atomic_load(&job->progress.executions),
                 (double)job->nanoseconds / 1e6, job->request.test);
}

/* --rank-errors: of every execution that was run to its end. */
static void count_ranks(struct explore_search *s, const struct job *job)
{
    static struct job_finding f;
    struct explore_kept k;
    uint32_t at = 0;
    if (!s->ranks.path || !s->e->spec)
        return;
    for (uint32_t i = 0; i < job->keeps && explore_kept_next(job, &at, &k);
         i++) {
        struct plumb_history h;
        struct plumb_error err = { 0 };
        explore_kept_finding(job, &k, &f);
        if (explore_finding_history(job, &f, NULL, &h, &err) != PLUMB_OK)
            continue;
        check_ranks_add(&s->ranks, &h, s->e->spec);
        plumb_history_release(&h);
    }
    if (job->more_kept)
        console_note("--rank-errors: only the first %u executions of a test "
                     "are counted; there was no room for more",
                     job->keeps);
}

static bool take_round_up(struct explore_search *s,
                          const struct explore_host_process *h)
{
    char why[sizeof s->totals.undecided] = "";
    const bool taken = explore_round_up_take(s->round_up, h, why);
    if (*why && !s->totals.undecided[0])
        memcpy(s->totals.undecided, why, sizeof why);
    return taken;
}

/* A race may be the cause of something worse, which other tests may show: the
 * first race is kept, and the search goes on for a while.  False: that is
 * over. */
static bool goes_on_after_race(struct explore_search *s, const struct job *job)
{
    if (s->e->with->keep_going || !s->founds)
        return true;
    if (s->raced)
        s->since += atomic_load(&job->progress.executions) * job->stats.longest;
    s->raced = true;
    return s->since < AFTER_A_RACE;
}

/* Tests are numbered as they are taken: some may have been left out. */
static unsigned take_job(void *context, unsigned number,
                         struct explore_host_process *h, enum job_end end)
{
    struct explore_search *const s = context;
    if (end == JOB_ERROR) {
        s->error = true;
        return TAKE_NO_MORE;
    }
    s->executions += atomic_load(&h->job->progress.executions);
    s->too_many |= h->job->more_findings;
    s->again = false;
    note_test(s, number, h->job);
    explore_cycles_add(&s->totals.cycles, &h->job->cycles);
    if (!explore_observations_save(s->e, number, s->tests, h->job)) {
        s->error = true;
        return TAKE_NO_MORE;
    }
    count_ranks(s, h->job);
    if (s->round_up && !take_round_up(s, h)) {
        s->error = true;
        return TAKE_NO_MORE;
    }
    note_races(s, h->job);
    for (unsigned races = 0; races < 2; races++)
        if (!take_findings(s, s->totals.scenarios, h, races))
            return s->again && !s->error ? number : TAKE_NO_MORE;
    note_serial_end(s, h->job);
    note_unknown(s, h->job);
    explore_totals_add(&s->totals, s->e, h->job, end);
    if (!explore_rising_add(&s->rising, number, h->job))
        return TAKE_NO_MORE;
    if (s->rising.rounds > 1)
        return goes_on_after_race(s, h->job) ? number + 1 : TAKE_NO_MORE;
    if (s->like)
        explore_likeness_add(s->like, h->job);
    explore_written_add(s->written, h->job);
    s->drawn += number >= s->small;
    if (is_enough(s))
        s->totals.wanted = s->totals.scenarios;
    if (s->totals.scenarios >= s->totals.wanted ||
        !goes_on_after_race(s, h->job))
        return TAKE_NO_MORE;
    return next_test(s, number);
}

/* ---- more rounds ---- */

/* The tests of the first round, within the limits of this one. */
static bool run_tests_again(struct explore_search *s,
                            const struct exploration_tests *first)
{
    const struct explore_rising *const r = &s->rising;
    const char **const test = calloc(r->tests, sizeof *test);
    const char **const init = calloc(r->tests, sizeof *init);
    const struct exploration_tests tests = { .test = test,
                                             .init = first->init ? init : NULL,
                                             .count = r->tests,
                                             .sure_end = r->tests,
                                             .limit = r->limit };
    for (unsigned i = 0; test && init && i < r->tests; i++) {
        test[i] = first->test[r->number[i]];
        init[i] = first->init ? first->init[r->number[i]] : NULL;
    }
    const bool done =
        test && init && exploration_run(s->e, &tests, take_job, s);
    if (!test || !init)
        console_say("plumb explore: out of memory");
    free(test);
    free(init);
    return done;
}

static bool may_rise(const struct explore_search *s)
{
    char doubt[256];
    explore_totals_doubt(&s->totals, s->e, doubt);
    return !s->error && !s->founds && s->rising.rises && s->totals.exhausted &&
           s->totals.end == JOB_DONE && !*doubt &&
           s->totals.scenarios >= s->totals.wanted &&
           s->totals.coverage.instrumented;
}

/* With a higher bound; what is told in the end is of the last round that was
 * completed. */
static void run_more_rounds(struct explore_search *s,
                            const struct exploration_tests *tests)
{
    struct explore_rising *const r = &s->rising;
    struct explore_totals *const held = malloc(sizeof *held);
    bool rises = held && may_rise(s);
    while (rises && explore_rising_next(r)) {
        *held = s->totals;
        s->earlier += s->totals.executions;
        explore_totals_init(&s->totals, r->tests);
        s->e->with = &r->with;
        s->error = !run_tests_again(s, tests) || s->error;
        rises = !s->error && !s->founds;
        if (s->totals.undecided[0])
            r->complete = false;
        if (rises && !explore_rising_holds(r))
            s->totals = *held;
    }
    if (!s->error && !s->founds) {
        s->e->with = &r->done;
        if (plumb_budget_state(s->e->budget) == PLUMB_ESTOP)
            s->totals.end = JOB_STOPPED;
    }
    free(held);
}

/* ---- the end ---- */

/* Sources are compiled with hooks: whatever they do would have been told. */
static enum console_status not_instrumented(const struct exploration *e)
{
    const enum toolchain_file_kind kind =
        toolchain_kind_of_file(e->target->given);
    if (kind == FILE_OBJECT || kind == FILE_SHARED)
        console_say(
            "%s: no code in this file is instrumented, so there was nothing to "
            "explore; give the sources, or compile them with `plumb cc`",
            e->target->given);
    else
        console_say("%s: nothing to explore: the target touched no memory that "
                    "threads can share",
                    e->target->given);
    return STATUS_ERROR;
}

/* It is another each time, so files are spared it. */
static void note_rate(const struct explore_search *s, uint64_t began)
{
    const double seconds = (double)(runtime_nanoseconds_now() - began) / 1e9;
    if (s->e->with->verbose || (!s->founds && isatty(STDERR_FILENO)))
        console_note("%" PRIu64 " schedules in %.1f s, %.0f/s", s->executions,
                     seconds,
                     seconds > 0 ? (double)s->executions / seconds : 0.0);
}

/* What phase 1 took, for who asks. */
static void note_serial(const struct explore_search *s)
{
    const struct explore_serial_totals *const t = &s->totals.serial;
    const unsigned tests = s->totals.scenarios;
    if (s->e->infers && s->e->with->verbose && tests)
        console_note("serial phase: %.3f ms on average, %.3f ms at most; "
                     "%" PRIu32 " positions at most; %u of %u tests block",
                     (double)t->nanoseconds / 1e6 / tests,
                     (double)t->longest / 1e6, t->positions, t->blocking,
                     tests);
}

static void note_phases(const struct explore_search *s)
{
    const struct explore_round_up_totals *const t =
        explore_round_up_counted(s->round_up);
    if (t && s->e->with->verbose)
        console_note("phase 1: %.3f ms; phase 2: %.3f ms",
                     (double)t->nanoseconds[0] / 1e6,
                     (double)t->nanoseconds[1] / 1e6);
}

static void count_what_is_left(struct explore_search *s)
{
    if (s->totals.scenarios >= s->totals.wanted)
        return;
    s->totals.exhausted = false;
    if (s->totals.end == JOB_DONE)
        s->totals.end = plumb_budget_state(s->e->budget) == PLUMB_ESTOP
                            ? JOB_STOPPED
                            : JOB_TIME;
}

/* Who wants all of them is told that there may be more. */
static void note_shortfall(const struct explore_search *s)
{
    const char *const why = explore_totals_shortfall(&s->totals);
    if (s->e->with->keep_going && why)
        console_note(
            "%s: there may be more violations; the search is incomplete: %s",
            s->e->subject, why);
}

static void show_likeness(struct explore_search *s)
{
    struct plumb_base_text text;
    if (!s->like)
        return;
    plumb_base_text_init(&text, NULL);
    explore_likeness_show(s->like, &text);
    snprintf(s->totals.serial.like, sizeof s->totals.serial.like, "%s",
             plumb_base_text_string(&text));
    plumb_base_text_release(&text);
}

static enum console_status conclude(struct explore_search *s)
{
    if (s->error)
        return STATUS_ERROR;
    count_what_is_left(s);
    if (s->founds) {
        const enum console_status status = explore_tell_violations(s);
        note_shortfall(s);
        return status;
    }
    if (s->totals.end == JOB_DONE && s->totals.executions &&
        !s->totals.undecided[0] && !s->e->unseen[0] &&
        !s->totals.coverage.instrumented)
        return not_instrumented(s->e);
    show_likeness(s);
    s->totals.round_up = explore_round_up_counted(s->round_up);
    const enum console_status status = explore_report_pass(s->e, &s->totals);
    return explore_tell_need(s) ? status : STATUS_ERROR;
}

enum console_status exploration_search_tests(
    struct exploration *e, const struct exploration_tests *tests)
{
    const uint64_t began = runtime_nanoseconds_now();
    const struct explore_settings *const with = e->with;
    struct explore_search s = { .e = e,
                                .tests = tests->count,
                                .small = tests->sure };
    explore_totals_init(&s.totals, tests->count);
    if (!check_ranks_open(&s.ranks, with->rank_errors, !with->json, e->memory))
        return STATUS_ERROR;
    if (e->with->algorithm == EXPLORE_ROUND_UP) {
        s.round_up = explore_round_up_open(e);
        if (!s.round_up)
            return STATUS_ERROR;
    }
    if (!explore_written_open(e, &s.written)) {
        explore_round_up_close(s.round_up);
        return STATUS_ERROR;
    }
    s.found = calloc(MOST_FOUND + 1, sizeof *s.found);
    s.needs = s.found + MOST_FOUND;
    if (!s.found) {
        console_say("plumb explore: out of memory");
        explore_written_close(s.written, e, false);
        explore_round_up_close(s.round_up);
        return STATUS_ERROR;
    }
    if (e->infers && !e->with->nondet && !e->with->async)
        s.like = explore_likeness_open(e->with->names);
    if (!e->with->quiet)
        console_progress_start(e->budget);
    explore_rising_begin(&s.rising, with, tests->count);
    s.error = !exploration_run(e, tests, take_job, &s) || s.error;
    run_more_rounds(&s, tests);
    enum console_status status = conclude(&s);
    console_progress_stop();
    if (!explore_written_close(s.written, e, status == STATUS_HOLDS))
        status = STATUS_ERROR;
    note_rate(&s, began);
    note_serial(&s);
    for (unsigned i = 0; i < s.founds; i++)
        release_found(&s.found[i]);
    if (s.has_need)
        release_found(s.needs);
    if (!check_ranks_close(&s.ranks))
        status = STATUS_ERROR;
    note_phases(&s);
    explore_likeness_close(s.like);
    explore_round_up_close(s.round_up);
    explore_rising_release(&s.rising);
    free(s.found);
    e->with = with;
    return status;
}
