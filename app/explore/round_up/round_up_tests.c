/* round_up_tests.c - see round_up_tests.h. */
#include "round_up_tests.h"

#include "app/console/say.h"
#include "app/explore/trace/trace_rows.h"
#include "app/objects/quasi.h"
#include "base/arena.h"
#include "base/memory.h"
#include "golden.h"
#include "kept_history.h"
#include "runtime/common/wait.h"
#include <plumb/check.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_DECISION = 60000 }; /* milliseconds: they are small */

struct explore_round_up {
    const struct exploration *e;
    struct explore_golden golden;
    struct explore_round_up_totals totals;
};

/* Of one test.  A symbol is the number of a text: "deq() = 2". */
struct round {
    struct explore_round_up *r;
    struct plumb_quasi_checker checker;
    struct plumb_base_arena arena;
    const char **text;
    size_t texts, capacity;
    bool failed; /* memory was refused */
};

/* ---- symbols ---- */

static uint32_t number_text(struct round *t, const char *text, size_t size)
{
    for (size_t i = 0; i < t->texts; i++)
        if (strcmp(t->text[i], text) == 0)
            return (uint32_t)i;
    const char *const copy = plumb_base_arena_copy(&t->arena, text, size + 1);
    const bool added = copy && PLUMB_APPEND(t->checker.budget, t->text,
                                            t->texts, t->capacity, copy);
    t->failed |= !added;
    return added ? (uint32_t)t->texts - 1 : 0;
}

/* The tags tell numbers from words. */
static uint32_t symbol_of(struct round *t, const char *name,
                          const struct plumb_record_entry *e)
{
    struct plumb_base_text text;
    uint32_t symbol = 0;
    plumb_base_text_init(&text, t->checker.budget);
    explore_trace_entry_text(name, e, true, &text);
    for (unsigned i = 0; i < (unsigned)e->nargs + e->nres; i++)
        plumb_base_text_printf(&text, " %d", (int)e->value[i].tag);
    t->failed |= text.broken;
    if (!text.broken)
        symbol = number_text(t, plumb_base_text_string(&text), text.size);
    plumb_base_text_release(&text);
    return symbol;
}

/* ---- phase 1 ---- */

static bool take_legal(void *context, const struct explore_golden_call *call,
                       unsigned count)
{
    struct round *const t = context;
    uint32_t sequence[PLUMB_QUASI_CALLS];
    for (unsigned i = 0; i < count; i++)
        sequence[i] = symbol_of(t, call[i].name, call[i].entry);
    t->failed = t->failed || !plumb_quasi_add_legal(&t->checker, sequence);
    return !t->failed;
}

/* ---- phase 2 ---- */

/* Every answer of the job, as a symbol and whether it is permuted. */
static struct plumb_quasi_call *number_answers(struct round *t,
                                               const struct job *job)
{
    const struct plumb_infer_store *const s = &job->serial;
    const uint32_t count =
        s->answers < PLUMB_INFER_ANSWERS ? s->answers : PLUMB_INFER_ANSWERS;
    struct plumb_quasi_call *const call =
        calloc((size_t)count + 1, sizeof *call);
    for (uint32_t i = 0; call && i < count; i++) {
        const struct plumb_record_entry *const e = &s->answer[i];
        const char *const name = e->operation < PLUMB_MAX_OPERATIONS
                                     ? job->target.operation[e->operation].name
                                     : "";
        call[i].symbol = symbol_of(t, name, e);
        call[i].permuted =
            t->r->e->with->permute ||
            objects_part_of(t->r->e->spec, name) == OBJECTS_REMOVES;
    }
    t->failed |= !call;
    return call;
}

static void count_permuted(struct round *t, const struct plumb_quasi_call *call,
                           unsigned count)
{
    struct explore_round_up_totals *const totals = &t->r->totals;
    unsigned permuted = 0;
    for (unsigned i = 0; i < count; i++)
        permuted += call[i].permuted;
    if (permuted > totals->permuted)
        totals->permuted = permuted;
}

static void add_finding(struct job *job, const struct explore_kept *k)
{
    const uint32_t length = k->head.length;
    if (job->findings >= JOB_FINDINGS || job->steps > JOB_STEPS ||
        length > JOB_STEPS - job->steps)
        return;
    struct job_finding *const f = &job->finding[job->findings++];
    explore_kept_finding(job, k, f);
    f->first = job->steps;
    memcpy(job->step + job->steps, k->step, length * sizeof *k->step);
    memset(job->switched + job->steps, JOB_SWITCH_UNKNOWN, length);
    job->steps += length;
}

static enum plumb_status decide(struct round *t, unsigned operations,
                                const struct explore_kept *k,
                                const struct plumb_quasi_call *answer,
                                enum plumb_quasi_verdict *verdict)
{
    struct plumb_quasi_call call[PLUMB_QUASI_CALLS];
    struct plumb_quasi_history h = { .count = operations };
    for (unsigned i = 0; i < operations; i++) {
        h.before[i] = explore_kept_before(&k->operation[i]);
        call[i] = answer[k->operation[i].answer];
    }
    count_permuted(t, call, operations);
    return plumb_quasi_decide(&t->checker, &h, call, verdict);
}

