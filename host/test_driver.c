/* test_driver.c - see test_driver.h. */
#include "test_driver.h"

#include "base/bits.h"
#include "base/fail.h"
#include "base/hash.h"
#include "check/search/stuck.h"
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

/* ---- following the history ---- */

static struct plumb_check_configurations_word word_of(
    const struct plumb_record_entry *e, unsigned i)
{
    const struct plumb_value v = e->value[i];
    return (struct plumb_check_configurations_word){
        .value = v,
        .text = v.tag == PLUMB_STR ? e->text + v.bits : NULL,
    };
}

static uint32_t number_answer(struct host_driver *p, unsigned op)
{
    struct plumb_check_configurations_word result[PLUMB_ENTRY_RESULTS];
    const struct plumb_record_entry *const e = &p->entry[op];
    for (unsigned i = 0; i < e->nres; i++)
        result[i] = word_of(e, e->nargs + i);
    return plumb_check_configurations_answer(
        p->configurations, p->operation[op].number, *e->term ? e->term : "ok",
        result, e->nres);
}

static uint64_t returned_at(const struct plumb_record_entry *e)
{
    return atomic_load_explicit(&e->ret, memory_order_relaxed);
}

static uint64_t hash_answer(const struct plumb_record_entry *e)
{
    const size_t values = (size_t)e->nargs + e->nres;
    const size_t from = offsetof(struct plumb_record_entry, operation);
    const size_t size = offsetof(struct plumb_record_entry, value) - from +
                        values * sizeof e->value[0];
    uint64_t hash = plumb_base_hash_bytes((const char *)e + from, size);
    if (e->text_used)
        hash =
            plumb_base_mix(hash, plumb_base_hash_bytes(e->text, e->text_used));
    return hash;
}

static bool are_same_terms(const char *a, const char *b)
{
    uint64_t word[2], differ = 0;
    for (size_t i = 0; i < PLUMB_ENTRY_TERM; i += sizeof *word) {
        memcpy(&word[0], a + i, sizeof *word);
        memcpy(&word[1], b + i, sizeof *word);
        differ |= word[0] ^ word[1];
    }
    return !differ;
}

static bool is_answer(const struct host_driver_answer *a,
                      const struct plumb_record_entry *e,
                      struct plumb_value result)
{
    return a->number && a->results == e->nres && a->result.tag == result.tag &&
           a->result.bits == result.bits && are_same_terms(a->term, e->term);
}

/* An operation has few answers: those without texts are remembered. */
static uint32_t find_answer(struct host_driver *p, unsigned op)
{
    const struct plumb_record_entry *const e = &p->entry[op];
    struct plumb_value result = { 0 };
    if (e->nres > 1 || e->text_used || e->blocked || e->flaws)
        return number_answer(p, op);
    if (e->nres)
        result = e->value[e->nargs];
    const uint64_t place = result.bits ^ (uint64_t)(unsigned char)*e->term;
    struct host_driver_answer *const known =
        &p->operation[op].answer[place % PLAY_ANSWERS];
    if (!is_answer(known, e, result)) {
        const uint32_t number = number_answer(p, op);
        if (number == UINT32_MAX)
            return number;
        *known = (struct host_driver_answer){ .result = result,
                                              .results = e->nres,
                                              .number = number + 1,
                                              .hash = hash_answer(e) };
        memcpy(known->term, e->term, sizeof known->term);
    }
    p->known[op] = known;
    return known->number - 1;
}

static plumb_check_configuration_set follow_return(struct host_driver *p,
                                                   unsigned op)
{
    const struct host_driver_operation *const o = &p->operation[op];
    const uint32_t answer = find_answer(p, op);
    if (answer == UINT32_MAX)
        return PLUMB_CONFIGURATIONS_FAILED;
    return plumb_check_configurations_return(p->configurations, p->live,
                                             o->number, answer);
}

/* What cannot be followed is not judged; it is said in the end. */
static bool follow(struct host_driver *p, unsigned op, bool returned)
{
    if (!p->configurations || p->undecidable ||
        (returned && p->operation[op].async))
        return true;
    p->live = returned
                  ? follow_return(p, op)
                  : plumb_check_configurations_call(p->configurations, p->live,
                                                    p->operation[op].number);
    p->undecidable = p->live == PLUMB_CONFIGURATIONS_FAILED;
    return p->live != PLUMB_CONFIGURATIONS_NONE;
}

