/* shims.c - events, answers and complaints of the models. */
#include "shims.h"

#include "runtime/explore/memory/heap.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/races/races.h"
#include "runtime/explore/hooks/stage_hook.h"
#include "runtime/explore/scheduler/theatre.h"
#include "runtime/explore/job/trace.h"
#include <errno.h>
#include <stdio.h>

void shims_init(void)
{
    time_init();
    keys_init();
    futex_init();
}

unsigned self_mark(void)
{
    return stage_self() + 1;
}

uintptr_t *own_slot(enum shim_slot slot)
{
    return stage_slot(stage_self(), (enum stage_slot)slot);
}

static const void *unqualified(const volatile void *at)
{
    return (const void *)(uintptr_t)at;
}

static int tell(struct place from, const volatile void *at, int result,
                enum trace_answer meaning)
{
    struct trace_record *const r = trace_add(TRACE_SYNC, from.pc, at, 0);
    if (result == 0)
        stage_changed();
    if (r) {
        snprintf(r->name, sizeof r->name, "%s", from.name);
        r->after = (uint64_t)result;
        r->answer = (uint8_t)meaning;
        r->known = true;
    }
    return result;
}

int answer(struct place from, const volatile void *at, int result)
{
    return tell(from, at, result, ANSWER_ERROR);
}

int answer_woken(struct place from, const volatile void *at, int count)
{
    return tell(from, at, count, ANSWER_WOKEN);
}

int answer_chosen(struct place from, const volatile void *at, int result)
{
    return tell(from, at, result, ANSWER_CHOSEN);
}

int answer_failed(struct place from, const volatile void *at, size_t size,
                  int error)
{
    stage_looked(at, size);
    return answer(from, at, error);
}

int answer_errno(struct place from, const volatile void *at, int error)
{
    answer(from, at, error);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

/* ---- complaints ---- */

void unmodelled(struct place from, const char *what)
{
    stage_fail(FAULT_UNMODELLED, from.pc, NULL, "%s: %s", from.name, what);
}

void misuse(struct place from, const volatile void *at, const char *what)
{
    stage_fail(FAULT_MISUSE, from.pc, unqualified(at), "%s: %s", from.name,
               what);
}

void need(struct place from, const volatile void *at, size_t size)
{
    if (!at)
        stage_fail(FAULT_CRASH, from.pc, NULL, "%s of NULL", from.name);
    switch (heap_access(unqualified(at), size)) {
    case HEAP_GOOD:
        return;
    case HEAP_FREED:
        stage_fail(FAULT_FREED, from.pc, unqualified(at), "%s in freed memory",
                   from.name);
    case HEAP_OUTSIDE:
        stage_fail(FAULT_OVERFLOW, from.pc, unqualified(at),
                   "%s outside of a block", from.name);
    }
}

/* ---- events ----
 *
 * The object has to be there when the thread comes, because conditions look at
 * it, and when it goes on.
 *
 * Libraries behind the target have locks of their own, for what they prepare
 * when it is first needed.  They are not put back, so they must be free when an
 * execution ends, wherever that is.  Their code runs on without events, and so
 * does it if the lock is free: it is taken and given back within a step. */

static bool is_within(const volatile void *at, uintptr_t begin, size_t size)
{
    return (uintptr_t)at - begin < size;
}

static bool is_of_library(const volatile void *at)
{
    uintptr_t begin;
    size_t size;
    if (image_has(unqualified(at)) || heap_has(unqualified(at)))
        return false;
    for (unsigned t = 0; t < theatre_threads(); t++)
        if ((theatre_stack(t, &begin, &size) && is_within(at, begin, size)) ||
            (theatre_locals(t, &begin, &size) && is_within(at, begin, size)))
            return false;
    return true;
}

/* What somebody waits for in a block that may be freed meanwhile: then he goes
 * on, and is told. */
struct wait {
    const void *at;
    size_t size;
    stage_condition *ready;
    const void *what;
};

static bool is_ready_or_gone(const void *wait)
{
    const struct wait *const w = wait;
    return heap_access(w->at, w->size) != HEAP_GOOD || w->ready(w->what);
}

/* Whoever frees it must be ordered behind. */
static void used(struct place from, const volatile void *at, size_t size)
{
    const size_t word = sizeof(uint64_t);
    races_after_atomic(from.pc, unqualified(at), size < word ? size : word,
                       true, true, __ATOMIC_RELAXED);
}

static void event_on(struct place from, const volatile void *at, size_t size,
                     enum plumb_event_kind kind, stage_condition *ready,
                     const void *what)
{
    stage_use(from.pc, unqualified(at));
    need(from, at, size);
    if (is_of_library(at) && (!ready || ready(what)))
        return;
    const struct wait w = { unqualified(at), size, ready, what };
    if (ready && heap_has(unqualified(at)))
        stage_sync(from.pc, unqualified(at), kind, is_ready_or_gone, &w);
    else
        stage_sync(from.pc, unqualified(at), kind, ready, what);
    need(from, at, size);
    used(from, at, size);
}

void sync_on(struct place from, const volatile void *at, size_t size,
             stage_condition *ready, const void *what)
{
    event_on(from, at, size, PLUMB_EVENT_SYNC, ready, what);
}

void lock_on(struct place from, const volatile void *at, size_t size,
             stage_condition *ready, const void *what)
{
    event_on(from, at, size, PLUMB_EVENT_LOCK, ready, what);
}

void unlock_on(struct place from, const volatile void *at, size_t size)
{
    event_on(from, at, size, PLUMB_EVENT_UNLOCK, NULL, NULL);
}

/* Some centuries from the beginning of our time: nobody waits for that. */
static bool never_comes(const struct timespec *limit)
{
    return limit->tv_sec > INT64_C(15000000000);
}

bool sync_until(struct place from, const volatile void *at, size_t size,
                stage_condition *ready, const void *what,
                const struct timespec *limit)
{
    if (!limit || never_comes(limit)) {
        sync_on(from, at, size, ready, what);
        return true;
    }
    stage_use(from.pc, unqualified(at));
    need(from, at, size);
    const bool held = stage_sync_timed(from.pc, unqualified(at), ready, what);
    need(from, at, size);
    used(from, at, size);
    if (!held)
        time_reached(limit);
    return held;
}

/* ---- what orders ---- */

void acquired(const volatile void *at)
{
    if (races_on)
        races_acquire(stage_self(), unqualified(at));
}

void released(const volatile void *at)
{
    if (races_on)
        races_release(stage_self(), unqualified(at));
}
