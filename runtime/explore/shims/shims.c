/* shims.c - events, answers and complaints of the models. */
#include "shims.h"

#include "runtime/explore/hooks/scheduler_hook.h"
#include "runtime/explore/job/trace.h"
#include "runtime/explore/memory/heap.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/races/races.h"
#include "runtime/explore/scheduler/machine_adapter.h"
#include <errno.h>
#include <stdio.h>

void shims_init(void)
{
    shims_time_init();
    shims_keys_init();
    shims_futex_init();
}

unsigned shims_self_mark(void)
{
    return scheduler_self() + 1;
}

uintptr_t *shims_own_slot(enum shim_slot slot)
{
    return scheduler_slot(scheduler_self(), (enum scheduler_slot)slot);
}

static const void *unqualified(const volatile void *at)
{
    return (const void *)(uintptr_t)at;
}

static int tell(struct shims_place from, const volatile void *at, int result,
                enum job_trace_answer meaning)
{
    struct job_trace_record *const r =
        target_trace_add(TRACE_SYNC, from.pc, at, 0);
    if (result == 0)
        scheduler_changed();
    if (r) {
        snprintf(r->name, sizeof r->name, "%s", from.name);
        r->after = (uint32_t)result;
        r->answer = (uint8_t)meaning;
        r->known = true;
    }
    return result;
}

int answer(struct shims_place from, const volatile void *at, int result)
{
    return tell(from, at, result, ANSWER_ERROR);
}

int shims_answer_woken(struct shims_place from, const volatile void *at,
                       int count)
{
    return tell(from, at, count, ANSWER_WOKEN);
}

int shims_answer_chosen(struct shims_place from, const volatile void *at,
                        int result)
{
    return tell(from, at, result, ANSWER_CHOSEN);
}

int shims_answer_failed(struct shims_place from, const volatile void *at,
                        size_t size, int error)
{
    scheduler_looked(at, size);
    return answer(from, at, error);
}

int shims_answer_errno(struct shims_place from, const volatile void *at,
                       int error)
{
    answer(from, at, error);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

/* ---- complaints ---- */

void shims_unmodelled(struct shims_place from, const char *what)
{
    scheduler_fail(FAULT_UNMODELLED, from.pc, NULL, "%s: %s", from.name, what);
}

void shims_misuse(struct shims_place from, const volatile void *at,
                  const char *what)
{
    scheduler_fail(FAULT_MISUSE, from.pc, unqualified(at), "%s: %s", from.name,
                   what);
}

void shims_need(struct shims_place from, const volatile void *at, size_t size)
{
    if (!at)
        scheduler_fail(FAULT_CRASH, from.pc, NULL, "%s of NULL", from.name);
    switch (memory_heap_access(unqualified(at), size)) {
    case HEAP_GOOD:
        return;
    case HEAP_FREED:
        scheduler_fail(FAULT_FREED, from.pc, unqualified(at),
                       "%s in freed memory", from.name);
    case HEAP_OUTSIDE:
        scheduler_fail(FAULT_OVERFLOW, from.pc, unqualified(at),
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
    if (memory_image_has(unqualified(at)) || memory_heap_has(unqualified(at)))
        return false;
    for (unsigned t = 0; t < scheduler_adapter_threads(); t++)
        if ((scheduler_adapter_stack(t, &begin, &size) &&
             is_within(at, begin, size)) ||
            (scheduler_adapter_locals(t, &begin, &size) &&
             is_within(at, begin, size)))
            return false;
    return true;
}

/* What somebody waits for in a block that may be freed meanwhile: then he goes
 * on, and is told. */
struct wait {
    const void *at;
    size_t size;
    scheduler_condition *ready;
    const void *what;
};

static bool is_ready_or_gone(const void *wait)
{
    const struct wait *const w = wait;
    return memory_heap_access(w->at, w->size) != HEAP_GOOD || w->ready(w->what);
}

/* Whoever frees it must be ordered behind. */
static void used(struct shims_place from, const volatile void *at, size_t size)
{
    const size_t word = sizeof(uint64_t);
    hooks_races_after_atomic(from.pc, unqualified(at),
                             size < word ? size : word, true, true,
                             __ATOMIC_RELAXED);
}

static void event_on(struct shims_place from, const volatile void *at,
                     size_t size, enum plumb_strategies_event_kind kind,
                     scheduler_condition *ready, const void *what)
{
    scheduler_use(from.pc, unqualified(at));
    shims_need(from, at, size);
    if (is_of_library(at) && (!ready || ready(what)))
        return;
    const struct wait w = { unqualified(at), size, ready, what };
    if (ready && memory_heap_has(unqualified(at)))
        scheduler_sync(from.pc, unqualified(at), kind, is_ready_or_gone, &w);
    else
        scheduler_sync(from.pc, unqualified(at), kind, ready, what);
    shims_need(from, at, size);
    used(from, at, size);
}

void shims_sync_on(struct shims_place from, const volatile void *at,
                   size_t size, scheduler_condition *ready, const void *what)
{
    event_on(from, at, size, PLUMB_EVENT_SYNC, ready, what);
}

void shims_lock_on(struct shims_place from, const volatile void *at,
                   size_t size, scheduler_condition *ready, const void *what)
{
    event_on(from, at, size, PLUMB_EVENT_LOCK, ready, what);
}

void shims_unlock_on(struct shims_place from, const volatile void *at,
                     size_t size)
{
    event_on(from, at, size, PLUMB_EVENT_UNLOCK, NULL, NULL);
}

/* Some centuries from the beginning of our time: nobody waits for that. */
static bool never_comes(const struct timespec *limit)
{
    return limit->tv_sec > INT64_C(15000000000);
}

bool shims_sync_until(struct shims_place from, const volatile void *at,
                      size_t size, scheduler_condition *ready, const void *what,
                      const struct timespec *limit)
{
    if (!limit || never_comes(limit)) {
        shims_sync_on(from, at, size, ready, what);
        return true;
    }
    scheduler_use(from.pc, unqualified(at));
    shims_need(from, at, size);
    const bool held =
        scheduler_sync_timed(from.pc, unqualified(at), ready, what);
    shims_need(from, at, size);
    used(from, at, size);
    if (!held)
        shims_time_reached(limit);
    return held;
}

/* ---- what orders ---- */

void shims_acquired(const volatile void *at)
{
    if (races_on)
        races_acquire(scheduler_self(), unqualified(at));
}

void shims_released(const volatile void *at)
{
    if (races_on)
        races_release(scheduler_self(), unqualified(at));
}
