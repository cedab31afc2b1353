/* tell_violations.c - a violation made small, replayed, written to a schedule
 * file and reported. */
#include "app/console/say.h"
#include "explore_search.h"
#include "quasi_factor.h"
#include "schedule_file.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Replayed it must show the same.  That is what is told: an execution may have
 * races on its way, too. */
static bool shows_the_same(const struct explore_search *s,
                           struct explore_found *f)
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
static enum job_end run_again(const struct explore_search *s,
                              struct explore_found *f)
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
static enum job_end cut_at_wrong_answer(const struct explore_search *s,
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

static bool replay(const struct explore_search *s, struct explore_found *f)
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
        return explore_search_bug(s, why);
    }
    if (f->accepted)
        name_operations(f);
    return f->accepted || shows_the_same(s, f) ||
           explore_search_bug(s, "a finding does not appear on replay");
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

static bool tell_violation(struct explore_search *s, struct explore_found *f,
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
bool explore_tell_need(struct explore_search *s)
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
enum console_status explore_tell_violations(struct explore_search *s)
{
    const unsigned sorts = explore_search_is_over(s) ? 1 : 2;
    enum console_status status = STATUS_VIOLATED;
    bool first = true;
    for (unsigned races = 0; races < sorts; races++)
        for (unsigned i = 0; i < s->founds; i++) {
            struct explore_found *const f = &s->found[i];
            if ((explore_search_fault(f) == FAULT_RACE) != races)
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
