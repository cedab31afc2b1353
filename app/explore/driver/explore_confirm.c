/* explore_confirm.c - is what a host reported a violation?
 *
 * The host decides histories as they unfold; here each is decided again, by
 * plumb_check(), whose answer the verifier has accepted.  If the two disagree,
 * that is a bug of ours and no verdict.  Whether threads may wait for ever is
 * for the specification to say. */
#include "exploration.h"

#include "app/explore/infer/inferred.h"
#include "app/explore/trace/explore_interleaving.h"
#include "app/explore/trace/trace_names.h"
#include "app/objects/object_spec.h"
#include "base/fail.h"
#include "check/search/stuck.h"
#include "record/log_history.h"
#include <plumb/check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_DECISION = 60000 }; /* milliseconds: they are small */

static const struct fault_word {
    const char *name;
    enum explore_judgement judgement; /* unless more has to be asked */
} words[] = {
    [FAULT_NONE] = { "nothing", JUDGED_NOTHING },
    [FAULT_HISTORY] = { "not linearizable", JUDGED_VIOLATION },
    [FAULT_CRASH] = { "crash", JUDGED_VIOLATION },
    [FAULT_ASSERTION] = { "assertion failed", JUDGED_VIOLATION },
    [FAULT_ABORT] = { "abort", JUDGED_VIOLATION },
    [FAULT_FREED] = { "use after free", JUDGED_VIOLATION },
    [FAULT_RETURNED] = { "use after return", JUDGED_VIOLATION },
    [FAULT_OVERFLOW] = { "out of bounds", JUDGED_VIOLATION },
    [FAULT_FREE] = { "bad free", JUDGED_VIOLATION },
    [FAULT_MISUSE] = { "misuse", JUDGED_VIOLATION },
    /* These are limits of ours. */
    [FAULT_STACK] = { "out of stack", JUDGED_UNDECIDED },
    [FAULT_ENDLESS] = { "a step does not end", JUDGED_UNDECIDED },
    [FAULT_UNMODELLED] = { "not modelled", JUDGED_UNDECIDED },
    [FAULT_RACE] = { "data race", JUDGED_VIOLATION },
    [FAULT_DEADLOCK] = { "deadlock", JUDGED_VIOLATION },
    [FAULT_LIVELOCK] = { "livelock", JUDGED_VIOLATION },
    [FAULT_NONDETERMINISTIC] = { "nondeterministic", JUDGED_VIOLATION },
    [FAULT_LEAK] = { "leak", JUDGED_VIOLATION },
};

const char *explore_verdict_of_fault(enum scheduler_fault fault)
{
    return words[fault].name;
}

/* ---- alike ---- */

static bool is_same_line(const struct exploration *e, uint64_t a, uint64_t b)
{
    struct plumb_base_text text[2];
    plumb_base_text_init(&text[0], NULL);
    plumb_base_text_init(&text[1], NULL);
    explore_show_place(e->target->object, a, &text[0]);
    explore_show_place(e->target->object, b, &text[1]);
    const bool same = strcmp(plumb_base_text_string(&text[0]),
                             plumb_base_text_string(&text[1])) == 0;
    plumb_base_text_release(&text[0]);
    plumb_base_text_release(&text[1]);
    return same;
}

/* Which of the two accesses of a race came first does not matter. */
static bool are_at_the_same_lines(const struct exploration *e,
                                  const struct job_finding *a,
                                  const struct job_finding *b)
{
    return (is_same_line(e, a->offset, b->offset) &&
            is_same_line(e, a->other, b->other)) ||
           (a->what.fault == FAULT_RACE &&
            is_same_line(e, a->offset, b->other) &&
            is_same_line(e, a->other, b->offset));
}

bool explore_findings_are_alike(const struct exploration *e,
                                const struct job_finding *a,
                                const struct job_finding *b)
{
    return a->what.fault == b->what.fault &&
           (!e->with->keep_going ||
            (a->kind == b->kind && are_at_the_same_lines(e, a, b)));
}

/* ---- its history ---- */

/* The entries of one process, in its order: in `room`, which has space. */
static uint32_t gather(const struct job *job, const struct job_finding *f,
                       unsigned process, struct plumb_record_entry *room)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < job->target.scenario; i++)
        if (job->target.own[i] == process && f->entry[i].call)
            memcpy(room + count++, &f->entry[i], sizeof *room);
    return count;
}

enum plumb_status explore_finding_history(const struct job *job,
                                          const struct job_finding *f,
                                          struct plumb_budget *budget,
                                          struct plumb_history *h,
                                          struct plumb_error *err)
{
    const char *name[PLUMB_MAX_OPERATIONS];
    struct plumb_record_process_log log[JOB_OWN_PROCESSES];
    struct plumb_record_entry *const entry =
        calloc(JOB_OPERATIONS, sizeof *entry);
    struct plumb_builder *const builder =
        entry ? plumb_builder_new(budget) : NULL;
    struct plumb_record_entry *next = entry;
    if (!builder) {
        free(entry);
        return plumb_base_fail_memory(err);
    }
    for (unsigned i = 0; i < job->target.operations; i++)
        name[i] = job->target.operation[i].name;
    for (unsigned p = 0; p < JOB_OWN_PROCESSES; p++) {
        log[p].entry = next;
        log[p].count = gather(job, f, p, next);
        log[p].unknown = p >= job->target.processes;
        next += log[p].count;
    }
    const struct plumb_record_recording recording = {
        .object = job->target.name,
        .operation = name,
        .operations = job->target.operations,
        .process = log,
        .processes = job->target.own_processes,
    };
    const enum plumb_status status =
        plumb_record_log_history(&recording, builder, h, err);
    plumb_builder_free(builder);
    free(entry);
    return status;
}

