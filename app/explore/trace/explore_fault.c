/* explore_fault.c - what went wrong, with the names of the target, for people
 * or for programs.
 *
 * What the host says of a fault are addresses; the trace has who took a lock,
 * freed a block, or touched a variable, and where. */
#include "explore_fault.h"

#include "base/arena.h"
#include "base/range.h"
#include "base/spelling.h"
#include "report/execution_json.h"
#include "report/faults.h"
#include "report/interleaving.h"
#include "report/json.h"
#include "trace_places.h"
#include "trace_rows.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void explore_fault_name(enum scheduler_fault fault, struct plumb_base_text *out)
{
    static const char *const name[] = {
        [FAULT_NONE] = "nothing",
        [FAULT_HISTORY] = "not linearizable",
        [FAULT_CRASH] = "crash",
        [FAULT_ASSERTION] = "assertion failed",
        [FAULT_ABORT] = "aborted",
        [FAULT_FREED] = "use after free",
        [FAULT_RETURNED] = "use after return",
        [FAULT_OVERFLOW] = "access out of bounds",
        [FAULT_FREE] = "invalid free",
        [FAULT_MISUSE] = "misuse",
        [FAULT_STACK] = "out of stack",
        [FAULT_ENDLESS] = "step does not end",
        [FAULT_UNMODELLED] = "not modelled",
        [FAULT_RACE] = "race",
        [FAULT_DEADLOCK] = "deadlock",
        [FAULT_LIVELOCK] = "livelock",
        [FAULT_NONDETERMINISTIC] = "nondeterministic",
        [FAULT_LEAK] = "leak",
    };
    const size_t i = (size_t)fault;
    plumb_base_text_add(out, i < sizeof name / sizeof *name && name[i]
                                 ? name[i]
                                 : "an unknown fault");
}

static uint32_t last_record(const struct explore_trace_names *n)
{
    return n->count ? n->count - 1 : 0;
}

static uint64_t address_of(const struct job_finding *f)
{
    return (uint64_t)(uintptr_t)f->what.at;
}

void explore_fault_object(const struct explore_trace_names *n,
                          const struct job_finding *finding,
                          struct plumb_base_text *out)
{
    struct binary_symbol_spot spot;
    if (explore_trace_spot(n, last_record(n), address_of(finding), 0, &spot))
        plumb_base_text_printf(out, " of %s", spot.name);
}

/* ---- what is told, and words that live as long ---- */

struct telling {
    const struct explore_trace_names *n;
    const struct job_finding *f;
    bool json;
    struct plumb_base_text *out;
    struct plumb_base_arena arena;
    const struct plumb_report_style *style; /* unless json */
};

static const char *keep(struct telling *t, const char *text)
{
    const char *const kept =
        plumb_base_arena_copy(&t->arena, text, strlen(text) + 1);
    return kept ? kept : "";
}

static const char *keep_text(struct telling *t, struct plumb_base_text *text)
{
    const char *const kept = keep(t, plumb_base_text_string(text));
    plumb_base_text_release(text);
    return kept;
}

static const char *thread_name(struct telling *t, unsigned thread)
{
    char name[TRACE_THREAD_NAME];
    return keep(t, explore_trace_thread(t->n->job, thread, name));
}

/* What is there at the end. */
static const char *spot_name(struct telling *t, uint64_t at, uint32_t size)
{
    struct binary_symbol_spot spot;
    explore_trace_spot(t->n, last_record(t->n), at, size, &spot);
    return keep(t, spot.name);
}

static const char *place_of_record(struct telling *t, uint32_t i)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    explore_trace_place_text(t->n, i, &text);
    return keep_text(t, &text);
}

static const char *place_of_code(struct telling *t, uint64_t pc)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    explore_trace_code_text(t->n, pc, &text);
    return keep_text(t, &text);
}

static const char *place_of_offset(struct telling *t, uint64_t offset)
{
    return offset ? place_of_code(t, t->n->job->memory.base + offset) : "";
}

/* What the thread did to which it happened. */
static struct plumb_report_deed last_deed(struct telling *t, const char *verb)
{
    return (struct plumb_report_deed){
        .thread = thread_name(t, t->f->what.thread),
        .verb = verb,
        .place = place_of_offset(t, t->f->offset),
        .step = t->f->length ? t->f->length - 1 : PLUMB_NO_STEP,
    };
}

