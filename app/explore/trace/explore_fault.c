/* explore_fault.c - what went wrong, with the names of the target, for people
 * or for programs.
 *
 * What the host says of a fault are addresses; the trace has who took a lock,
 * freed a block, or touched a variable, and where. */
#include "explore_fault.h"

#include "base/range.h"
#include "base/spelling.h"
#include "report/execution_json.h"
#include "report/faults.h"
#include "report/interleaving.h"
#include "trace_rows.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 192 };

void explore_fault_name(enum scheduler_fault fault, struct plumb_base_text *out)
{
    static const char *const name[] = {
        [FAULT_NONE] = "nothing",
        [FAULT_HISTORY] = "not linearizable",
        [FAULT_CRASH] = "crash",
        [FAULT_ASSERTION] = "assertion failed",
        [FAULT_ABORT] = "aborted",
        [FAULT_FREED] = "use after free",
        [FAULT_OVERFLOW] = "access out of bounds",
        [FAULT_FREE] = "invalid free",
        [FAULT_MISUSE] = "misuse",
        [FAULT_STACK] = "out of stack",
        [FAULT_ENDLESS] = "step does not end",
        [FAULT_UNMODELLED] = "not modelled",
        [FAULT_RACE] = "race",
        [FAULT_DEADLOCK] = "deadlock",
        [FAULT_LIVELOCK] = "livelock",
        [FAULT_LEAK] = "leak",
    };
    const size_t i = (size_t)fault;
    plumb_base_text_add(out, i < sizeof name / sizeof *name && name[i]
                                 ? name[i]
                                 : "an unknown fault");
}

void explore_fault_object(const struct explore_trace_names *n,
                          const struct job_finding *finding,
                          struct plumb_base_text *out)
{
    struct binary_symbol_spot spot;
    const uint64_t at = (uint64_t)(uintptr_t)finding->what.at;
    if (explore_trace_spot(n, n->count ? n->count - 1 : 0, at, 0, &spot))
        plumb_base_text_printf(out, " of %s", spot.name);
}

/* ---- words that live long enough ---- */

typedef char words[WORDS];

static void keep(words to, struct plumb_base_text *text)
{
    snprintf(to, WORDS, "%s", plumb_base_text_string(text));
    plumb_base_text_release(text);
}

static void place_of_record(const struct explore_trace_names *n, uint32_t i,
                            words to)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    explore_trace_place_text(n, i, &text);
    keep(to, &text);
}

static void place_of_code(const struct explore_trace_names *n, uint64_t pc,
                          words to)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    explore_trace_code_text(n, pc, &text);
    keep(to, &text);
}

static uint32_t last_record(const struct explore_trace_names *n)
{
    return n->count ? n->count - 1 : 0;
}

/* ---- deadlocks ---- */

struct waiting {
    char thread[TRACE_THREAD_NAME], other[TRACE_THREAD_NAME];
    words holds, held_since, waits_for, at, holder, signal;
};

static bool waits(const struct explore_trace_names *n, unsigned t)
{
    return n->job->memory.end[t].standing == PLUMB_WAITING;
}

static bool somebody_waits_for(const struct explore_trace_names *n, uint64_t at)
{
    for (unsigned t = 0; t < n->job->memory.threads && t < PLUMB_MAX_THREADS;
         t++)
        if (waits(n, t) && n->job->memory.end[t].at == at &&
            n->job->memory.end[t].kind != PLUMB_EVENT_JOIN)
            return true;
    return false;
}

/* Of the locks that the thread holds, better one that somebody waits for. */
static void find_held(const struct explore_trace_names *n,
                      const struct explore_trace_locks *l, unsigned thread,
                      struct waiting *w)
{
    struct binary_symbol_spot spot;
    for (unsigned k = 0; k < l->count; k++) {
        if (l->lock[k].holder != thread ||
            (w->holds[0] && !somebody_waits_for(n, l->lock[k].at)))
            continue;
        explore_trace_spot(n, last_record(n), l->lock[k].at, 0, &spot);
        snprintf(w->holds, sizeof w->holds, "%s", spot.name);
        place_of_record(n, l->lock[k].since, w->held_since);
    }
}

static uint32_t last_of_thread(const struct explore_trace_names *n,
                               unsigned thread)
{
    for (uint32_t i = n->count; i-- > n->first;)
        if (explore_trace_is_sound(n, i) && n->job->record[i].thread == thread)
            return i;
    return TRACE_NONE;
}

