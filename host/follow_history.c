/* follow_history.c - see follow_history.h. */
#include "follow_history.h"

#include "base/bits.h"
#include "base/fail.h"
#include "base/hash.h"
#include "check/search/stuck.h"
#include "record/log_history.h"
#include "record/script.h"
#include "refusal.h"
#include "runtime/explore/memory/tape.h"
#include "serial_phase.h"
#include "wrong_answer.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

struct plumb_check_configurations_word host_followed_word(
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
        result[i] = host_followed_word(e, e->nargs + i);
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
bool host_follow(struct host_driver *p, unsigned op, bool returned)
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

bool host_follow_told(void *context, unsigned op, bool returned)
{
    struct host_driver *const p = context;
    if (returned)
        note_return(p, op);
    else
        note_call(p, op);
    set_judging(p, true);
    const bool good = host_follow(p, op, returned);
    set_judging(p, false);
    if (!good && !p->kind)
        p->kind = host_wrong_answer_kind(p, op);
    return good;
}

/* What operations that have not returned have said so far. */
uint64_t host_follow_hash(void *context)
{
    const struct host_driver *const p = context;
    uint64_t hash = 0;
    for (unsigned op = p->init; op < p->operations; op++)
        if (p->entry[op].call && !returned_at(&p->entry[op]))
            hash = plumb_base_mix(hash ^ op, hash_answer(&p->entry[op]));
    return hash;
}

uint32_t host_follow_class(void *context)
{
    return ((const struct host_driver *)context)->live;
}

bool host_follow_covers(void *context, uint32_t narrow, uint32_t wide)
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

void host_follow_begun(void *context)
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
void host_follow_pass(void *context, struct memory_tape *tape)
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
