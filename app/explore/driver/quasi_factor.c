/* quasi_factor.c - see quasi_factor.h. */
#include "quasi_factor.h"

#include "app/console/say.h"
#include "app/objects/quasi.h"
#include <plumb/check.h>
#include <stdio.h>

enum { LONGEST_DECISION = 60000 }; /* milliseconds: they are small */

bool exploration_relax(struct exploration *e, unsigned k)
{
    struct plumb_spec *spec = NULL;
    struct plumb_error err = { 0 };
    if (plumb_spec_parse(e->strict_name, &spec, &err) != PLUMB_OK ||
        objects_relax_spec(&spec, k, &err) != PLUMB_OK) {
        plumb_spec_free(spec);
        console_say("%s: %s", e->target->given, err.message);
        return false;
    }
    plumb_spec_free(e->spec);
    e->spec = spec;
    e->factor = k;
    snprintf(e->relaxed_name, sizeof e->relaxed_name, "%s",
             plumb_spec_text(spec));
    e->spec_name = e->relaxed_name;
    return true;
}

static enum explore_factor accepts_history(const struct exploration *e,
                                           const struct plumb_history *h,
                                           struct plumb_budget *budget)
{
    const struct plumb_check_options options = { .budget = budget,
                                                 .no_core = true };
    struct plumb_answer answer;
    struct plumb_error err = { 0 };
    if (plumb_check(h, e->spec, &options, &answer, &err) != PLUMB_OK)
        return FACTOR_UNKNOWN;
    const enum plumb_verdict verdict = answer.verdict;
    plumb_answer_release(&answer);
    return verdict == PLUMB_LINEARIZABLE       ? FACTOR_RAISED
           : verdict == PLUMB_NOT_LINEARIZABLE ? FACTOR_NONE
                                               : FACTOR_UNKNOWN;
}

/* Does the specification as it is now accept it? */
static enum explore_factor accepts(const struct exploration *e,
                                   const struct job *job,
                                   const struct job_finding *f,
                                   const struct plumb_history *h,
                                   struct plumb_budget *budget)
{
    char why[256];
    if (f->what.fault == FAULT_HISTORY)
        return accepts_history(e, h, budget);
    switch (exploration_judge(e, job, f, why)) {
    case JUDGED_NOTHING:
        return FACTOR_RAISED;
    case JUDGED_VIOLATION:
        return FACTOR_NONE;
    default:
        return FACTOR_UNKNOWN;
    }
}

static enum explore_factor raise_until(struct exploration *e,
                                       const struct job *job,
                                       const struct job_finding *f,
                                       const struct plumb_history *h,
                                       struct plumb_budget *budget)
{
    const unsigned most = job->target.scenario;
    enum explore_factor answer = FACTOR_NONE;
    while (answer == FACTOR_NONE && e->factor < most)
        answer = exploration_relax(e, e->factor + 1)
                     ? accepts(e, job, f, h, budget)
                     : FACTOR_UNKNOWN;
    return answer;
}

static bool depends_on_specification(enum scheduler_fault fault)
{
    return fault == FAULT_HISTORY || fault == FAULT_DEADLOCK ||
           fault == FAULT_LIVELOCK;
}

enum explore_factor exploration_raise_factor(struct exploration *e,
                                             const struct job *job,
                                             const struct job_finding *f)
{
    const unsigned before = e->factor;
    enum explore_factor answer = FACTOR_UNKNOWN;
    struct plumb_history h = { 0 };
    struct plumb_error err;
    if (!depends_on_specification(f->what.fault))
        return FACTOR_UNKNOWN;
    struct plumb_budget *const budget =
        plumb_budget_new(LONGEST_DECISION, e->memory);
    if (explore_finding_history(job, f, budget, &h, &err) == PLUMB_OK) {
        answer = raise_until(e, job, f, &h, budget);
        plumb_history_release(&h);
    }
    plumb_budget_free(budget);
    if (answer == FACTOR_UNKNOWN)
        exploration_relax(e, before);
    return answer;
}