/* The first that was, or PLUMB_MAX_THREADS. */
static unsigned who_was_woken(const struct explore_trace_names *n, uint64_t at)
{
    for (uint32_t i = 0; i < n->count; i++) {
        const struct job_trace_record *const r = n->job->record + i;
        if (explore_trace_is_sound(n, i) && r->at == at && r->known &&
            r->after == 0 && explore_trace_sync_of(r) == SYNC_WAIT)
            return r->thread;
    }
    return PLUMB_MAX_THREADS;
}

/* To wait for a condition is to unlock first, at the same place.  Who was woken
 * has gone on by now: if there was but one signal, it was by that. */
static void find_signals(const struct explore_trace_names *n, unsigned thread,
                         struct waiting *w, struct plumb_report_waiter *told)
{
    const uint64_t at = n->job->memory.end[thread].at;
    const uint32_t since = last_of_thread(n, thread);
    if (since == TRACE_NONE ||
        explore_trace_sync_of(n->job->record + since) != SYNC_UNLOCK ||
        n->job->record[since].pc != n->job->memory.end[thread].pc)
        return;
    told->condition = true;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct job_trace_record *const r = n->job->record + i;
        if (!explore_trace_is_sound(n, i) || r->at != at ||
            explore_trace_sync_of(r) != SYNC_SIGNAL)
            continue;
        *(i < since ? &told->signals : &told->for_others) += 1;
        told->signal.step = r->step;
        place_of_record(n, i, w->signal);
    }
    told->signal.place = w->signal;
    const unsigned woken = who_was_woken(n, at);
    if (told->signals == 1 && !told->for_others && woken < PLUMB_MAX_THREADS)
        told->woke = explore_trace_thread(n->job, woken, w->other);
}

static void find_wait(const struct explore_trace_names *n,
                      const struct explore_trace_locks *l, unsigned t,
                      struct waiting *w)
{
    const uint64_t at = n->job->memory.end[t].at;
    struct binary_symbol_spot spot;
    struct plumb_base_text holders;
    if (n->job->memory.end[t].kind == PLUMB_EVENT_JOIN) {
        explore_trace_thread(n->job, (unsigned)at % 1000, w->other);
        snprintf(w->waits_for, sizeof w->waits_for, "the end of %s", w->other);
    } else {
        explore_trace_spot(n, last_record(n), at, 0, &spot);
        snprintf(w->waits_for, sizeof w->waits_for, "%s", spot.name);
        plumb_base_text_init(&holders, NULL);
        explore_trace_locks_holders(l, n, at, &holders);
        keep(w->holder, &holders);
    }
    place_of_code(n, n->job->memory.end[t].pc, w->at);
}

static size_t find_waiters(const struct explore_trace_names *n,
                           const struct explore_trace_locks *l,
                           struct waiting *w, struct plumb_report_waiter *told)
{
    size_t count = 0;
    for (unsigned t = 0; t < n->job->memory.threads && t < PLUMB_MAX_THREADS;
         t++) {
        if (!waits(n, t))
            continue;
        struct waiting *const now = w + count;
        struct plumb_report_waiter *const teller = told + count++;
        explore_trace_thread(n->job, t, now->thread);
        find_held(n, l, t, now);
        find_wait(n, l, t, now);
        find_signals(n, t, now, teller);
        teller->thread = now->thread;
        teller->holds = now->holds;
        teller->held_since = now->held_since;
        teller->waits_for = now->waits_for;
        teller->at = now->at;
        teller->holder = now->holder;
    }
    return count;
}

static void show_deadlock(const struct explore_trace_names *n, bool json,
                          struct plumb_base_text *out)
{
    struct explore_trace_locks *const l = calloc(1, sizeof *l);
    struct waiting *const w = calloc(PLUMB_MAX_THREADS, sizeof *w);
    struct plumb_report_waiter *const told =
        calloc(PLUMB_MAX_THREADS, sizeof *told);
    if (l && w && told) {
        for (uint32_t i = 0; i < n->count; i++)
            if (explore_trace_is_sound(n, i))
                explore_trace_locks_pass(l, n, i);
        const size_t count = find_waiters(n, l, w, told);
        if (count && json)
            plumb_report_json_waiters(told, count, out);
        else if (count)
            plumb_report_fault_deadlock(told, count, out);
    }
    free(l);
    free(w);
    free(told);
}

