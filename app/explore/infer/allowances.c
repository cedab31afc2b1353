/* allowances.c - see allowances.h.
 *
 * Candidates come from the history: an answer that says "nothing" may be one
 * that is right anywhere (--nondet); an operation that answered nothing at all
 * may act later (--async); and a nondeterministic built-in specification that
 * has all operations of the object may be what it is (--spec). */
#include "allowances.h"

#include "inferred.h"
#include "report/json.h"
#include <plumb/spec.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_TRIED = 16,
    EXECUTIONS = 20000 /* of a test that is tried: equal runs end equally */
};

struct search {
    const struct exploration *e;
    const struct explore_violation *v;
    struct plumb_base_text *out;
    struct plumb_base_text known; /* "\nadd --async close\n": tried before */
    unsigned tried, found;
};

/* ---- trying one ---- */

static bool is_of_specification(enum scheduler_fault fault)
{
    return fault == FAULT_HISTORY || fault == FAULT_DEADLOCK ||
           fault == FAULT_LIVELOCK || fault == FAULT_NONDETERMINISTIC;
}

static bool has_violation(const struct exploration *e, const struct job *job)
{
    char why[256];
    for (uint32_t i = 0; i < job->findings; i++)
        if (is_of_specification(job->finding[i].what.fault) &&
            exploration_judge(e, job, &job->finding[i], why) != JUDGED_NOTHING)
            return true;
    return false;
}

/* Does the whole test pass, within the preemptions that it failed with? */
static bool passes(const struct search *s, const struct exploration *e)
{
    struct explore_host_process h;
    if (!explore_host_open(&h))
        return false;
    struct job_request *const r = &h.job->request;
    exploration_request(e, &s->v->scenario, r);
    r->strategy = PLUMB_STATES;
    r->calls = JOB_CALLS_MERGED;
    r->bounded = true;
    r->preemptions = explore_violation_finding(s->v)->preemptions;
    r->executions = EXECUTIONS;
    struct exploration trial = *e;
    trial.tries = true;
    const enum job_end end = exploration_run_job(&trial, &h, 0);
    const bool good =
        end == JOB_DONE && h.job->exhausted && !has_violation(e, h.job);
    explore_host_close(&h);
    return good;
}

/* Once each, and not too many. */
static bool is_new(struct search *s, const char *option)
{
    char line[2 * JOB_TEXT];
    snprintf(line, sizeof line, "\n%s\n", option);
    if (strstr(plumb_base_text_string(&s->known), line) ||
        s->tried++ >= MOST_TRIED ||
        plumb_budget_state(s->e->budget) != PLUMB_OK)
        return false;
    plumb_base_text_add(&s->known, line);
    return true;
}

/* `when`: a sentence that ends before the comma. */
static void tell(struct search *s, const char *option, const char *when)
{
    if (!s->e->with->json) {
        plumb_base_text_printf(s->out, "%s  If %s, add %s.\n",
                               s->found++ ? "" : "\n", when, option);
        return;
    }
    plumb_base_text_add(s->out, s->found++ ? "," : ",\"allowances\":[");
    plumb_report_json_string(option, strlen(option), s->out);
}

/* ---- options that add to the settings ---- */

static void join(char list[JOB_TEXT], const char *given, const char *more)
{
    snprintf(list, JOB_TEXT, "%s%s%s", given ? given : "", given ? "," : "",
             more);
}

static void try_async(struct search *s, const char *name)
{
    char list[JOB_TEXT], option[JOB_TEXT + 16], when[128];
    struct explore_settings with = *s->e->with;
    struct exploration e = *s->e;
    join(list, with.async, name);
    snprintf(option, sizeof option, "--async %s", list);
    with.async = list;
    e.with = &with;
    if (!is_new(s, option) || !passes(s, &e))
        return;
    snprintf(when, sizeof when, "%s may take effect after its return", name);
    tell(s, option, when);
}

static void try_nondet(struct search *s, const char *name, const char *word)
{
    char list[JOB_TEXT], pair[128], option[JOB_TEXT + 16], when[128];
    struct explore_settings with = *s->e->with;
    struct exploration e = *s->e;
    snprintf(pair, sizeof pair, "%s=%s", name, word);
    join(list, with.nondet, pair);
    snprintf(option, sizeof option, "--nondet %s", list);
    with.nondet = list;
    e.with = &with;
    if (!is_new(s, option) || !passes(s, &e))
        return;
    snprintf(when, sizeof when, "%s may answer %s at any time", name, word);
    tell(s, option, when);
}

/* ---- candidates of the history ---- */

/* The target may have damaged it. */
static bool is_whole(const struct job *job, const struct plumb_record_entry *e)
{
    return e->operation < job->target.operations &&
           e->nargs <= PLUMB_MAX_ARGUMENTS && !e->term[sizeof e->term - 1];
}

