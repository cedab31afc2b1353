// explore: --test 'inc() | inc()' --final 'get()'
// expect: no violation
// explore: --test 'inc() | inc()' --final 'get()' --strategy dfs -- -DTICKET
// expect: no violation
// explore: --test 'inc() | inc()' --final 'get()' --strategy dpor -- -DMCS
// expect: no violation
// explore: --test 'inc() | inc()' --final 'get()' --strategy dpor -- -DOPEN
// expect: not linearizable
// explore: --test 'inc() | inc()' --strategy dpor --preemptions all -- -DKEPT
// expect: livelock

/* A counter behind a lock that is waited for by trying again: one of many, all
 * of which end only if loops that wait are pruned.  OPEN locks nothing; KEPT
 * keeps the lock. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <plumb/object.h>

struct place {
    struct place *_Atomic behind;
    atomic_bool waits;
};

#if defined(TICKET)
static atomic_uint next, served;

static void enter(struct place *unused)
{
    (void)unused;
    const unsigned ticket = atomic_fetch_add(&next, 1);
    while (atomic_load(&served) != ticket)
        ;
}

static void leave(struct place *unused)
{
    (void)unused;
    atomic_fetch_add(&served, 1);
}
#elif defined(MCS) /* places are on the stacks of their threads */
static struct place *_Atomic last;

static void enter(struct place *p)
{
    atomic_store(&p->behind, NULL);
    atomic_store(&p->waits, true);
    struct place *const before = atomic_exchange(&last, p);
    if (!before)
        return;
    atomic_store(&before->behind, p);
    while (atomic_load(&p->waits))
        ;
}

static void leave(struct place *p)
{
    struct place *self = p;
    if (!atomic_load(&p->behind) &&
        atomic_compare_exchange_strong(&last, &self, NULL))
        return;
    while (!atomic_load(&p->behind))
        ;
    atomic_store(&atomic_load(&p->behind)->waits, false);
}
#elif defined(TRY_MUTEX)
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void enter(struct place *unused)
{
    (void)unused;
    while (pthread_mutex_trylock(&mutex))
        sched_yield();
}

static void leave(struct place *unused)
{
    (void)unused;
    pthread_mutex_unlock(&mutex);
}
#elif defined(TRY_SEMAPHORE)
static sem_t semaphore;
#define SETUP sem_init(&semaphore, 0, 1)

static void enter(struct place *unused)
{
    (void)unused;
    while (sem_trywait(&semaphore))
        ;
}

static void leave(struct place *unused)
{
    (void)unused;
    sem_post(&semaphore);
}
#elif defined(TWO_FLAGS) /* Peterson's, with a turn of its own for each pair */
static atomic_bool wants[2];
static atomic_uint turn, names;
static _Thread_local unsigned name;

static void enter(struct place *unused)
{
    (void)unused;
    name = atomic_fetch_add(&names, 1) % 2;
    atomic_store(&wants[name], true);
    atomic_store(&turn, 1 - name);
    while (atomic_load(&wants[1 - name]) && atomic_load(&turn) == 1 - name)
        ;
}

static void leave(struct place *unused)
{
    (void)unused;
    atomic_store(&wants[name], false);
}
#else
static atomic_uint held;

static bool take(void)
{
#if defined(OPEN)
    return true;
#elif defined(SWAP)
    unsigned free = 0;
    return atomic_compare_exchange_strong(&held, &free, 1);
#elif defined(LOOK_FIRST)
    return !atomic_load(&held) && !atomic_exchange(&held, 1);
#else
    return !atomic_exchange(&held, 1);
#endif
}

static void enter(struct place *unused)
{
    (void)unused;
    while (!take())
#ifdef POLITE
        sched_yield();
#else
        ;
#endif
}

static void leave(struct place *unused)
{
    (void)unused;
#ifndef KEPT
    atomic_store(&held, 0);
#endif
}
#endif

static _Atomic int64_t count;

static void setup(void)
{
#ifdef SETUP
    SETUP;
#endif
}

/* The load and the store are two steps, and the lock makes them one. */
static void inc(plumb_invocation *i)
{
    struct place place;
    (void)i;
    enter(&place);
    const int64_t before = atomic_load(&count);
    atomic_store(&count, before + 1);
    leave(&place);
}

static void get(plumb_invocation *i)
{
    plumb_return(i, atomic_load(&count));
}

PLUMB_OBJECT(.name = "spin_locks", .spec = "counter", .setup = setup,
             .operations = { { "inc", inc }, { "get", get } });
