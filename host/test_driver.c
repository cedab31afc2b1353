/* test_driver.c - see test_driver.h. */
#include "test_driver.h"

#include "base/fail.h"
#include "base/hash.h"
#include "check/search/stuck.h"
#include "follow_history.h"
#include "record/log_history.h"
#include "record/script.h"
#include "refusal.h"
#include "runtime/common/invocation.h"
#include "runtime/explore/job/trace.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/memory/tape.h"
#include "runtime/explore/scheduler/fiber_switch.h"
#include "runtime/explore/shims/shims.h"
#include "serial_phase.h"
#include "wrong_answer.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- performing ---- */

static struct host_driver *now_playing;

/* Before all executions nobody else is there, and nothing is told. */
static bool preparing;

/* An entry is large, and little of it is used. */
static void begin_entry(struct plumb_record_entry *e,
                        const struct plumb_record_entry *call)
{
    memcpy(e, call, offsetof(struct plumb_record_entry, value));
    for (unsigned i = 0; i < call->nargs; i++)
        e->value[i] = call->value[i];
    if (call->text_used)
        memcpy(e->text, call->text, call->text_used);
}

/* Does it, this time, answer what it may answer anywhere?  A choice, so that
 * serial executions have it both ways. */
static bool answers_anywhere(const struct host_driver *p,
                             struct plumb_record_entry *e)
{
    const struct plumb_record_entry *const answer = p->anywhere[e->operation];
    if (!p->serial || !answer || preparing ||
        !scheduler_choose(NULL, 2, "answers"))
        return false;
    memcpy(e->term, answer->term, sizeof e->term);
    for (unsigned i = 0; i < answer->nres; i++)
        e->value[e->nargs + e->nres++] = answer->value[i];
    return true;
}

static void perform(unsigned op)
{
    struct host_driver *const p = now_playing;
    const struct host_driver_operation *const o = &p->operation[op];
    struct plumb_record_entry *const e = &p->entry[op];
    plumb_invocation invocation = { .entry = e, .process = o->process };
    if (preparing) /* for who replays it: whose is what is allocated? */
        target_trace_number(TRACE_CALL, NULL, op);
    else
        scheduler_call(op);
    begin_entry(e, &o->call);
    if (!answers_anywhere(p, e))
        o->what->run(&invocation);
    if (preparing)
        target_trace_number(TRACE_RETURN, NULL, op);
    else
        scheduler_return(op);
}

static void be_operation(void *operation)
{
    const struct host_driver_operation *const o = operation;
    perform((unsigned)(o - now_playing->operation));
}

static void spawn(struct host_driver *p, unsigned op)
{
    const unsigned thread =
        scheduler_spawn(NULL, be_operation, &p->operation[op]);
    if (thread == UINT32_MAX)
        p->flawed = true; /* said by the serial phase */
    else
        p->spawned[p->spawns++] = thread;
}

static void perform_all(unsigned first, unsigned end)
{
    struct host_driver *const p = now_playing;
    for (unsigned op = first; op < end; op++)
        if (p->serial && p->operation[op].async)
            spawn(p, op);
        else
            perform(op);
}

static bool never(const void *nothing)
{
    (void)nothing;
    return false;
}

static const char nowhere;

static void be_process(void *process)
{
    const unsigned *const first = process;
    const struct host_driver *const p = now_playing;
    const unsigned end = p->end[first - p->first];
    perform_all(first[0], end);
    if (end < first[1])
        scheduler_sync(NULL, &nowhere, PLUMB_EVENT_SYNC, never, NULL);
}

/* It may end its thread instead. */
static bool is_set_up;

static void set_up(void *nothing)
{
    const struct host_driver *const p = now_playing;
    (void)nothing;
    if (p->object->setup)
        p->object->setup();
    perform_all(0, p->init);
    is_set_up = true;
}

/* What teardown does is no part of a history: phase 2 looks at that. */
static void conclude(void)
{
    const struct host_driver *const p = now_playing;
    perform_all(p->operations - p->final, p->operations);
    for (unsigned i = 0; i < p->spawns; i++)
        scheduler_join(NULL, p->spawned[i]);
    if (p->object->teardown && !p->serial)
        p->object->teardown();
    shims_release();
}

/* Threads 1, 2, ... are the processes. */
static void lead_the_end(void *nothing)
{
    const struct host_driver *const p = now_playing;
    (void)nothing;
    for (unsigned t = 2; p->adapter.split && t <= p->processes; t++)
        scheduler_join(NULL, t);
    for (unsigned t = 1; t <= p->processes; t++)
        scheduler_joined(t);
    conclude();
}

