/* fake_stage.c - a stage that lets every thread go on at once.
 *
 * It is enough to run a hooked program that has one thread at a time: those it
 * starts run to their end while they are started. */
#include "runtime/explore/hooks/weak_orders.h"
#include "runtime/explore/job/trace.h"
#include "runtime/explore/races/race_log.h"
#include "runtime/explore/races/races.h"
#include "runtime/explore/scheduler/scheduler.h"

#include <pthread.h>

bool scheduler_inside = true, scheduler_tidy;
bool races_on;
struct job_trace *target_trace;

unsigned scheduler_running;
struct race_log race_log;

uintptr_t scheduler_caller_stack;

void scheduler_access(const void *pc, const volatile void *at, uint32_t size,
                      enum plumb_strategies_event_kind kind)
{
    (void)pc, (void)at, (void)size, (void)kind;
}

void scheduler_failed(void)
{
}

void scheduler_plain(const void *pc, const void *at, size_t size, bool writes)
{
    (void)pc, (void)at, (void)size, (void)writes;
}

/* A copy is a write and a read, as far as hooks go. */
void scheduler_copy_to(const void *pc, const void *at, size_t size)
{
    scheduler_plain(pc, at, size, true);
}

void scheduler_copy_from(const void *pc, const void *at, size_t size,
                         bool surely)
{
    (void)surely;
    scheduler_plain(pc, at, size, false);
}

void scheduler_race(const struct race *race)
{
    (void)race;
}

void target_trace_enters(uintptr_t stack)
{
    (void)stack;
}

void target_trace_leaves(void)
{
}

struct job_trace_record *target_trace_add(enum job_trace_kind kind,
                                          const void *pc,
                                          const volatile void *at,
                                          uint32_t size)
{
    (void)kind, (void)pc, (void)at, (void)size;
    return NULL;
}

/* Nobody looks for races. */
const void *hooks_weak_orders_known[WEAK_ORDERS_KNOWN];
const void *hooks_weak_orders_met[WEAK_ORDERS_MET];
unsigned hooks_weak_orders_meeting;

bool races_atomic(unsigned thread, const void *pc, const void *at, size_t size,
                  bool reads, bool writes, int order, struct race *race)
{
    (void)thread, (void)pc, (void)at, (void)size;
    (void)reads, (void)writes, (void)order, (void)race;
    return false;
}

void races_fence(unsigned thread, int order)
{
    (void)thread, (void)order;
}

void races_acquire(unsigned thread, const void *object)
{
    (void)thread, (void)object;
}

void races_release(unsigned thread, const void *object)
{
    (void)thread, (void)object;
}

/* ---- threads ---- */

int pthread_create(pthread_t *restrict thread,
                   const pthread_attr_t *restrict attributes,
                   void *work(void *), void *restrict argument)
{
    (void)attributes;
    *thread = pthread_self();
    (void)work(argument);
    return 0;
}

int pthread_join(pthread_t thread, void **result)
{
    (void)thread;
    if (result)
        *result = NULL;
    return 0;
}