/* ---- judging ---- */

static enum explore_judgement cannot_tell(const struct plumb_error *err,
                                          char why[256])
{
    snprintf(why, 256, "%s", err->message);
    return err->status == PLUMB_EBUG ? JUDGED_BUG : JUDGED_UNDECIDED;
}

static enum explore_judgement judge_history(const struct plumb_spec *spec,
                                            const struct plumb_history *h,
                                            struct plumb_budget *budget,
                                            char why[256])
{
    const struct plumb_check_options options = { .budget = budget,
                                                 .no_core = true };
    struct plumb_answer answer;
    struct plumb_error err = { 0 };
    object_spec_forget();
    if (plumb_check(h, spec, &options, &answer, &err) != PLUMB_OK)
        return cannot_tell(&err, why);
    const enum plumb_verdict verdict = answer.verdict;
    plumb_answer_release(&answer);
    if (verdict == PLUMB_NOT_LINEARIZABLE)
        return JUDGED_VIOLATION;
    snprintf(why, 256,
             verdict == PLUMB_UNDECIDED
                 ? "a history could not be decided"
                 : "the search found a history not linearizable, but the "
                   "checker accepts it");
    return verdict == PLUMB_UNDECIDED ? JUDGED_UNDECIDED : JUDGED_BUG;
}

static enum explore_judgement judge_waiting(const struct plumb_spec *spec,
                                            const struct plumb_history *h,
                                            struct plumb_budget *budget,
                                            char why[256])
{
    struct plumb_error err = { 0 };
    bool justified = false;
    uint32_t culprit;
    object_spec_forget();
    if (plumb_check_stuck(h, spec, budget, &justified, NULL, &culprit, &err) !=
        PLUMB_OK)
        return cannot_tell(&err, why);
    return justified ? JUDGED_NOTHING : JUDGED_VIOLATION;
}

/* Who waits for ever outside of all operations, as in teardown, is allowed to
 * by no specification. */
static bool has_open_operation(const struct job *job,
                               const struct job_finding *f)
{
    for (unsigned i = 0; i < job->target.scenario && i < JOB_OPERATIONS; i++)
        if (f->entry[i].call && !atomic_load(&f->entry[i].ret))
            return true;
    return false;
}

static enum explore_judgement ask_specification(const struct exploration *e,
                                                const struct job *job,
                                                const struct job_finding *f,
                                                struct plumb_budget *budget,
                                                char why[256])
{
    struct plumb_history h;
    struct plumb_error err = { 0 };
    struct explore_inferred inferred;
    if (f->what.fault != FAULT_HISTORY && !has_open_operation(job, f))
        return JUDGED_VIOLATION;
    if (explore_finding_history(job, f, budget, &h, &err) != PLUMB_OK)
        return cannot_tell(&err, why);
    const struct plumb_spec *const spec =
        explore_spec_of(e, job, &h, &inferred, &err);
    const bool stuck = f->what.fault != FAULT_HISTORY;
    enum explore_judgement judgement =
        !spec   ? cannot_tell(&err, why)
        : stuck ? judge_waiting(spec, &h, budget, why)
                : judge_history(spec, &h, budget, why);
    if (e->infers && judgement == JUDGED_VIOLATION &&
        !explore_is_unwitnessed(job, &h, stuck, why))
        judgement = JUDGED_BUG;
    explore_inferred_release(&inferred);
    plumb_history_release(&h);
    return judgement;
}

/* A thread that stays in one step: where, if that is known. */
static void name_endless(const struct exploration *e, const struct job *job,
                         const struct job_finding *f, char why[256])
{
    char thread[TRACE_THREAD_NAME];
    struct plumb_base_text place;
    if (!f->offset) {
        snprintf(why, 256, "%s",
                 f->what.text[0] ? f->what.text : words[FAULT_ENDLESS].name);
        return;
    }
    plumb_base_text_init(&place, NULL);
    explore_show_place(e->target->object, f->offset, &place);
    snprintf(why, 256,
             "thread %s loops at %.120s without touching memory; exploration "
             "cannot continue",
             explore_trace_thread(job, f->what.thread, thread),
             plumb_base_text_string(&place));
    plumb_base_text_release(&place);
}

/* A limit of ours that was reached. */
static void name_limit(const struct exploration *e, const struct job *job,
                       const struct job_finding *f, char why[256])
{
    if (f->what.fault == FAULT_ENDLESS)
        name_endless(e, job, f, why);
    else
        snprintf(why, 256, "%s%s%s", words[f->what.fault].name,
                 f->what.text[0] ? ": " : "", f->what.text);
}

enum explore_judgement exploration_judge(const struct exploration *e,
                                         const struct job *job,
                                         const struct job_finding *f,
                                         char why[256])
{
    const enum scheduler_fault fault = f->what.fault;
    const struct fault_word *const word = &words[fault];
    if (word->judgement == JUDGED_UNDECIDED)
        name_limit(e, job, f, why);
    if (fault == FAULT_NONDETERMINISTIC &&
        (!plumb_infer_is_conflict(&job->serial.conflict) ||
         !explore_serial_is_sound(job))) {
        snprintf(why, 256, "the target overwrote the serial histories");
        return JUDGED_UNDECIDED;
    }
    if ((!e->spec && !e->infers) ||
        (fault != FAULT_HISTORY && fault != FAULT_DEADLOCK &&
         fault != FAULT_LIVELOCK))
        return word->judgement;
    struct plumb_budget *const budget =
        plumb_budget_new(LONGEST_DECISION, e->memory);
    const enum explore_judgement judgement =
        ask_specification(e, job, f, budget, why);
    plumb_budget_free(budget);
    return judgement;
}