/* An answer that says "nothing", as --nondet takes it; NULL: it is another. */
static const char *word_for(const struct plumb_record_entry *e)
{
    const struct plumb_value *const v = &e->value[e->nargs];
    if (*e->term)
        return e->nres || e->term[strcspn(e->term, ",=' ")] ? NULL : e->term;
    if (e->nres != 1 || v->bits)
        return NULL;
    return v->tag == PLUMB_INT ? "0" : v->tag == PLUMB_BOOL ? "false" : NULL;
}

static bool is_listed(const char *list, const char *name)
{
    return list && plumb_infer_is_listed(list, name);
}

static bool is_in_nondet(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return true;
    }
    return false;
}

/* Each of them is one more process. */
static bool can_be_async(const struct job *job, unsigned operation)
{
    unsigned processes = job->target.own_processes;
    for (unsigned op = 0; op < job->target.scenario; op++)
        processes += job->serial.call[op].operation == operation;
    return processes <= JOB_OWN_PROCESSES;
}

/* An operation that answers anything in some serial history is called for its
 * answer: to ignore it explains everything. */
static bool ever_answers(const struct job *job, unsigned operation)
{
    for (uint32_t i = 0; i < job->serial.answers; i++) {
        const struct plumb_record_entry *const e = &job->serial.answer[i];
        if (e->operation == operation && (*e->term || e->nres))
            return true;
    }
    return false;
}

static void try_answer(struct search *s, const struct plumb_record_entry *e)
{
    const struct explore_settings *const with = s->e->with;
    const struct job *const job = s->v->host.job;
    if (!is_whole(job, e))
        return;
    const char *const name = job->target.operation[e->operation].name;
    const char *const word = word_for(e);
    if (is_listed(with->async, name) || is_in_nondet(with->nondet, name))
        return;
    if (word)
        try_nondet(s, name, word);
    if (!*e->term && !e->nres && !ever_answers(job, e->operation) &&
        can_be_async(job, e->operation))
        try_async(s, name);
}

/* The one that returned last before `time`; NULL: none did. */
static const struct plumb_record_entry *last_before(const struct job *job,
                                                    const struct job_finding *f,
                                                    uint64_t time)
{
    const struct plumb_record_entry *last = NULL;
    for (unsigned op = 0; op < job->target.scenario; op++) {
        const uint64_t ret = atomic_load(&f->entry[op].ret);
        if (ret && ret < time && (!last || ret > atomic_load(&last->ret)))
            last = &f->entry[op];
    }
    return last;
}

/* The last answer is the one that nothing explains: it comes first. */
static void try_answers(struct search *s)
{
    const struct job *const job = s->v->host.job;
    const struct job_finding *const f = explore_violation_finding(s->v);
    const struct plumb_record_entry *e;
    for (uint64_t time = UINT64_MAX; (e = last_before(job, f, time));
         time = atomic_load(&e->ret))
        try_answer(s, e);
    const struct plumb_infer_edge *const other =
        &job->serial.conflict.outcome[1];
    if (f->what.fault == FAULT_NONDETERMINISTIC &&
        other->next != PLUMB_INFER_STUCK)
        try_answer(s, &job->serial.answer[other->answer]);
}

/* ---- specifications ---- */

static bool has_operations(const struct exploration *e,
                           const struct plumb_spec *spec)
{
    bool has = true;
    for (unsigned i = 0; has && i < e->what.operations; i++) {
        const char *const name = e->what.operation[i].name;
        has = plumb_spec_takes(spec, name, strlen(name),
                               e->what.operation[i].arity);
    }
    return has;
}

static bool try_spec(struct search *s, const char *name)
{
    struct plumb_spec *spec;
    struct plumb_error err = { 0 };
    struct exploration e = *s->e;
    char option[64], when[64];
    if (plumb_spec_parse(name, &spec, &err) != PLUMB_OK)
        return false;
    e.infers = false;
    e.spec = spec;
    e.spec_name = name;
    snprintf(option, sizeof option, "--spec %s", name);
    const bool fits =
        has_operations(&e, spec) && is_new(s, option) && passes(s, &e);
    snprintf(when, sizeof when, "the object is a %s", name);
    if (fits)
        tell(s, option, when);
    plumb_spec_free(spec);
    return fits;
}

void explore_add_allowances(const struct exploration *e,
                            const struct explore_violation *v,
                            struct plumb_base_text *out)
{
    static const char *const spec[][2] = {
        { "bag", "bag:blocking" },
        { "semiqueue", "semiqueue:blocking" },
        { "stuttering-queue", "stuttering-queue:blocking" },
        { "setlin:barrier", "setlin:exchanger" },
    };
    struct search s = { .e = e, .v = v, .out = out };
    if (!is_of_specification(explore_violation_finding(v)->what.fault) ||
        !explore_serial_is_sound(v->host.job))
        return;
    plumb_base_text_init(&s.known, NULL);
    try_answers(&s);
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++)
        if (!try_spec(&s, spec[i][0]))
            try_spec(&s, spec[i][1]);
    if (s.found && e->with->json)
        plumb_base_text_add(out, "]");
    plumb_base_text_release(&s.known);
}