static void lead_all(void *nothing)
{
    struct host_driver *const p = now_playing;
    set_up(nothing);
    const unsigned first = scheduler_spawn(NULL, be_process, &p->first[0]);
    for (unsigned i = 1; i < p->processes; i++)
        scheduler_spawn(NULL, be_process, &p->first[i]);
    for (unsigned t = first; t < first + p->processes; t++)
        scheduler_join(NULL, t);
    conclude();
}

static int argument_count;
static char *argument[JOB_ARGUMENTS + 2];

/* What main() left on the stack is nobody's. */
__attribute__((noinline)) static void end_program(int status)
{
    FIBER_CLEAR_STACK();
    scheduler_exit(status);
}

static void be_program(void *entry)
{
    union {
        void *symbol;
        int (*main)(int, char **, char **);
    } u = { .symbol = entry };
    end_program(u.main(argument_count, argument, environ));
}

/* ---- opening ---- */

static bool add_operation(struct host_driver *p,
                          const struct plumb_record_script_step *s)
{
    if (p->operations == JOB_OPERATIONS)
        return host_complain(p->job, "the test has more than %d operations",
                             JOB_OPERATIONS);
    struct host_driver_operation *const o = &p->operation[p->operations++];
    o->what = &p->object->operations[s->operation];
    o->process = s->process;
    o->async = plumb_infer_is_listed(p->job->request.async, o->what->name);
    plumb_record_entry_begin(&o->call, s->operation);
    plumb_record_script_entry(s, &o->call);
    /* A process that waits for a stamp of 0 was never called. */
    o->call.call = 0;
    p->entry[p->operations - 1] = o->call; /* for who tells of it even so */
    return true;
}

static bool parse(struct host_driver *p, const char *what, const char *text,
                  struct plumb_record_script *s)
{
    struct plumb_error err = { 0 };
    if (plumb_record_script_parse(s, text, p->object, &err) == PLUMB_OK)
        return true;
    return host_complain(p->job, "%s, column %" PRIu64 ": %s", what,
                         (uint64_t)err.column, err.message);
}

static bool add_part(struct host_driver *p, const char *what, const char *text,
                     unsigned *count)
{
    struct plumb_record_script s;
    const unsigned before = p->operations;
    if (!*text)
        return true;
    if (!parse(p, what, text, &s))
        return false;
    bool added =
        s.processes == 1 ||
        host_complain(
            p->job, "%s: | separates processes and is not allowed here", what);
    for (size_t i = 0; added && i < s.count; i++)
        added = add_operation(p, &s.step[i]);
    *count = p->operations - before;
    plumb_record_script_release(&s);
    return added;
}

static bool add_processes(struct host_driver *p)
{
    struct plumb_record_script s;
    if (!parse(p, "test", p->job->request.test, &s))
        return false;
    p->processes = s.processes;
    bool added = s.processes <= JOB_PROCESSES ||
                 host_complain(p->job, "more than %d processes", JOB_PROCESSES);
    for (size_t i = 0; added && i < s.count; i++)
        added = add_operation(p, &s.step[i]);
    unsigned op = p->init;
    for (unsigned i = 0; added && i <= s.processes; i++) {
        while (op < p->operations && p->operation[op].process < i)
            op++;
        p->first[i] = op;
        if (i)
            p->end[i - 1] = op;
    }
    plumb_record_script_release(&s);
    return added;
}

static bool number_own_processes(struct host_driver *p)
{
    p->own_processes = p->processes;
    for (unsigned op = 0; op < p->operations; op++) {
        struct host_driver_operation *const o = &p->operation[op];
        o->own = o->async ? p->own_processes++ : o->process;
    }
    return p->own_processes <= JOB_OWN_PROCESSES ||
           host_complain(p->job,
                         "the test has more than %d threads and asynchronous "
                         "operations",
                         JOB_OWN_PROCESSES);
}

static bool read_scenario(struct host_driver *p)
{
    const struct job_request *const r = &p->job->request;
    return add_part(p, "init", r->init, &p->init) && add_processes(p) &&
           add_part(p, "final", r->final, &p->final) && number_own_processes(p);
}

static bool give_up_on_history(struct host_driver *p)
{
    const struct plumb_error *const err =
        plumb_check_configurations_error(p->configurations);
    return host_give_up(p->job, err->status, err->message);
}

