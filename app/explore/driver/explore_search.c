/* explore_search.c - from scenarios to a verdict. */
#include "app/check/rank_histogram.h"
#include "app/console/progress.h"
#include "app/console/say.h"
#include "app/explore/infer/likeness.h"
#include "app/explore/infer/matrix_search.h"
#include "app/explore/infer/observation_files.h"
#include "app/explore/infer/write_spec.h"
#include "app/explore/report/explore_cycles.h"
#include "app/explore/report/explore_report.h"
#include "app/explore/round_up/kept_history.h"
#include "app/explore/round_up/round_up_tests.h"
#include "app/objects/described_object.h"
#include "app/toolchain/build.h"
#include "explore_samples.h"
#include "quasi_factor.h"
#include "runtime/common/wait.h"
#include "schedule_file.h"
#include "unseen_code.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_FOUND = 16, /* violations that are told, with --keep-going     */
    AFTER_A_RACE = 8000000, /* steps of tests that are run after a race      */
    MOST_BEFORE = 4,      /* operations that come before those of the threads */
    MOST_SMALL = 200,     /* tests that are not drawn, ... */
    FEW_FOR_SMALL = 20000 /* ... and executions, after which they are left */
};

struct search {
    struct exploration *e;
    struct explore_totals totals;
    struct explore_found *found; /* MOST_FOUND of them */
    unsigned founds;
    struct explore_found *needs; /* with --quasi auto: the last history that */
    unsigned too_small;          /* ... this K does not accept                */
    bool has_need, again;        /* ... and its test is to be run again       */
    bool too_many;               /* more than there is room for */
    struct explore_likeness *like; /* or NULL */
    struct explore_written *written;
    struct explore_round_up *round_up; /* or NULL */
    struct check_ranks ranks;
    unsigned tests;      /* all that there are */
    unsigned small;      /* tests that are not drawn, and come first */
    unsigned drawn;      /* tests that were run and are no small ones */
    uint64_t executions; /* of all jobs that were taken */
    uint64_t earlier;    /* ... in earlier rounds        */
    struct explore_rising rising;
    bool raced;     /* something worse is looked for              */
    uint64_t since; /* ... and has taken so many steps            */
    struct explore_races races;
    bool error; /* that was said */
};

/* ---- taking jobs ---- */

static bool internal_error(const struct search *s, const char *why)
{
    console_say(
        "%s: internal error: %s; this is a bug in plumb, please report it",
        s->e->subject, why);
    return false;
}

static bool is_known(const struct search *s, const struct job_finding *f)
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