static enum plumb_status build_history(const struct host_driver *p,
                                       struct plumb_builder *b,
                                       struct plumb_history *h,
                                       struct plumb_error *err);

/* The log has no room for what it said, or it asked for what is not there: no
 * history can be told. */
static void tell_flaw(struct host_driver *p)
{
    struct plumb_error err = { 0 };
    struct plumb_history h;
    struct plumb_builder *const b = plumb_builder_new(NULL);
    if (!p->flawed && b && build_history(p, b, &h, &err) != PLUMB_OK)
        host_complain(p->job, "%s", err.message);
    p->flawed = true;
    plumb_builder_free(b);
}

static void note_call(struct host_driver *p, unsigned op)
{
    assert(op < p->operations);
    p->entry[op].call = p->clock;
    p->before[op] = p->returned;
}

static void note_return(struct host_driver *p, unsigned op)
{
    struct plumb_record_entry *const e = &p->entry[op];
    assert(e->call && op < JOB_OPERATIONS);
    atomic_store_explicit(&e->ret, ++p->clock, memory_order_relaxed);
    p->returned |= (uint64_t)1 << op;
    p->known[op] = NULL;
    if (e->flaws)
        tell_flaw(p);
}

/* What runs is the specification; or no more. */
static void set_judging(struct host_driver *p, bool judges)
{
    atomic_store_explicit(&p->job->judging, judges, memory_order_relaxed);
}

static bool told(void *context, unsigned op, bool returned)
{
    struct host_driver *const p = context;
    if (returned)
        note_return(p, op);
    else
        note_call(p, op);
    set_judging(p, true);
    const bool good = follow(p, op, returned);
    set_judging(p, false);
    if (!good && !p->kind)
        p->kind = host_wrong_answer_kind(p, op);
    return good;
}

/* What operations that have not returned have said so far. */
static uint64_t history(void *context)
{
    const struct host_driver *const p = context;
    uint64_t hash = 0;
    for (unsigned op = p->init; op < p->operations; op++)
        if (p->entry[op].call && !returned_at(&p->entry[op]))
            hash = plumb_base_mix(hash ^ op, hash_answer(&p->entry[op]));
    return hash;
}

static uint32_t class_of(void *context)
{
    return ((const struct host_driver *)context)->live;
}

static bool covers(void *context, uint32_t narrow, uint32_t wide)
{
    const struct host_driver *const p = context;
    return p->configurations &&
           plumb_check_configurations_covers(p->configurations, narrow, wide);
}

static uint64_t answer_hash(const struct host_driver *p, unsigned op)
{
    return p->known[op] ? p->known[op]->hash : hash_answer(&p->entry[op]);
}

uint64_t host_driver_history_hash(const struct host_driver *p)
{
    uint64_t hash = host_driver_answers_hash(p);
    for (unsigned op = 0; op < p->operations; op++) {
        const bool called = p->entry[op].call != 0;
        hash = plumb_base_mix(hash, called);
        if (called)
            hash = plumb_base_mix(hash, p->before[op]);
    }
    return hash;
}

uint64_t host_driver_answers_hash(const struct host_driver *p)
{
    uint64_t hash = 0;
    for (unsigned op = 0; op < p->operations; op++)
        hash = plumb_base_mix(hash,
                              p->returned >> op & 1 ? answer_hash(p, op) : 0);
    return hash;
}

static void forget_entry(struct plumb_record_entry *e)
{
    e->call = 0;
    atomic_store_explicit(&e->ret, 0, memory_order_relaxed);
}

void host_driver_forget(struct host_driver *p)
{
    p->clock = p->clock_before;
    p->returned = p->returned_before;
    p->live = p->live_before;
    p->kind = p->spawns = 0;
    for (unsigned op = p->often ? 0 : p->init; op < p->operations; op++)
        forget_entry(&p->entry[op]);
}

static void begun(void *context)
{
    host_driver_forget(context);
}

static uint64_t called(const struct host_driver *p)
{
    uint64_t set = 0;
    for (unsigned op = 0; op < p->operations; op++)
        set |= (uint64_t)(p->entry[op].call != 0) << op;
    return set;
}

/* As far as it is used. */
static void pass_entry(struct plumb_record_entry *e, struct memory_tape *tape)
{
    memory_tape_pass(tape, e, offsetof(struct plumb_record_entry, value));
    memory_tape_pass(tape, e->value,
                     ((size_t)e->nargs + e->nres) * sizeof *e->value);
    memory_tape_pass(tape, e->text, e->text_used);
}