/* ---- deadlocks ---- */

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
static void find_held(struct telling *t, const struct explore_trace_locks *l,
                      unsigned thread, struct plumb_report_waiter *w)
{
    for (unsigned k = 0; k < l->count; k++) {
        if (l->lock[k].holder != thread ||
            (w->holds[0] && !somebody_waits_for(t->n, l->lock[k].at)))
            continue;
        w->holds = spot_name(t, l->lock[k].at, 0);
        w->held_since = place_of_record(t, l->lock[k].since);
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
static void find_signals(struct telling *t, unsigned thread,
                         struct plumb_report_waiter *w)
{
    const struct explore_trace_names *const n = t->n;
    const uint64_t at = n->job->memory.end[thread].at;
    const uint32_t since = last_of_thread(n, thread);
    if (since == TRACE_NONE ||
        explore_trace_sync_of(n->job->record + since) != SYNC_UNLOCK ||
        n->job->record[since].pc != n->job->memory.end[thread].pc)
        return;
    w->condition = true;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct job_trace_record *const r = n->job->record + i;
        if (!explore_trace_is_sound(n, i) || r->at != at ||
            explore_trace_sync_of(r) != SYNC_SIGNAL)
            continue;
        *(i < since ? &w->signals : &w->for_others) += 1;
        w->signal.step = r->step;
        w->signal.place = place_of_record(t, i);
    }
    const unsigned woken = who_was_woken(n, at);
    if (w->signals == 1 && !w->for_others && woken < PLUMB_MAX_THREADS)
        w->woke = thread_name(t, woken);
}

static void find_wait(struct telling *t, const struct explore_trace_locks *l,
                      unsigned thread, struct plumb_report_waiter *w)
{
    const struct explore_trace_names *const n = t->n;
    const uint64_t at = n->job->memory.end[thread].at;
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    if (n->job->memory.end[thread].kind == PLUMB_EVENT_JOIN) {
        plumb_base_text_printf(&text, "the end of %s",
                               thread_name(t, (unsigned)at % 1000));
        w->waits_for = keep_text(t, &text);
    } else {
        w->waits_for = spot_name(t, at, 0);
        explore_trace_locks_holders(l, n, at, &text);
        w->holder = keep_text(t, &text);
    }
    w->at = place_of_code(t, n->job->memory.end[thread].pc);
}

static size_t find_waiters(struct telling *t,
                           const struct explore_trace_locks *l,
                           struct plumb_report_waiter *waiter)
{
    const struct job_memory *const memory = &t->n->job->memory;
    size_t count = 0;
    for (unsigned i = 0; i < memory->threads && i < PLUMB_MAX_THREADS; i++) {
        if (!waits(t->n, i))
            continue;
        struct plumb_report_waiter *const w = &waiter[count++];
        *w = (struct plumb_report_waiter){ .thread = thread_name(t, i),
                                           .holds = "",
                                           .held_since = "",
                                           .holder = "",
                                           .signal.place = "" };
        find_held(t, l, i, w);
        find_wait(t, l, i, w);
        find_signals(t, i, w);
    }
    return count;
}

/* Who could go on only with a call, which a test need not make. */
static bool calls_no_more(const struct explore_trace_names *n, unsigned t)
{
    const struct job_thread_end *const end = &n->job->memory.end[t];
    return end->standing == PLUMB_READY && end->kind == PLUMB_EVENT_CALL;
}

static void tell_who_calls_no_more(struct telling *t, const char *indent)
{
    const unsigned threads = t->n->job->memory.threads;
    bool any = false;
    for (unsigned i = 0; i < threads && i < PLUMB_MAX_THREADS; i++) {
        if (!calls_no_more(t->n, i))
            continue;
        const char *const name = thread_name(t, i);
        if (t->json && !any)
            plumb_report_json_begin("calls_no_more", '[', t->out);
        if (t->json)
            plumb_base_text_printf(t->out, "%s\"%s\"", any ? "," : "", name);
        else
            plumb_base_text_printf(t->out, "%s%s makes no further call\n",
                                   indent, name);
        any = true;
    }
    if (t->json && any)
        plumb_base_text_add(t->out, "]");
}

static void tell_deadlock(struct telling *t)
{
    struct plumb_report_waiter waiter[PLUMB_MAX_THREADS];
    struct explore_trace_locks l = { .count = 0 };
    for (uint32_t i = 0; i < t->n->count; i++)
        if (explore_trace_is_sound(t->n, i))
            explore_trace_locks_pass(&l, t->n, i);
    const size_t count = find_waiters(t, &l, waiter);
    if (count && t->json)
        plumb_report_json_waiters(waiter, count, t->out);
    else if (count)
        plumb_report_fault_deadlock(waiter, count, t->style, t->out);
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

static struct plumb_report_deed access_deed(struct telling *t, unsigned thread,
                                            uint64_t offset, uint32_t *size)
{
    static const char *const verb[] = {
        [TRACE_READ] = "reads",     [TRACE_WRITE] = "writes",
        [TRACE_LOAD] = "loads",     [TRACE_STORE] = "stores to",
        [TRACE_MODIFY] = "updates", [TRACE_CAS] = "updates"
    };
    const uint32_t i = find_access(t->n, thread, offset, address_of(t->f));
    const struct job_trace_record *const r =
        i == TRACE_NONE ? NULL : t->n->job->record + i;
    if (r)
        *size = r->size;
    return (struct plumb_report_deed){
        .thread = thread_name(t, thread),
        .verb = r ? verb[r->kind] : "accesses",
        .place = r ? place_of_record(t, i) : place_of_offset(t, offset),
        .step = r ? r->step : PLUMB_NO_STEP,
    };
}

static void tell_race(struct telling *t)
{
    const struct job_finding *const f = t->f;
    uint32_t size = 0;
    struct plumb_report_deed deed[2];
    deed[0] = access_deed(t, f->other_thread, f->other, &size);
    deed[1] = access_deed(t, f->what.thread, f->offset, &size);
    const char *const name = spot_name(t, address_of(f), size);
    if (t->json)
        plumb_report_json_deeds(name, deed, 2, t->out);
    else
        plumb_report_fault_race(name, deed, t->out);
}

/* Who did it, and where. */
static void json_deed(struct telling *t)
{
    struct plumb_base_text what;
    if (t->f->what.fault == FAULT_HISTORY ||
        t->f->what.thread >= PLUMB_MAX_THREADS)
        return;
    plumb_base_text_init(&what, NULL);
    explore_fault_name(t->f->what.fault, &what);
    const struct plumb_report_deed deed = last_deed(t, keep_text(t, &what));
    plumb_report_json_deeds("", &deed, 1, t->out);
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
static void name_doer(struct telling *t, uint32_t i,
                      struct plumb_report_deed *deed)
{
    const struct explore_trace_names *const n = t->n;
    const struct job_description *const d = &n->job->target;
    const unsigned op = operation_around(n, i);
    deed->thread =
        i < n->first ? "setup" : thread_name(t, n->job->record[i].thread);
    if (op >= d->scenario || !d->object ||
        (op >= d->init_count && op < d->scenario - d->final_count))
        return;
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    explore_trace_operation_text(n->job, t->f, op, false, &text);
    deed->operation = keep_text(t, &text);
    deed->thread = op < d->init_count ? "init" : "final";
}

static struct plumb_report_deed deed_of(struct telling *t, uint32_t i,
                                        const char *verb)
{
    struct plumb_report_deed deed = { 0 };
    if (i >= t->n->count)
        return deed;
    name_doer(t, i, &deed);
    deed.verb = verb;
    deed.place = place_of_record(t, i);
    deed.step = i < t->n->first ? PLUMB_NO_STEP : t->n->job->record[i].step;
    return deed;
}

static const char *block_name(struct telling *t,
                              const struct explore_trace_block *b)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    explore_trace_block_name(t->n, b, &text);
    return keep_text(t, &text);
}

/* "use after free: node#1.next", and who did what to it. */
static void tell_deeds(struct telling *t, const char *what, const char *object,
                       const char *behind, const struct plumb_report_deed *deed,
                       size_t count)
{
    struct plumb_base_text line;
    if (t->json) {
        plumb_report_json_deeds(object, deed, count, t->out);
        return;
    }
    plumb_base_text_init(&line, NULL);
    plumb_base_text_printf(&line, "%s: %s%s", what, object, behind);
    plumb_report_fault_block(plumb_base_text_string(&line), deed, count,
                             t->out);
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

static const struct explore_trace_block *block_of(const struct telling *t)
{
    const uint64_t at = address_of(t->f);
    const struct explore_trace_block *const b =
        explore_trace_block_at(t->n, last_record(t->n), at);
    return !b && t->f->what.fault == FAULT_OVERFLOW ? block_before(t->n, at)
                                                    : b;
}

static void tell_block(struct telling *t, const char *what, const char *verb)
{
    const enum scheduler_fault fault = t->f->what.fault;
    const uint64_t at = address_of(t->f);
    const struct explore_trace_block *const b = block_of(t);
    char behind[80] = "";
    if (!b) {
        if (t->json)
            json_deed(t);
        return;
    }
    if (fault == FAULT_FREE && at == b->at && b->freed != TRACE_NONE)
        what = "double free";
    if (fault == FAULT_OVERFLOW)
        snprintf(behind, sizeof behind,
                 " has %" PRIu64 " byte%s; the access begins at +%" PRIu64,
                 b->size, plumb_base_plural(b->size), at - b->at);
    const struct plumb_report_deed deed[] = {
        deed_of(t, b->from, "allocated"),
        deed_of(t, b->freed, "freed"),
        last_deed(t, verb),
    };
    tell_deeds(t, what,
               fault == FAULT_FREED ? spot_name(t, at, 0) : block_name(t, b),
               behind, deed, 3);
}

/* The first block that is lost, and how many more are. */
static void tell_leak(struct telling *t)
{
    const struct explore_trace_block *const b =
        explore_trace_block_at(t->n, last_record(t->n), address_of(t->f));
    char behind[80] = " was never freed, and nothing points to it";
    if (!b)
        return;
    if (t->f->what.detail > 1)
        snprintf(behind, sizeof behind,
                 " was never freed, and nothing points to it; %" PRIi64 " more",
                 t->f->what.detail - 1);
    const struct plumb_report_deed deed = deed_of(t, b->from, "allocated");
    tell_deeds(t, "leak", block_name(t, b), behind, &deed, 1);
}

/* ---- crashes and livelocks ---- */

static void show_crash(const struct telling *t)
{
    const uint64_t at = address_of(t->f);
    struct binary_symbol_spot spot;
    if (!t->f->what.pc)
        return; /* the whole process died: nobody was there to tell */
    if (at == 0)
        plumb_base_text_add(t->out, "  access through a NULL pointer\n");
    else if (at < 4096)
        plumb_base_text_printf(
            t->out, "  access through a NULL pointer, at offset %u\n",
            (unsigned)at);
    else if (explore_trace_spot(t->n, last_record(t->n), at, 0, &spot))
        plumb_base_text_printf(t->out, "  access to %s\n", spot.name);
}

static void tell_livelock(const struct telling *t)
{
    const struct job_finding *const f = t->f;
    if (t->json)
        plumb_report_json_number("cycle", f->cycle, t->out);
    else if (f->cycle && f->cycle <= f->length)
        plumb_base_text_printf(
            t->out,
            "  steps %u to %u repeat for ever; two more rounds "
            "led to the same state\n",
            f->length - f->cycle, f->length - 1);
}

/* ---- the whole ---- */

static void tell(struct telling *t)
{
    switch (t->f->what.fault) {
    case FAULT_DEADLOCK:
        tell_deadlock(t);
        tell_who_calls_no_more(t, "    ");
        break;
    case FAULT_LIVELOCK:
        tell_livelock(t);
        tell_who_calls_no_more(t, "  ");
        break;
    case FAULT_RACE:
        tell_race(t);
        break;
    case FAULT_FREED:
        tell_block(t, "use after free", "uses");
        break;
    case FAULT_OVERFLOW:
        tell_block(t, "out of bounds", "reaches beyond");
        break;
    case FAULT_FREE:
        tell_block(t, "invalid free", "frees");
        break;
    case FAULT_LEAK:
        tell_leak(t);
        break;
    default:
        if (t->json)
            json_deed(t);
        else if (t->f->what.fault == FAULT_CRASH)
            show_crash(t);
    }
}

void explore_tell_fault(const struct explore_trace_names *n,
                        const struct job_finding *finding,
                        const struct plumb_report_style *style,
                        struct plumb_base_text *out)
{
    const bool json = !style;
    struct telling t = {
        .n = n, .f = finding, .json = json, .style = style, .out = out
    };
    const size_t before = out->size;
    if (!finding)
        return;
    plumb_base_arena_init(&t.arena, NULL);
    tell(&t);
    plumb_base_arena_release(&t.arena);
    if (!json && out->size != before)
        plumb_base_text_add(out, "\n");
}