/* ---- accesses ---- */

/* The last access of the thread at that place in the code, to these bytes. */
static uint32_t find_access(const struct explore_trace_names *n,
                            unsigned thread, uint64_t offset, uint64_t at)
{
    const uint64_t pc = n->job->memory.base + offset;
    for (uint32_t i = n->count; i-- > n->first;) {
        const struct job_trace_record *const r = n->job->record + i;
        if (explore_trace_is_sound(n, i) && r->thread == thread &&
            r->pc == pc && r->kind <= TRACE_CAS &&
            plumb_base_ranges_meet(r->at, r->size, at, 8))
            return i;
    }
    return TRACE_NONE;
}

static const char *verb_of(const struct explore_trace_names *n, uint32_t i)
{
    if (i == TRACE_NONE)
        return "accesses";
    switch ((enum job_trace_kind)n->job->record[i].kind) {
    case TRACE_READ:
        return "reads";
    case TRACE_WRITE:
        return "writes";
    case TRACE_LOAD:
        return "loads";
    case TRACE_STORE:
        return "stores to";
    default:
        return "updates";
    }
}

static void show_race(const struct explore_trace_names *n,
                      const struct job_finding *f, bool json,
                      struct plumb_base_text *out)
{
    const uint64_t at = (uint64_t)(uintptr_t)f->what.at;
    const unsigned thread[2] = { f->other_thread, f->what.thread };
    const uint64_t offset[2] = { f->other, f->offset };
    char name[2][TRACE_THREAD_NAME];
    words place[2] = { "", "" };
    struct plumb_report_deed deed[2];
    struct binary_symbol_spot spot;
    uint32_t size = 0;
    for (unsigned k = 0; k < 2; k++) {
        const uint32_t i = find_access(n, thread[k], offset[k], at);
        if (i != TRACE_NONE) {
            place_of_record(n, i, place[k]);
            size = n->job->record[i].size;
        } else if (offset[k])
            place_of_code(n, n->job->memory.base + offset[k], place[k]);
        deed[k] = (struct plumb_report_deed){
            .thread = explore_trace_thread(n->job, thread[k], name[k]),
            .verb = verb_of(n, i),
            .place = place[k],
            .step = i == TRACE_NONE ? PLUMB_NO_STEP : n->job->record[i].step,
        };
    }
    explore_trace_spot(n, last_record(n), at, size, &spot);
    if (json)
        plumb_report_json_deeds(spot.name, deed, 2, out);
    else
        plumb_report_fault_race(spot.name, deed, out);
}

/* Who did it, and where. */
static void json_deed(const struct explore_trace_names *n,
                      const struct job_finding *f, struct plumb_base_text *out)
{
    char name[TRACE_THREAD_NAME];
    words place = "", what = "";
    struct plumb_base_text text;
    if (f->what.fault == FAULT_HISTORY || f->what.thread >= PLUMB_MAX_THREADS)
        return;
    plumb_base_text_init(&text, NULL);
    explore_fault_name(f->what.fault, &text);
    keep(what, &text);
    if (f->offset)
        place_of_code(n, n->job->memory.base + f->offset, place);
    const struct plumb_report_deed deed = {
        .thread = explore_trace_thread(n->job, f->what.thread, name),
        .verb = what,
        .place = place,
        .step = f->length ? f->length - 1 : PLUMB_NO_STEP,
    };
    plumb_report_json_deeds("", &deed, 1, out);
}

/* ---- blocks of the heap ---- */

/* The operation in which the thread wrote the record; JOB_OPERATIONS if it was
 * in none. */
static unsigned operation_around(const struct explore_trace_names *n,
                                 uint32_t i)
{
    const uint32_t begin = i < n->first ? 0 : n->first;
    const unsigned thread = n->job->record[i].thread;
    for (uint32_t k = i + 1; k-- > begin;) {
        const struct job_trace_record *const r = n->job->record + k;
        if (!explore_trace_is_sound(n, k) || r->thread != thread)
            continue;
        if (r->kind == TRACE_CALL && r->after < JOB_OPERATIONS)
            return (unsigned)r->after;
        if (r->kind == TRACE_RETURN)
            break;
    }
    return JOB_OPERATIONS;
}

/* Who did it is a thread, or the part of the scenario that has no threads, and
 * its operation. */
