/* serial_phase.c - see serial_phase.h.
 *
 * Answers are numbered as they are met, moments and the steps between them come
 * from the strategy (strategies/serial.h), and the automaton is made of both at
 * the end. */
#include "serial_phase.h"

#include "base/memory.h"
#include "findings.h"
#include "record/script.h"
#include "refusal.h"
#include "runtime/common/wait.h"
#include "step_journal.h"
#include "strategies/serial.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 50000 };

struct phase {
    struct host_driver *play;
    struct plumb_infer_store *serial;
    struct plumb_budget *budget;
    struct plumb_infer_seen *seen;
    size_t count, capacity;
    uint32_t before; /* moments before those of the strategy */
    struct plumb_infer_answers answers;
    bool no_memory, too_many;
};

/* That of an asynchronous one says nothing. */
static uint32_t number_answer(struct phase *f, unsigned op)
{
    const struct host_driver_operation *const o = &f->play->operation[op];
    const uint32_t number = plumb_infer_answer(
        &f->answers, o->async ? &o->call : &f->play->entry[op]);
    f->no_memory |= number == UINT32_MAX;
    f->too_many |= number == PLUMB_INFER_ANSWERS;
    return number;
}

/* ---- answers that may be given anywhere ---- */

static const struct plumb_operation *find_operation(const struct host_driver *p,
                                                    const char *name,
                                                    size_t length,
                                                    unsigned *number)
{
    const struct plumb_operation *const o = p->object->operations;
    for (*number = 0; o[*number].name; ++*number)
        if (strlen(o[*number].name) == length &&
            memcmp(o[*number].name, name, length) == 0)
            return &o[*number];
    return NULL;
}