static bool number_operations(struct host_driver *p)
{
    struct plumb_check_configurations_word word[PLUMB_MAX_ARGUMENTS];
    for (unsigned op = 0; p->configurations && op < p->operations; op++) {
        struct host_driver_operation *const o = &p->operation[op];
        for (unsigned i = 0; i < o->call.nargs; i++)
            word[i] = host_followed_word(&o->call, i);
        o->number = plumb_check_configurations_operation(
            p->configurations, o->own, o->what->name, word, o->call.nargs);
        if (o->number == UINT32_MAX)
            return give_up_on_history(p);
    }
    return true;
}

/* False: the specification does not allow what they answered. */
static bool follow_init(struct host_driver *p)
{
    for (unsigned op = 0; op < p->init; op++)
        if (!host_follow_told(p, op, false) || !host_follow_told(p, op, true))
            return false;
    return true;
}

/* It may take effect later, or not at all, so that executions differ in it. */
static bool init_varies(const struct host_driver *p)
{
    for (unsigned op = 0; op < p->init; op++)
        if (p->operation[op].async ||
            p->anywhere[p->operation[op].call.operation])
            return true;
    return false;
}

/* What goes wrong before all executions is found again in each, and told as
 * what goes wrong there is: so they begin with the world before it. */
static bool prepare(struct host_driver *p)
{
    if (!scheduler_adapter_begin_here())
        return host_complain(p->job, "out of memory");
    preparing = true;
    is_set_up = false;
    const bool done = !init_varies(p) &&
                      scheduler_adapter_prepare(set_up, NULL, &p->often) &&
                      is_set_up;
    preparing = false;
    if (done && follow_init(p)) {
        p->clock_before = p->clock;
        p->returned_before = p->returned;
        p->live_before = p->live;
        return scheduler_adapter_begin_here() ||
               host_complain(p->job, "out of memory");
    }
    p->often = true;
    return true;
}

static bool everybody_has_ended(const void *play)
{
    const struct host_driver *const p = play;
    for (unsigned t = 1; t <= p->processes; t++)
        if (!scheduler_has_ended(t))
            return false;
    return true;
}

static bool first_has_ended(const void *nothing)
{
    (void)nothing;
    return scheduler_has_ended(1);
}

/* Serial executions have no teardown: if that is all there is to do, nobody
 * waits for it.  The threads have the same numbers all the same. */
static void cast_leader(struct host_driver *p)
{
    struct scheduler_adapter_role *const r = &p->role[p->adapter.roles++];
    *r = (struct scheduler_adapter_role){ .body = p->often ? lead_all
                                                           : lead_the_end };
    if (p->often)
        return;
    r->first =
        (struct plumb_strategies_event){ .kind = PLUMB_EVENT_JOIN, .at = 1 };
    r->ready = p->serial && !p->final ? never
               : p->adapter.split     ? first_has_ended
                                      : everybody_has_ended;
    r->what = p;
}

/* The first thing that it does is to start a thread. */
static bool begins_async(const struct host_driver *p, unsigned process)
{
    const unsigned op = p->first[process];
    return p->serial && op < p->first[process + 1] && p->operation[op].async;
}

static void cast_processes(struct host_driver *p)
{
    for (unsigned i = 0; i < p->processes && !p->often; i++) {
        struct scheduler_adapter_role *const r = &p->role[p->adapter.roles++];
        *r = (struct scheduler_adapter_role){ .body = be_process,
                                              .argument = &p->first[i] };
        if (!begins_async(p, i))
            r->first =
                (struct plumb_strategies_event){ .kind = PLUMB_EVENT_CALL,
                                                 .at = p->first[i] };
        if (p->end[i] == p->first[i] && p->first[i] < p->first[i + 1]) {
            r->first =
                (struct plumb_strategies_event){ .kind = PLUMB_EVENT_SYNC,
                                                 .at = (uintptr_t)&nowhere };
            r->ready = never;
        }
    }
}

static void cast(struct host_driver *p)
{
    p->adapter.roles = 0;
    p->leader = p->often || p->final || p->object->teardown;
    if (p->leader)
        cast_leader(p);
    cast_processes(p);
}

static enum plumb_status why_nothing_came(const struct plumb_budget *budget)
{
    const enum plumb_status status = plumb_budget_state(budget);
    return status == PLUMB_OK ? PLUMB_EMEMORY : status;
}

static bool open_configurations(struct host_driver *p,
                                struct plumb_budget *budget)
{
    if (!p->spec)
        return true;
    p->configurations = plumb_check_configurations_open(p->spec, budget);
    if (!p->configurations)
        return host_give_up(p->job, why_nothing_came(budget), "");
    p->live = p->live_before =
        plumb_check_configurations_start(p->configurations);
    return number_operations(p);
}