struct doer {
    char thread[TRACE_THREAD_NAME];
    words operation, place;
};

static void name_doer(const struct explore_trace_names *n,
                      const struct job_finding *f, uint32_t i,
                      struct doer *doer)
{
    const struct job_description *const d = &n->job->target;
    const unsigned op = operation_around(n, i);
    const bool before = i < n->first;
    if (before)
        snprintf(doer->thread, sizeof doer->thread, "setup");
    else
        explore_trace_thread(n->job, n->job->record[i].thread, doer->thread);
    if (op >= d->scenario || !d->object ||
        (op >= d->init_count && op < d->scenario - d->final_count))
        return;
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    explore_trace_operation_text(n->job, f, op, false, &text);
    keep(doer->operation, &text);
    snprintf(doer->thread, sizeof doer->thread, "%s",
             op < d->init_count ? "init" : "final");
}

static struct plumb_report_deed deed_of(const struct explore_trace_names *n,
                                        const struct job_finding *f, uint32_t i,
                                        const char *verb, struct doer *doer)
{
    *doer = (struct doer){ .thread = "" };
    if (i >= n->count)
        return (struct plumb_report_deed){ 0 };
    place_of_record(n, i, doer->place);
    name_doer(n, f, i, doer);
    return (struct plumb_report_deed){
        .thread = doer->thread,
        .operation = doer->operation,
        .verb = verb,
        .place = doer->place,
        .step = i < n->first ? PLUMB_NO_STEP : n->job->record[i].step,
    };
}

/* The block as a whole, or the part of it at `at`. */
static void name_block(const struct explore_trace_names *n,
                       const struct explore_trace_block *b, uint64_t at,
                       bool whole, words name)
{
    struct plumb_base_text text;
    struct binary_symbol_spot spot;
    plumb_base_text_init(&text, NULL);
    explore_trace_spot(n, last_record(n), at, 0, &spot);
    if (whole)
        explore_trace_block_name(n, b, &text);
    else
        plumb_base_text_add(&text, spot.name);
    keep(name, &text);
}

/* "use after free: node#1.next", and who did what to it. */
static void tell_block(const char *before, const char *object,
                       const char *behind, const struct plumb_report_deed *deed,
                       size_t count, struct plumb_base_text *out)
{
    struct plumb_base_text line;
    plumb_base_text_init(&line, NULL);
    plumb_base_text_add(&line, before);
    plumb_base_text_add(&line, object);
    plumb_base_text_add(&line, behind);
    plumb_report_fault_block(plumb_base_text_string(&line), deed, count, out);
    plumb_base_text_release(&line);
}

/* The one behind whose end an address is, if it is in none. */
static const struct explore_trace_block *block_before(
    const struct explore_trace_names *n, uint64_t at)
{
    const struct explore_trace_block *last = NULL;
    for (const struct explore_trace_block *b = n->block;
         b < n->block + n->blocks; b++)
        if (b->freed == TRACE_NONE && b->at <= at &&
            (!last || last->at < b->at))
            last = b;
    return last;
}

static const struct explore_trace_block *block_of(
    const struct explore_trace_names *n, const struct job_finding *f)
{
    const uint64_t at = (uint64_t)(uintptr_t)f->what.at;
    const struct explore_trace_block *const b =
        explore_trace_block_at(n, last_record(n), at);
    return !b && f->what.fault == FAULT_OVERFLOW ? block_before(n, at) : b;
}

static void show_block(const struct explore_trace_names *n,
                       const struct job_finding *f, const char *what,
                       const char *verb, bool json, struct plumb_base_text *out)
{
    const uint64_t at = (uint64_t)(uintptr_t)f->what.at;
    const struct explore_trace_block *const b = block_of(n, f);
    char name[TRACE_THREAD_NAME], behind[80] = "";
    struct doer doer[2];
    words place = "";
    struct plumb_report_deed deed[3];
    words object;
    if (!b) {
        if (json)
            json_deed(n, f, out);
        return;
    }
    if (f->what.fault == FAULT_FREE && at == b->at && b->freed != TRACE_NONE)
        what = "double free: ";
    if (f->what.fault == FAULT_OVERFLOW)
        snprintf(behind, sizeof behind,
                 " has %" PRIu64 " byte%s; the access begins at +%" PRIu64,
                 b->size, plumb_base_plural(b->size), at - b->at);
    name_block(n, b, at, f->what.fault != FAULT_FREED, object);
    deed[0] = deed_of(n, f, b->from, "allocated", &doer[0]);
    deed[1] = deed_of(n, f, b->freed, "freed", &doer[1]);
    if (f->offset)
        place_of_code(n, n->job->memory.base + f->offset, place);
    deed[2] = (struct plumb_report_deed){
        .thread = explore_trace_thread(n->job, f->what.thread, name),
        .verb = verb,
        .place = place,
        .step = f->length ? f->length - 1 : PLUMB_NO_STEP,
    };
    if (json)
        plumb_report_json_deeds(object, deed, 3, out);
    else
        tell_block(what, object, behind, deed, 3, out);
}