/* What has returned does not change any more. */
static void pass(void *context, struct memory_tape *tape)
{
    struct host_driver *const p = context;
    const uint64_t later = called(p);
    uint64_t then = later;
    memory_tape_pass(tape, &then, sizeof then);
    memory_tape_pass(tape, &p->clock, sizeof p->clock);
    memory_tape_pass(tape, &p->returned, sizeof p->returned);
    memory_tape_pass(tape, &p->live, sizeof p->live);
    memory_tape_pass(tape, &p->kind, sizeof p->kind);
    memory_tape_pass(tape, &p->spawns, sizeof p->spawns);
    memory_tape_pass(tape, &p->job->output, sizeof p->job->output);
    for (uint64_t open = then & ~p->returned; open; open &= open - 1)
        pass_entry(&p->entry[plumb_base_lowest(open)], tape);
    for (uint64_t left = later & ~then; left; left &= left - 1)
        forget_entry(&p->entry[plumb_base_lowest(left)]);
}

/* ---- stuck ---- */

static enum plumb_status build_history(const struct host_driver *p,
                                       struct plumb_builder *b,
                                       struct plumb_history *h,
                                       struct plumb_error *err)
{
    static struct plumb_record_entry log[JOB_OPERATIONS];
    struct plumb_record_process_log process[JOB_OWN_PROCESSES];
    const char *name[PLUMB_MAX_OPERATIONS];
    const unsigned operations = plumb_record_object_size(p->object);
    uint32_t used = 0;
    for (unsigned i = 0; i < operations; i++)
        name[i] = p->object->operations[i].name;
    for (unsigned i = 0; i < p->own_processes; i++) {
        process[i] =
            (struct plumb_record_process_log){ .entry = log + used,
                                               .unknown = i >= p->processes };
        for (unsigned op = 0; op < p->operations; op++)
            if (p->operation[op].own == i && p->entry[op].call) {
                log[used++] = p->entry[op];
                process[i].count++;
            }
    }
    const struct plumb_record_recording r = {
        .object = p->object->name ? p->object->name : "object",
        .operation = name,
        .operations = operations,
        .process = process,
        .processes = p->own_processes,
    };
    return plumb_record_log_history(&r, b, h, err);
}

bool host_driver_has_open_operation(const struct host_driver *p)
{
    for (unsigned op = 0; op < p->operations; op++)
        if (p->entry[op].call && !returned_at(&p->entry[op]))
            return true;
    return false;
}

/* In an inferred specification it matters which thread is which process. */
static enum plumb_status ask_whether_stuck(const struct host_driver *p,
                                           const struct plumb_history *h,
                                           struct plumb_budget *budget,
                                           bool *justified,
                                           struct plumb_error *err)
{
    const bool inferred = p->job->request.spec_from != JOB_SPEC_GIVEN;
    struct plumb_spec *const own =
        inferred ? host_serial_spec(p, h, budget) : NULL;
    uint32_t culprit;
    bool unknown = false;
    if (inferred && !own)
        return plumb_base_fail(err, PLUMB_EMEMORY, 0, 0, "out of memory");
    const enum plumb_status status = plumb_check_stuck(
        h, own ? own : p->spec, budget, justified, &unknown, &culprit, err);
    p->job->unknown += unknown;
    if (own)
        host_serial_spec_free(own);
    return status;
}

bool host_driver_is_justified(struct host_driver *p,
                              struct plumb_budget *budget)
{
    struct plumb_error err = { 0 };
    struct plumb_history h;
    bool justified = false;
    if (!p->object || !p->spec || !host_driver_has_open_operation(p))
        return false;
    struct plumb_builder *const b = plumb_builder_new(budget);
    if (!b)
        return false;
    enum plumb_status status = build_history(p, b, &h, &err);
    if (status == PLUMB_OK) {
        set_judging(p, true);
        status = ask_whether_stuck(p, &h, budget, &justified, &err);
        set_judging(p, false);
        plumb_history_release(&h);
    }
    plumb_builder_free(b);
    if (status != PLUMB_OK)
        host_complain(p->job, "%s", err.message);
    return status == PLUMB_OK && justified;
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
            word[i] = word_of(&o->call, i);
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
        if (!told(p, op, false) || !told(p, op, true))
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
        .told = told,
        .history = history,
        .class = class_of,
        .covers = covers,
        .begun = begun,
        .pass = pass,
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
        if (!follow(p, op, false) || !follow(p, op, true))
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