/* A number, true, false, or a term. */
static bool set_answer(struct plumb_record_entry *e, const char *text,
                       size_t length)
{
    char word[PLUMB_ENTRY_TERM], *end;
    if (!length || length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    errno = 0;
    const long long number = strtoll(word, &end, 10);
    if (!*end && errno)
        return false;
    const bool is_true = strcmp(word, "true") == 0;
    if (!*end)
        e->value[e->nres++] = plumb_int(number);
    else if (is_true || strcmp(word, "false") == 0)
        e->value[e->nres++] = plumb_bool(is_true);
    else if (strcmp(word, "ok") != 0)
        memcpy(e->term, word, length + 1);
    return true;
}

/* "count=0,try_take=fail".  Each of its operations has one. */
bool host_serial_read_nondet(struct host_driver *p)
{
    static struct plumb_record_entry answer[PLUMB_MAX_OPERATIONS];
    for (const char *at = p->job->request.nondet; *at;) {
        const size_t length = strcspn(at, ","), name = strcspn(at, "=,");
        unsigned number;
        if (!find_operation(p, at, name, &number) || name == length)
            return host_complain(p->job,
                                 "--nondet %.*s: expected OPERATION=ANSWER, "
                                 "with an operation of the object",
                                 (int)length, at);
        if (plumb_infer_is_listed(p->job->request.async,
                                  p->object->operations[number].name))
            return host_complain(p->job,
                                 "--nondet %.*s: the operation is in --async, "
                                 "so its answers are ignored",
                                 (int)length, at);
        if (p->anywhere[number])
            return host_complain(p->job,
                                 "--nondet %.*s: the operation has an answer "
                                 "already; it can have one",
                                 (int)length, at);
        plumb_record_entry_begin(&answer[number], number);
        if (!set_answer(&answer[number], at + name + 1, length - name - 1))
            return host_complain(p->job, "--nondet %.*s: this is no answer",
                                 (int)length, at);
        p->anywhere[number] = &answer[number];
        at += length + (at[length] == ',');
    }
    return true;
}

/* Of each operation of the test, as a number. */
static void number_allowed(struct phase *f)
{
    const struct host_driver *const p = f->play;
    for (unsigned op = 0; op < p->operations; op++) {
        const struct plumb_record_entry *const call = &p->operation[op].call;
        const struct plumb_record_entry *const answer =
            p->anywhere[call->operation];
        struct plumb_record_entry e;
        f->serial->allowed[op] = UINT32_MAX;
        if (!answer)
            continue;
        memcpy(&e, call, sizeof e);
        memcpy(e.term, answer->term, sizeof e.term);
        for (unsigned i = 0; i < answer->nres; i++)
            e.value[e.nargs + e.nres++] = answer->value[i];
        f->serial->allowed[op] = plumb_infer_answer(&f->answers, &e);
    }
}

/* ---- for the strategy ---- */

static uint32_t answer(void *context, unsigned op)
{
    return number_answer(context, op);
}

/* To start the thread of an asynchronous operation, and to begin such a thread:
 * it does nothing before its operation. */
static bool is_unseen(void *context, unsigned thread,
                      const struct plumb_strategies_event *event)
{
    const struct host_driver *const p = ((const struct phase *)context)->play;
    bool own = thread < p->adapter.roles;
    for (unsigned i = 0; i < p->spawns && !own; i++)
        own = p->spawned[i] == thread;
    return event->kind == PLUMB_EVENT_SPAWN ||
           (own && event->kind == PLUMB_EVENT_LOCAL);
}

static bool is_broken(void *context)
{
    int status;
    (void)context;
    return scheduler_adapter_finding()->fault != FAULT_NONE ||
           scheduler_adapter_exited(&status);
}

static bool see(struct phase *f, struct plumb_infer_seen seen)
{
    if (f->too_many) /* its answer has no number */
        return false;
    f->no_memory |=
        !PLUMB_APPEND(f->budget, f->seen, f->count, f->capacity, seen);
    return !f->no_memory && !f->play->flawed;
}

static bool edge(void *context, const struct plumb_strategies_serial_edge *e)
{
    struct phase *const f = context;
    const uint32_t to = f->before + e->to;
    return see(
        f,
        (struct plumb_infer_seen){
            .from = f->before + e->from,
            .to = e->kind == PLUMB_SERIAL_STUCK ? PLUMB_INFER_STUCK : to,
            .op = e->kind == PLUMB_SERIAL_HIDDEN ? PLUMB_INFER_HIDDEN : e->op,
            .answer = e->answer });
}

/* What init did, if that was once for all. */
static void see_init(struct phase *f)
{
    const struct host_driver *const p = f->play;
    for (unsigned op = 0; op < p->init && !p->often; op++, f->before++)
        see(f, (struct plumb_infer_seen){ .from = f->before,
                                          .to = f->before + 1,
                                          .op = op,
                                          .answer = number_answer(f, op) });
}

/* ---- what came of it ---- */

static void describe_test(const struct host_driver *p,
                          struct plumb_infer_store *s)
{
    s->operations = p->operations;
    s->init = p->init;
    s->final = p->final;
    s->async = 0;
    for (unsigned op = 0; op < p->operations; op++) {
        s->process[op] = (uint8_t)p->operation[op].own;
        s->async |= (uint64_t)p->operation[op].async << op;
        memcpy(&s->call[op], &p->operation[op].call, sizeof s->call[op]);
    }
}

/* The history up to the operation that has two outcomes, with the first. */
static void add_conflict(const struct phase *f)
{
    static const struct scheduler_finding finding = {
        .fault = FAULT_NONDETERMINISTIC
    };
    const struct plumb_infer_conflict *const c = &f->serial->conflict;
    struct host_driver *const p = f->play;
    host_driver_forget(p);
    for (uint32_t i = 0; i <= c->length; i++) {
        const struct plumb_infer_edge *const e =
            i < c->length ? &c->before[i] : &c->outcome[0];
        struct plumb_record_entry *const entry = &p->entry[e->op];
        memcpy(entry, &f->serial->answer[e->answer], sizeof *entry);
        entry->call = 2 * (uint64_t)i + 1;
        atomic_store(&entry->ret, 2 * (uint64_t)i + 2);
    }
    host_findings_add(p, &finding, NULL, 0);
}

/* Two histories that contradict each other are enough, but that none do says
 * nothing while some are missing. */
static void end_early(struct plumb_infer_store *s, bool too_many)
{
    s->end = too_many ? PLUMB_INFER_TOO_MANY : PLUMB_INFER_CUT;
    s->full = s->stuck = 0;
}

static enum plumb_status run(struct phase *f, struct plumb_error *err)
{
    struct plumb_infer_store *const s = f->serial;
    const struct job_request *const r = &f->play->job->request;
    const struct plumb_strategies_machine machine =
        host_step_journal_machine(f->play);
    const struct plumb_strategies_serial serial = {
        .machine = &machine,
        .budget = f->budget,
        .steps = r->steps ? r->steps : STEPS,
        .back = r->back,
        .leader = f->play->leader,
        .context = f,
        .is_unseen = s->async ? is_unseen : NULL,
        .answer = answer,
        .is_broken = is_broken,
        .edge = edge,
    };
    struct plumb_strategies_serial_stats stats;
    number_allowed(f);
    see_init(f);
    const enum plumb_status status =
        plumb_strategies_explore_serial(&serial, &stats, err);
    s->moments = stats.moments;
    s->runs = stats.runs;
    if (status != PLUMB_OK || f->no_memory)
        return status != PLUMB_OK ? status : PLUMB_EMEMORY;
    if (stats.broken) {
        s->end = PLUMB_INFER_BROKEN;
        return PLUMB_OK;
    }
    const enum plumb_status inferred = plumb_infer_store_infer(
        s, f->seen, f->count, f->before + stats.moments, f->budget, err);
    if (inferred != PLUMB_OK)
        return inferred;
    if (s->end == PLUMB_INFER_NONDETERMINISTIC)
        add_conflict(f);
    else if (f->too_many || stats.cut)
        end_early(s, f->too_many);
    return PLUMB_OK;
}

bool host_serial_phase(struct host_driver *p, struct plumb_budget *budget)
{
    struct job *const job = p->job;
    struct phase f = { .play = p, .serial = &job->serial, .budget = budget };
    struct plumb_error err = { 0 };
    const uint64_t began = runtime_nanoseconds_used();
    struct job_trace *const trace = target_trace;
    target_trace = NULL; /* it is of what is replayed */
    describe_test(p, f.serial);
    plumb_infer_answers_open(&f.answers, f.serial, budget);
    const enum plumb_status status = run(&f, &err);
    plumb_infer_answers_close(&f.answers);
    PLUMB_RELEASE(budget, f.seen, f.capacity);
    target_trace = trace;
    host_step_journal_forget();
    job->serial.nanoseconds = runtime_nanoseconds_used() - began;
    if (p->flawed && !*job->message)
        host_complain(job, "the test has too many threads");
    if (p->flawed)
        job->end = JOB_ERROR;
    else if (status != PLUMB_OK)
        host_give_up(job, status, err.message);
    else if (job->serial.end != PLUMB_INFER_DETERMINISTIC &&
             job->serial.end != PLUMB_INFER_BROKEN)
        job->end = JOB_DONE;
    return job->end == JOB_RUNNING;
}

/* The test, for who makes a specification of it. */
static const struct plumb_infer_test *test_of(const struct host_driver *p)
{
    static struct plumb_infer_test test;
    static const char *name[PLUMB_MAX_OPERATIONS];
    const unsigned names = plumb_record_object_size(p->object);
    for (unsigned i = 0; i < names; i++)
        name[i] = p->object->operations[i].name;
    if (!plumb_infer_store_is_sound(&p->job->serial, names))
        return NULL;
    plumb_infer_store_test(&p->job->serial, name, &test);
    return &test;
}

struct plumb_spec *host_serial_spec(const struct host_driver *p,
                                    const struct plumb_history *h,
                                    struct plumb_budget *budget)
{
    static struct plumb_infer_automaton automaton;
    const struct plumb_infer_test *const test = test_of(p);
    struct plumb_spec *spec = NULL;
    struct plumb_error err = { 0 };
    if (!test) {
        host_complain(p->job, "the serial histories of the test are damaged");
        return NULL;
    }
    automaton = plumb_infer_store_automaton(&p->job->serial);
    struct plumb_infer_spec *const inferred = plumb_infer_spec_new(
        &automaton, test, p->job->serial.answer, h, budget);
    if (!inferred)
        host_give_up(p->job, PLUMB_EMEMORY, "");
    else if (plumb_spec_from_user(plumb_infer_spec_user(inferred), &spec,
                                  &err) != PLUMB_OK)
        host_complain(p->job, "%s", err.message);
    return spec;
}

void host_serial_spec_free(struct plumb_spec *spec)
{
    struct plumb_infer_spec *const inferred =
        plumb_infer_spec_of(plumb_spec_user(spec));
    plumb_spec_free(spec);
    plumb_infer_spec_free(inferred);
}