/* The first block that is lost, and how many more are. */
static void show_leak(const struct explore_trace_names *n,
                      const struct job_finding *f, bool json,
                      struct plumb_base_text *out)
{
    const struct explore_trace_block *const b = explore_trace_block_at(
        n, last_record(n), (uint64_t)(uintptr_t)f->what.at);
    struct doer doer;
    words object;
    char behind[80] = " was never freed, and nothing points to it";
    if (!b)
        return;
    const struct plumb_report_deed deed =
        deed_of(n, f, b->from, "allocated", &doer);
    name_block(n, b, b->at, true, object);
    if (f->what.detail > 1)
        snprintf(behind, sizeof behind,
                 " was never freed, and nothing points to it; %" PRIi64 " more",
                 f->what.detail - 1);
    if (json)
        plumb_report_json_deeds(object, &deed, 1, out);
    else
        tell_block("leak: ", object, behind, &deed, 1, out);
}

/* ---- crashes ---- */

static void show_crash(const struct explore_trace_names *n,
                       const struct job_finding *f, struct plumb_base_text *out)
{
    const uint64_t at = (uint64_t)(uintptr_t)f->what.at;
    struct binary_symbol_spot spot;
    if (!f->what.pc)
        return; /* the whole process died: nobody was there to tell */
    if (at < 4096) {
        plumb_base_text_add(out, "  access through a NULL pointer");
        if (at)
            plumb_base_text_printf(out, ", at offset %u", (unsigned)at);
        plumb_base_text_add(out, "\n");
    } else if (explore_trace_spot(n, last_record(n), at, 0, &spot))
        plumb_base_text_printf(out, "  access to %s\n", spot.name);
}

/* ---- livelocks ---- */

static void show_livelock(const struct job_finding *f,
                          struct plumb_base_text *out)
{
    if (f->cycle && f->cycle <= f->length)
        plumb_base_text_printf(
            out,
            "  steps %u to %u repeat for ever; two more rounds "
            "led to the same state\n",
            f->length - f->cycle, f->length - 1);
}

/* ---- the whole ---- */

static void show(const struct explore_trace_names *n,
                 const struct job_finding *f, bool json,
                 struct plumb_base_text *out)
{
    switch (f->what.fault) {
    case FAULT_DEADLOCK:
        show_deadlock(n, json, out);
        break;
    case FAULT_LIVELOCK:
        if (json)
            plumb_base_text_printf(out, ",\"cycle\":%" PRIu32, f->cycle);
        else
            show_livelock(f, out);
        break;
    case FAULT_RACE:
        show_race(n, f, json, out);
        break;
    case FAULT_FREED:
        show_block(n, f, "use after free: ", "uses", json, out);
        break;
    case FAULT_OVERFLOW:
        show_block(n, f, "out of bounds: ", "reaches beyond", json, out);
        break;
    case FAULT_FREE:
        show_block(n, f, "invalid free: ", "frees", json, out);
        break;
    case FAULT_LEAK:
        show_leak(n, f, json, out);
        break;
    default:
        if (json)
            json_deed(n, f, out);
        else if (f->what.fault == FAULT_CRASH)
            show_crash(n, f, out);
        break;
    }
}

void explore_show_fault(const struct explore_trace_names *n,
                        const struct job_finding *finding,
                        struct plumb_base_text *out)
{
    const size_t before = out->size;
    if (finding)
        show(n, finding, false, out);
    if (out->size != before)
        plumb_base_text_add(out, "\n");
}

void explore_json_fault(const struct explore_trace_names *n,
                        const struct job_finding *finding,
                        struct plumb_base_text *out)
{
    show(n, finding, true, out);
}