static const char *why_not(enum plumb_status status)
{
    return status == PLUMB_EMEMORY
               ? "memory is used up by sequentializations and permutations"
               : "time is up while sequentializations are permuted";
}

static bool decide_all(struct round *t, struct job *job, char why[256])
{
    const unsigned operations = job->target.scenario;
    struct plumb_quasi_call *const answer = number_answers(t, job);
    enum plumb_status status = PLUMB_OK;
    bool found = false, sound = true;
    uint32_t at = 0;
    for (uint32_t i = 0; i < job->keeps && !t->failed && status == PLUMB_OK;
         i++) {
        struct explore_kept k;
        enum plumb_quasi_verdict verdict = PLUMB_QUASI_NO;
        sound = sound && explore_kept_next(job, &at, &k);
        if (!sound)
            break;
        status = decide(t, operations, &k, answer, &verdict);
        if (status == PLUMB_OK && verdict == PLUMB_QUASI_NO && !found) {
            found = true;
            add_finding(job, &k);
        }
    }
    free(answer);
    if (status != PLUMB_OK || t->failed)
        strcpy(why, why_not(t->failed ? PLUMB_EMEMORY : status));
    else if (!sound)
        strcpy(why, "the target overwrote memory of the explorer");
    else if (job->more_kept)
        strcpy(why, "there are too many histories to keep");
    return true;
}

/* ---- both ---- */

static void add_counts(struct plumb_quasi_counts *sum,
                       const struct plumb_quasi_counts *c)
{
    sum->serial += c->serial;
    sum->serial_again += c->serial_again;
    sum->histories += c->histories;
    sum->wrong += c->wrong;
    sum->sequentializations += c->sequentializations;
    sum->sequentializations_again += c->sequentializations_again;
    sum->permutations += c->permutations;
    sum->permutations_again += c->permutations_again;
}

static bool run_phases(struct round *t, struct job *job, char why[256])
{
    struct explore_round_up_totals *const totals = &t->r->totals;
    struct explore_scenario s;
    memcpy(s.init, job->request.init, sizeof s.init);
    memcpy(s.test, job->request.test, sizeof s.test);
    memcpy(s.final, job->request.final, sizeof s.final);
    explore_round_up_warn(t->r->e, &s);
    const uint64_t began = runtime_nanoseconds_now();
    const bool whole =
        explore_golden_run(&t->r->golden, &s, take_legal, t) || t->failed;
    const uint64_t then = runtime_nanoseconds_now();
    const bool done = whole && decide_all(t, job, why);
    totals->nanoseconds[0] += then - began;
    totals->nanoseconds[1] +=
        runtime_nanoseconds_now() - then + job->nanoseconds;
    totals->executions += job->stats.complete;
    return done;
}

bool explore_round_up_take(struct explore_round_up *r,
                           const struct explore_host_process *h, char why[256])
{
    struct job *const job = h->job;
    const struct explore_settings *const with = r->e->with;
    const struct plumb_quasi_options options = {
        .calls = job->target.scenario,
        .k = r->e->factor,
        .same_serial = with->duplicates & DUPLICATE_SERIAL,
        .same_permutations = with->duplicates & DUPLICATE_PERMUTATIONS,
    };
    struct round t = { .r = r };
    if (options.calls == 0 || options.calls > PLUMB_QUASI_CALLS)
        return true; /* it did not come to a test */
    plumb_quasi_open(&t.checker, &options, r->e->budget);
    plumb_base_arena_init(&t.arena, r->e->budget);
    const bool done = run_phases(&t, job, why);
    r->totals.tests++;
    add_counts(&r->totals.counts, &t.checker.counts);
    plumb_quasi_close(&t.checker);
    PLUMB_RELEASE(r->e->budget, t.text, t.capacity);
    plumb_base_arena_release(&t.arena);
    return done;
}

struct explore_round_up *explore_round_up_open(const struct exploration *e)
{
    struct explore_round_up *const r = calloc(1, sizeof *r);
    if (!r) {
        console_say("plumb explore: out of memory");
        return NULL;
    }
    r->e = e;
    if (!explore_golden_open(&r->golden, e)) {
        free(r);
        return NULL;
    }
    r->totals.golden = explore_golden_name(&r->golden);
    return r;
}

void explore_round_up_close(struct explore_round_up *r)
{
    if (r)
        explore_golden_close(&r->golden);
    free(r);
}

const struct explore_round_up_totals *explore_round_up_counted(
    const struct explore_round_up *r)
{
    return r ? &r->totals : NULL;
}

bool explore_round_up_is_accepted(const struct exploration *e,
                                  const struct job *job,
                                  const struct job_finding *f)
{
    struct plumb_budget *const budget =
        plumb_budget_new(LONGEST_DECISION, e->memory);
    const struct plumb_check_options options = { .budget = budget,
                                                 .no_core = true };
    struct plumb_history h;
    struct plumb_error err = { 0 };
    bool accepted = false;
    if (explore_finding_history(job, f, budget, &h, &err) == PLUMB_OK) {
        struct plumb_answer answer;
        if (plumb_check(&h, e->spec, &options, &answer, &err) == PLUMB_OK) {
            accepted = answer.verdict == PLUMB_LINEARIZABLE;
            plumb_answer_release(&answer);
        }
        plumb_history_release(&h);
    }
    plumb_budget_free(budget);
    return accepted;
}