static bool open_scenario(struct host_driver *p, struct plumb_budget *budget)
{
    p->clock = p->clock_before = 1;
    if (!host_serial_read_nondet(p) || !read_scenario(p) ||
        !open_configurations(p, budget) || !prepare(p))
        return false;
    cast(p);
    return true;
}

static void read_arguments(struct job_request *r)
{
    static char name[] = "program";
    char *at = r->argument, *const end = at + sizeof r->argument - 1;
    argument[argument_count++] = name;
    *end = '\0';
    for (uint32_t i = 0; i < r->arguments && i < JOB_ARGUMENTS && at < end;
         i++) {
        argument[argument_count++] = at;
        at += strlen(at) + 1;
    }
}

static bool open_program(struct host_driver *p)
{
    void *const entry = memory_image_symbol("main");
    if (!entry)
        return host_complain(p->job,
                             "the target has neither PLUMB_OBJECT nor main()");
    read_arguments(&p->job->request);
    p->role[0] = (struct scheduler_adapter_role){ .body = be_program,
                                                  .argument = entry };
    p->adapter.roles = 1;
    return scheduler_adapter_begin_here() ||
           host_complain(p->job, "out of memory");
}

/* `states` comes back to states by itself.  Without a bound dpor must not have
 * threads that wait for memory; with one, a thread has to be there again when
 * it is cheap.  docs/how-exploration-works.md tells why. */
static enum scheduler_adapter_pruning pruning_for(const struct job_request *r)
{
    if (r->mode == JOB_REPLAY)
        return PRUNE_WATCH;
    if (!r->prune || r->strategy == PLUMB_STATES ||
        r->strategy == PLUMB_RANDOM || r->strategy == PLUMB_PCT)
        return PRUNE_NOT;
    return r->strategy == PLUMB_DPOR && !r->bounded ? PRUNE_LEAVE : PRUNE_WAIT;
}

/* Serial executions need to know where operations begin and end. */
static void set_adapter(struct host_driver *p, bool serially)
{
    const struct job_request *const r = &p->job->request;
    p->serial = serially;
    const bool split = serially || r->calls == JOB_CALLS_SPLIT;
    const enum scheduler_adapter_pruning prune =
        serially ? PRUNE_WAIT : pruning_for(r);
    p->adapter = (struct scheduler_adapter_play){
        .role = p->role,
        .ends = !p->object,
        .split = split,
        .serial = serially,
        .frees = split && !serially && r->races == JOB_RACES_IGNORE,
        .tidy = r->strategy == PLUMB_STATES || prune != PRUNE_NOT,
        .prune = prune,
        .context = p,
        .told = host_follow_told,
        .history = host_follow_hash,
        .class = host_follow_class,
        .covers = host_follow_covers,
        .begun = host_follow_begun,
        .pass = host_follow_pass,
    };
}

bool host_driver_open(struct host_driver *p, struct job *job,
                      struct plumb_budget *budget)
{
    now_playing = p;
    p->job = job;
    set_adapter(p, job->request.spec_from == JOB_SPEC_INFERRED);
    return (p->object ? open_scenario(p, budget) : open_program(p)) &&
           (scheduler_adapter_cast(p->adapter.roles) ||
            host_complain(job, "cannot get threads or memory from the system"));
}

/* What init answered is in the entries, unless every execution begins with it. */
bool host_driver_judge_by(struct host_driver *p, const struct plumb_spec *spec,
                          struct plumb_budget *budget)
{
    p->spec = spec;
    set_adapter(p, false);
    cast(p);
    if (!open_configurations(p, budget))
        return false;
    for (unsigned op = 0; spec && op < p->init && !p->often; op++)
        if (!host_follow(p, op, false) || !host_follow(p, op, true))
            return host_complain(p->job, "init did something else this time");
    p->live_before = p->live;
    return true;
}

void host_driver_shorten(struct host_driver *p,
                         const unsigned end[JOB_PROCESSES])
{
    p->shortened = false;
    for (unsigned i = 0; i < p->processes; i++) {
        assert(end[i] >= p->first[i] && end[i] <= p->first[i + 1]);
        p->end[i] = end[i];
        p->shortened |= end[i] < p->first[i + 1];
    }
    cast(p);
}

void host_driver_close(struct host_driver *p)
{
    plumb_check_configurations_free(p->configurations);
}
