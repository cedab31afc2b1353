/* event.h - an event that stays set until it is reset.
 *
 * ManualResetEventSlim of .NET 4.0, small.  `state` is one word: the highest
 * bit says that the event is set, the others count the threads that sleep until
 * it is.
 *
 * A thread that waits spins first.  Then it takes the lock and counts itself
 * among the sleepers, by a CAS from the state that it saw.  If the CAS
 * succeeds, the event is not set, and whoever sets it finds a sleeper and takes
 * the lock, too; that is possible only when the sleeper has fallen asleep.  So
 * the wake-up is not lost.
 *
 * wait_one is for those who want a handle of the operating system.  The handle
 * is made by the first who asks; setting the event looks for it after it has
 * written the state, waiting reads the state after it has made the handle; so
 * one of both sees the other.
 *
 * All operations take effect where they read or write the bit.
 *
 * FAULT_SECOND_READ (Line-Up, section 5.2.1, fault A): the new state is
 * computed from a second read of `state`.  If the event was set at that moment
 * and no longer is when the CAS comes, the CAS succeeds and sets the event
 * again, and the thread sleeps: the next to set the event finds it set already
 * and wakes nobody. */
#ifndef OBJECTS_LINEUP_EVENT_H
#define OBJECTS_LINEUP_EVENT_H

#include "../common/lock.h"

#include <stdatomic.h>

#define EVENT_SET 0x80000000u

struct event {
    atomic_uint state;
    pthread_mutex_t mutex;
    pthread_cond_t was_set;
    /* The handle.  Its lock and condition stand for a kernel object. */
    atomic_bool has_handle;
    pthread_mutex_t handle;
    pthread_cond_t handle_was_set;
};

static inline void event_init(struct event *e)
{
    atomic_store(&e->state, 0);
    atomic_store(&e->has_handle, false);
    pthread_mutex_init(&e->mutex, NULL);
    pthread_cond_init(&e->was_set, NULL);
    pthread_mutex_init(&e->handle, NULL);
    pthread_cond_init(&e->handle_was_set, NULL);
}

static inline void event_release(struct event *e)
{
    pthread_cond_destroy(&e->handle_was_set);
    pthread_mutex_destroy(&e->handle);
    pthread_cond_destroy(&e->was_set);
    pthread_mutex_destroy(&e->mutex);
}

static inline bool event_is_set(struct event *e)
{
    return atomic_load(&e->state) & EVENT_SET;
}

static inline void event_wake_handle(struct event *e)
{
    lock(&e->handle);
    pthread_cond_broadcast(&e->handle_was_set);
    unlock(&e->handle);
}

static inline void event_set(struct event *e)
{
    if (atomic_fetch_or(&e->state, EVENT_SET) & EVENT_SET)
        return;
    lock(&e->mutex);
    if (atomic_load(&e->state) & ~EVENT_SET)
        pthread_cond_broadcast(&e->was_set);
    unlock(&e->mutex);
    if (atomic_load(&e->has_handle))
        event_wake_handle(e);
}

static inline void event_reset(struct event *e)
{
    atomic_fetch_and(&e->state, ~EVENT_SET);
}

/* One sleeper more than in `seen`. */
static inline unsigned event_one_more(struct event *e, unsigned seen)
{
#ifdef FAULT_SECOND_READ
    (void)seen;
    return atomic_load(&e->state) + 1;
#else
    (void)e;
    return seen + 1;
#endif
}

/* With the lock, when this thread is counted. */
static inline void event_sleep(struct event *e)
{
    do
        pthread_cond_wait(&e->was_set, &e->mutex);
    while (!event_is_set(e));
    atomic_fetch_sub(&e->state, 1);
}

static inline void event_wait(struct event *e)
{
    bool slept = false;
    while (!slept) {
        unsigned seen = atomic_load(&e->state);
        if (seen & EVENT_SET)
            return;
        sched_yield(); /* spinning: it may be set soon */
        const unsigned next = event_one_more(e, seen);
        lock(&e->mutex);
        slept = atomic_compare_exchange_strong(&e->state, &seen, next);
        if (slept)
            event_sleep(e);
        else
            plumb_retry();
        unlock(&e->mutex);
    }
}

static inline void event_wait_one(struct event *e)
{
    atomic_store(&e->has_handle, true);
    lock(&e->handle);
    while (!event_is_set(e))
        pthread_cond_wait(&e->handle_was_set, &e->handle);
    unlock(&e->handle);
}

#endif