static bool keep(const struct search *s, struct explore_found *f,
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

static bool keep_violation(struct search *s, unsigned number,
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
static bool take_violation(struct search *s, unsigned number,
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
static bool take_accepted(struct search *s, unsigned number,
                          const struct explore_host_process *h, uint32_t i)
{
    if (!keep_violation(s, number, h, i))
        return false;
    s->found[s->founds - 1].accepted = true;
    return true;
}

/* False: it cannot go on. */
static bool take_finding(struct search *s, unsigned number,
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
        return internal_error(s, why);
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

static enum scheduler_fault fault_of(const struct explore_found *f)
{
    return explore_violation_finding(&f->violation)->what.fault;
}

static bool has_worse_than_races(const struct search *s)
{
    for (unsigned i = 0; i < s->founds; i++)
        if (fault_of(&s->found[i]) != FAULT_RACE)
            return true;
    return false;
}

static bool is_over(const struct search *s)
{
    return !s->e->with->keep_going && has_worse_than_races(s);
}

static void note_races(struct search *s, const struct job *job)
{
    for (uint32_t i = 0; i < job->findings; i++)
        if (job->finding[i].what.fault == FAULT_RACE)
            explore_races_add(&s->races, job->finding[i].offset,
                              job->finding[i].other);
    s->races.incomplete |= job->too_many_points;
}

/* Only the races, or all but them: a race may be the cause of something worse,
 * which is what is told then. */
static bool take_findings(struct search *s, unsigned number,
                          const struct explore_host_process *h, bool races)
{
    for (uint32_t i = 0; i < h->job->findings; i++) {
        if ((h->job->finding[i].what.fault == FAULT_RACE) != races)
            continue;
        if (!take_finding(s, number, h, i)) {
            s->error = true;
            return false;
        }
        if (s->again || is_over(s))
            return false;
    }
    return true;
}

/* Without all serial histories there is nothing to judge by. */
static void note_serial_end(struct search *s, const struct job *job)
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
static void note_unknown(struct search *s, const struct job *job)
{
    if (job->unknown && !s->totals.undecided[0])
        snprintf(s->totals.undecided, sizeof s->totals.undecided,
                 "%.100s does not know every answer of this test: %.100s",
                 s->e->spec_name, job->request.test);
}

/* By executions, not by time: the same every time. */
static bool is_enough(const struct search *s)
{
    const struct explore_settings *const with = s->e->with;
    return !with->test && !with->samples && !s->e->infers &&
           s->drawn >= DEFAULT_SAMPLES &&
           s->totals.executions >= FEW_EXECUTIONS;
}

/* The small ones are there to be quick: if they are not, on with the others. */
static unsigned next_test(struct search *s, unsigned number)
{
    const unsigned next = number + 1;
    if (next >= s->small || s->totals.executions < FEW_FOR_SMALL)
        return next;
    s->totals.wanted -= s->small - next;
    return s->small;
}

/* How much there was to do, and what it took: for who asks. */
static void note_test(const struct search *s, unsigned number,
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
static void count_ranks(struct search *s, const struct job *job)
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

static bool take_round_up(struct search *s,
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
static bool goes_on_after_race(struct search *s, const struct job *job)
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
    struct search *const s = context;
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

/* ---- a violation, told ---- */

/* Replayed it must show the same.  That is what is told: an execution may have
 * races on its way, too. */
static bool shows_the_same(const struct search *s, struct explore_found *f)
{
    const struct job_finding *const told =
        explore_violation_finding(&f->violation);
    struct job *const job = f->replayed.job;
    for (uint32_t i = 0; i < job->findings; i++)
        if (explore_findings_are_alike(s->e, &job->finding[i], told)) {
            memmove(&job->finding[0], &job->finding[i], sizeof job->finding[0]);
            job->findings = 1;
            return true;
        }
    return false;
}

/* By its two places, if it is one. */
static void name_race(const struct job_finding *f, uint64_t race[2])
{
    const bool races = f->what.fault == FAULT_RACE;
    race[0] = races ? f->offset : 0;
    race[1] = races ? f->other : 0;
}

/* A target may take the host down again: that is the same, too. */
static enum job_end run_again(const struct search *s, struct explore_found *f)
{
    const struct job *const job = f->violation.host.job;
    const struct job_finding *const finding =
        explore_violation_finding(&f->violation);
    struct exploration unlimited = *s->e;
    unlimited.deadline = 0;
    unlimited.budget = NULL;
    struct explore_schedule_part part = {
        .step = job->step + finding->first,
        .switched = job->switched + finding->first,
        .length = finding->length,
        .points = finding->points,
        .cycle = finding->cycle,
    };
    name_race(finding, part.race);
    if (!exploration_prepare_replay(&job->request, &part, &f->replayed))
        return JOB_ERROR;
    if (job->request.spec_from == JOB_SPEC_OBSERVED)
        plumb_infer_store_copy(&job->serial, &f->replayed.job->serial);
    return exploration_run_job(&unlimited, &f->replayed, 0);
}

/* What was decided afterwards is decided while it is replayed, and ends with
 * the first wrong answer.  That is the finding from then on. */
static enum job_end cut_at_wrong_answer(const struct search *s,
                                        struct explore_found *f)
{
    struct job_finding *const told =
        &f->violation.host.job->finding[f->violation.finding];
    const uint32_t length = f->replayed.job->now.length;
    if (length >= told->length)
        return JOB_DIVERGED;
    told->length = length;
    explore_host_close(&f->replayed);
    const enum job_end end = run_again(s, f);
    const struct job *const job = f->replayed.job;
    if (end == JOB_DONE && job->findings == 1 &&
        job->finding[0].what.fault == FAULT_HISTORY)
        memcpy(told->entry, job->finding[0].entry, sizeof told->entry);
    return end;
}

/* A replay finds nothing wrong with it, but its operations are those. */
static void name_operations(struct explore_found *f)
{
    struct job *const job = f->replayed.job;
    job->finding[0] = *explore_violation_finding(&f->violation);
    job->findings = 1;
}

static bool replay(const struct search *s, struct explore_found *f)
{
    enum job_end end = run_again(s, f);
    if (end == JOB_DIVERGED && s->round_up)
        end = cut_at_wrong_answer(s, f);
    if (end == JOB_ERROR)
        return false;
    if (end == JOB_DIVERGED) {
        char why[96];
        snprintf(why, sizeof why,
                 "the replay of a finding diverges at step %" PRIu32,
                 (uint32_t)f->replayed.job->now.length);
        return internal_error(s, why);
    }
    if (f->accepted)
        name_operations(f);
    return f->accepted || shows_the_same(s, f) ||
           internal_error(s, "a finding does not appear on replay");
}

static void write_schedule(const struct exploration *e, struct explore_found *f)
{
    const struct job *const job = f->violation.host.job;
    const struct job_finding *const finding =
        explore_violation_finding(&f->violation);
    const struct job_request *const r = &job->request;
    struct explore_schedule s = { .program = e->program,
                                  .scenario = f->violation.scenario,
                                  .calls = r->calls,
                                  .races = r->races,
                                  .reuse = (enum memory_heap_reuse)r->reuse,
                                  .random = r->random,
                                  .points = finding->points,
                                  .cycle = finding->cycle,
                                  .length = finding->length };
    name_race(finding, s.race);
    memcpy(s.point, r->point, sizeof s.point);
    snprintf(s.build_id, sizeof s.build_id, "%s", e->what.build_id);
    snprintf(s.target, sizeof s.target, "%s", e->target->given);
    snprintf(s.spec, sizeof s.spec, "%s", e->spec_name);
    snprintf(s.nondet, sizeof s.nondet, "%s", r->nondet);
    snprintf(s.async, sizeof s.async, "%s", r->async);
    snprintf(s.finding, sizeof s.finding, "%s",
             explore_verdict_of_fault(finding->what.fault));
    for (size_t i = 0; i < e->with->nextra; i++)
        console_wordlist_add(&s.flags, e->with->extra[i]);
    for (size_t i = 0; i < e->with->nargs; i++)
        console_wordlist_add(&s.arguments, e->with->args[i]);
    const bool whole = explore_schedule_make_room(&s, s.length) &&
                       !s.flags.broken && !s.arguments.broken;
    if (whole) {
        memcpy(s.step, job->step + finding->first, s.length * sizeof *s.step);
        memcpy(s.switched, job->switched + finding->first, s.length);
    } else {
        console_say("plumb explore: out of memory");
    }
    const bool written =
        whole && explore_schedule_write(&s, e->target->label, f->schedule);
    explore_schedule_release(&s);
    if (!written)
        f->schedule[0] = '\0';
}

/* What was decided afterwards is decided while it is replayed. */
static void judge_by_default(const struct exploration *e, struct job_request *r)
{
    r->keeps = JOB_KEEPS_NONE;
    snprintf(r->spec, sizeof r->spec, "%s", e->spec_name);
}

static bool tell_violation(struct search *s, struct explore_found *f,
                           bool first)
{
    const struct exploration *const e = s->e;
    /* A smaller test would not be well-formed. */
    if (!e->with->no_minimise && !s->round_up &&
        !exploration_minimise(e, &f->violation))
        return false;
    if (s->round_up && !f->accepted)
        judge_by_default(e, &f->violation.host.job->request);
    if (!replay(s, f))
        return false;
    if (!f->accepted && /* no replay would show that it is wrong */
        explore_violation_finding(&f->violation)->what.fault !=
            FAULT_NONDETERMINISTIC) /* of two executions */
        write_schedule(e, f);       /* what it cannot write, it has said */
    explore_report_violation(e, f, first);
    return true;
}

/* Why K is no smaller.  It is no violation, but for a smaller K. */
static bool tell_need(struct search *s)
{
    const unsigned factor = s->e->factor;
    if (!s->has_need)
        return true;
    snprintf(s->needs->heading, sizeof s->needs->heading,
             "K = %u is too small:", s->too_small);
    const bool told = exploration_relax(s->e, s->too_small) &&
                      tell_violation(s, s->needs, false);
    return exploration_relax(s->e, factor) && told;
}

/* Races last: they may be the cause of something worse, but are less sure to
 * matter.  Unless all are wanted, a line for each is enough then. */
static enum console_status tell_violations(struct search *s)
{
    const unsigned sorts = is_over(s) ? 1 : 2;
    enum console_status status = STATUS_VIOLATED;
    bool first = true;
    for (unsigned races = 0; races < sorts; races++)
        for (unsigned i = 0; i < s->founds; i++) {
            struct explore_found *const f = &s->found[i];
            if ((fault_of(f) == FAULT_RACE) != races)
                continue;
            if (tell_violation(s, f, first))
                first = false;
            else
                status = STATUS_ERROR;
        }
    if (s->too_many)
        console_note("%s: there are more violations than the %u reported here",
                     s->e->subject, s->founds);
    return status;
}

/* ---- more rounds ---- */

/* The tests of the first round, within the limits of this one. */
static bool run_tests_again(struct search *s,
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

static bool may_rise(const struct search *s)
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
static void run_more_rounds(struct search *s,
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
static void note_rate(const struct search *s, uint64_t began)
{
    const double seconds = (double)(runtime_nanoseconds_now() - began) / 1e9;
    if (s->e->with->verbose || (!s->founds && isatty(STDERR_FILENO)))
        console_note("%" PRIu64 " schedules in %.1f s, %.0f/s", s->executions,
                     seconds,
                     seconds > 0 ? (double)s->executions / seconds : 0.0);
}

/* What phase 1 took, for who asks. */
static void note_serial(const struct search *s)
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

static void note_phases(const struct search *s)
{
    const struct explore_round_up_totals *const t =
        explore_round_up_counted(s->round_up);
    if (t && s->e->with->verbose)
        console_note("phase 1: %.3f ms; phase 2: %.3f ms",
                     (double)t->nanoseconds[0] / 1e6,
                     (double)t->nanoseconds[1] / 1e6);
}

static void count_what_is_left(struct search *s)
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
static void note_shortfall(const struct search *s)
{
    const char *const why = explore_totals_shortfall(&s->totals);
    if (s->e->with->keep_going && why)
        console_note(
            "%s: there may be more violations; the search is incomplete: %s",
            s->e->subject, why);
}

static void show_likeness(struct search *s)
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

static enum console_status conclude(struct search *s)
{
    if (s->error)
        return STATUS_ERROR;
    count_what_is_left(s);
    if (s->founds) {
        const enum console_status status = tell_violations(s);
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
    return tell_need(s) ? status : STATUS_ERROR;
}

enum console_status exploration_search_tests(
    struct exploration *e, const struct exploration_tests *tests)
{
    const uint64_t began = runtime_nanoseconds_now();
    const struct explore_settings *const with = e->with;
    struct search s = { .e = e, .tests = tests->count, .small = tests->sure };
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

/* ---- which tests ---- */

/* It may be what the user wants to see, but not unawares. */
static void note_misuse(const struct exploration *e,
                        const struct explore_scenario *s)
{
    unsigned thread;
    const struct plumb_operation *const o =
        explore_scenario_misuse(s, &e->object, &thread);
    if (o)
        console_note("%s: --test calls %s in thread %u, but its .by reserves "
                     "the operation for %s (see testing-an-object.md)",
                     e->target->given, o->name, thread + 1,
                     o->by == PLUMB_BY_FIRST ? "the first thread"
                                             : "all but the first thread");
}

static bool is_too_long(const char *text)
{
    return text && strlen(text) >= JOB_TEXT;
}

static bool test_is_good(const struct exploration *e, const char *test)
{
    struct explore_scenario s;
    struct plumb_error err;
    if (is_too_long(test) || is_too_long(e->with->init) ||
        is_too_long(e->with->final)) {
        console_say("%s: --test, --init or --final is longer than %d bytes",
                    e->target->given, JOB_TEXT - 1);
        return false;
    }
    exploration_scenario(e, test, NULL, &s);
    if (explore_scenario_check(&s, &e->object, &err) != PLUMB_OK) {
        console_say("%s: %s", e->target->given, err.message);
        return false;
    }
    note_misuse(e, &s);
    return true;
}

static enum console_status search_one(struct exploration *e, const char *test)
{
    const struct exploration_tests tests = { .test = &test,
                                             .count = 1,
                                             .sure_end = 1 };
    return exploration_search_tests(e, &tests);
}

/* For Round-Up: tests that are not well-formed are completed. */
static enum console_status search_completed(struct exploration *e,
                                            const struct explore_samples *s,
                                            struct exploration_tests tests)
{
    enum console_status status = STATUS_ERROR;
    char **const text = calloc(2 * (size_t)s->count, sizeof *text);
    char **const init = text, **const final = text + s->count;
    bool whole = text;
    for (unsigned i = 0; whole && i < s->count; i++)
        whole = explore_round_up_complete(e,
                                          tests.init      ? tests.init[i]
                                          : e->with->init ? e->with->init
                                                          : e->what.init,
                                          tests.test[i], &init[i], &final[i]);
    tests.init = (const char *const *)init;
    tests.final = (const char *const *) final;
    if (whole)
        status = exploration_search_tests(e, &tests);
    else
        console_say("plumb explore: out of memory");
    for (size_t i = 0; text && i < 2 * (size_t)s->count; i++)
        free(text[i]);
    free(text);
    return status;
}

/* Of those that are drawn, DEFAULT_SAMPLES are run, come what may. */
static enum console_status search_drawn(struct exploration *e,
                                        const struct explore_samples *s,
                                        bool own_init)
{
    const unsigned drawn = e->with->samples ? s->count : DEFAULT_SAMPLES;
    const struct exploration_tests tests = {
        .test = s->test,
        .init = own_init ? NULL : s->init,
        .count = s->count,
        .sure = s->small,
        .sure_end = s->small + drawn < s->count ? s->small + drawn : s->count,
    };
    return e->with->algorithm == EXPLORE_ROUND_UP
               ? search_completed(e, s, tests)
               : exploration_search_tests(e, &tests);
}

static enum console_status search_samples(struct exploration *e)
{
    const struct explore_settings *const with = e->with;
    const bool own_init = with->init || *e->what.init;
    const struct explore_samples_wanted wanted = {
        .threads = with->threads,
        .ops = with->ops,
        .small = with->samples && with->samples < MOST_SMALL ? with->samples
                                                             : MOST_SMALL,
        .count = with->samples ? with->samples : DEFAULT_SAMPLES,
        .more = with->samples ? 0 : MORE_SAMPLES,
        .init = own_init ? 0 : MOST_BEFORE,
        .seed = with->seed
    };
    struct explore_samples samples;
    if (!explore_samples_draw(&samples, &e->object, &wanted)) {
        console_say("plumb explore: out of memory");
        return STATUS_ERROR;
    }
    enum console_status status = STATUS_ERROR;
    if (samples.count == 0)
        console_say("%s: nothing to test: the object has no operation that a "
                    "thread may invoke",
                    e->target->given);
    else if (test_is_good(e, samples.test[samples.count - 1]))
        status = search_drawn(e, &samples, own_init);
    explore_samples_release(&samples);
    return status;
}

/* Options that only an inferred specification has a use for. */
static bool options_have_effect(const struct exploration *e)
{
    const struct explore_settings *const with = e->with;
    const char *const option = e->infers            ? NULL
                               : with->automatic    ? "--auto"
                               : with->sequences    ? "--sequence"
                               : with->observations ? "--observations"
                               : with->write_spec   ? "--write-spec"
                               : with->nondet       ? "--nondet"
                               : with->async        ? "--async"
                               : with->names        ? "--names"
                                                    : NULL;
    if (option)
        console_say("plumb explore: %s has no effect without --spec infer",
                    option);
    else if (e->program && with->also)
        console_say("%s: --also serializability needs an object with "
                    "operations; this is a program",
                    e->target->given);
    else
        return true;
    return false;
}

/* Is this the name of an operation? */
static bool names_operation(const struct exploration *e, const char *option,
                            const char *list, size_t length)
{
    const struct plumb_operation *o = e->object.operations;
    while (o->name &&
           (strlen(o->name) != length || memcmp(o->name, list, length) != 0))
        o++;
    if (!o->name)
        console_say("%s: %s %.*s: the object has no operation of this name",
                    e->target->given, option, (int)length, list);
    return o->name;
}

static bool async_is_good(const struct exploration *e)
{
    const char *at = e->with->async;
    if (is_too_long(at)) {
        console_say("plumb explore: --async is longer than %d bytes",
                    JOB_TEXT - 1);
        return false;
    }
    for (bool more = at; more; more = *at++ == ',') {
        const size_t length = strcspn(at, ",");
        if (!names_operation(e, "--async", at, length))
            return false;
        at += length;
    }
    return true;
}

static bool names_are_good(const struct exploration *e)
{
    const char *at = e->with->names;
    for (bool more = at; more; more = *at++ == ',') {
        const size_t length = strcspn(at, ","), name = strcspn(at, "=,");
        if (name + 1 >= length || length - name > EXPLORE_LIKENESS_NAME) {
            console_say("%s: --names %.*s: expected OPERATION=NAME, with a "
                        "NAME of at most %d bytes",
                        e->target->given, (int)length, at,
                        EXPLORE_LIKENESS_NAME - 1);
            return false;
        }
        if (!names_operation(e, "--names", at, name))
            return false;
        at += length;
    }
    return true;
}

enum console_status exploration_search(struct exploration *e)
{
    if (!options_have_effect(e))
        return STATUS_ERROR;
    explore_unseen_code_find(e);
    if (e->program)
        return search_one(e, "");
    if (!objects_described_object(&e->what, &e->object)) {
        console_say("%s: cannot read its PLUMB_OBJECT", e->target->given);
        return STATUS_ERROR;
    }
    if (!async_is_good(e) || !names_are_good(e))
        return STATUS_ERROR;
    if (!e->with->test)
        return e->infers ? explore_search_matrices(e) : search_samples(e);
    return test_is_good(e, e->with->test) ? search_one(e, e->with->test)
                                          : STATUS_ERROR;
}
