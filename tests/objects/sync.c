/* sync.c - what an object calls to lock, wait, pause and allocate.
 *
 * The linker gives calls of f in the object to __wrap_f (build.sh has the
 * list).  A lock is modelled in the first bytes of its own memory, which the
 * static initialisers fill with zeros; so it is restored with the rest of the
 * object.  All kinds of mutexes but the recursive are treated as normal. */
#include "scheduler.h"
#include "test_heap.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#define HERE __builtin_return_address(0)

#define MODEL(type, name, ...)                                                 \
    type __wrap_##name(__VA_ARGS__);                                           \
    type __wrap_##name(__VA_ARGS__)

/* ---- mutexes ---- */

struct mutex {
    uint32_t holder; /* sched_self(), or 0 */
    uint32_t depth;
    uint32_t recursive;
};

static bool mutex_is_free(void *m)
{
    return ((const struct mutex *)m)->holder == 0;
}

static void mutex_init(void *m, bool recursive)
{
    *(struct mutex *)m = (struct mutex){ .recursive = recursive };
}

static int mutex_lock(const void *where, void *mutex)
{
    struct mutex *const m = mutex;
    if (m->holder == sched_self() && m->recursive) {
        sched_point(where, m);
        m->depth++;
        return 0;
    }
    sched_wait(where, mutex_is_free, m);
    m->holder = sched_self();
    m->depth = 1;
    sched_progress();
    return 0;
}

static int mutex_trylock(const void *where, void *mutex)
{
    struct mutex *const m = mutex;
    sched_point(where, m);
    if (m->holder && !(m->holder == sched_self() && m->recursive))
        return EBUSY;
    m->holder = sched_self();
    m->depth++;
    sched_progress();
    return 0;
}

static int mutex_unlock(const void *where, void *mutex)
{
    struct mutex *const m = mutex;
    sched_point(where, m);
    if (m->holder != sched_self())
        sched_misuse("a mutex is unlocked by who does not hold it");
    if (--m->depth == 0)
        m->holder = 0;
    sched_progress();
    return 0;
}

MODEL(int, pthread_mutex_init, pthread_mutex_t *m, const pthread_mutexattr_t *a)
{
    int type = PTHREAD_MUTEX_NORMAL;
    if (a)
        pthread_mutexattr_gettype(a, &type);
    mutex_init(m, type == PTHREAD_MUTEX_RECURSIVE);
    return 0;
}

MODEL(int, pthread_mutex_destroy, pthread_mutex_t *m)
{
    return mutex_is_free(m) ? 0 : EBUSY;
}

MODEL(int, pthread_mutex_lock, pthread_mutex_t *m)
{
    return mutex_lock(HERE, m);
}

MODEL(int, pthread_mutex_trylock, pthread_mutex_t *m)
{
    return mutex_trylock(HERE, m);
}

MODEL(int, pthread_mutex_unlock, pthread_mutex_t *m)
{
    return mutex_unlock(HERE, m);
}

MODEL(int, mtx_init, mtx_t *m, int type)
{
    mutex_init(m, (type & mtx_recursive) != 0);
    return thrd_success;
}

MODEL(void, mtx_destroy, mtx_t *m)
{
    (void)m;
}

MODEL(int, mtx_lock, mtx_t *m)
{
    mutex_lock(HERE, m);
    return thrd_success;
}

MODEL(int, mtx_trylock, mtx_t *m)
{
    return mutex_trylock(HERE, m) ? thrd_busy : thrd_success;
}

MODEL(int, mtx_unlock, mtx_t *m)
{
    mutex_unlock(HERE, m);
    return thrd_success;
}

/* ---- condition variables ----
 *
 * Those who wait have a place in a list; to be taken off it is the signal.
 * Which one a signal wakes is a choice.  Nobody wakes up for no reason. */

struct condition {
    uint32_t waiting;
    uint8_t who[MAX_PROCESSES + 2];
};

struct waiting {
    const struct condition *at;
    unsigned who;
};

static bool was_signalled(void *waiting)
{
    const struct waiting *const w = waiting;
    for (uint32_t i = 0; i < w->at->waiting; i++)
        if (w->at->who[i] == w->who)
            return false;
    return true;
}

static int condition_wait(const void *where, void *condition, void *mutex)
{
    struct condition *const c = condition;
    struct waiting w = { c, sched_self() };
    mutex_unlock(where, mutex);
    c->who[c->waiting++] = (uint8_t)w.who;
    sched_wait(where, was_signalled, &w);
    return mutex_lock(where, mutex);
}

static int condition_signal(const void *where, void *condition)
{
    struct condition *const c = condition;
    sched_point(where, c);
    if (!c->waiting)
        return 0;
    const unsigned i = sched_choose(c->waiting);
    c->who[i] = c->who[--c->waiting];
    sched_progress();
    return 0;
}

static int condition_broadcast(const void *where, void *condition)
{
    struct condition *const c = condition;
    sched_point(where, c);
    if (c->waiting)
        sched_progress();
    c->waiting = 0;
    return 0;
}

MODEL(int, pthread_cond_init, pthread_cond_t *c, const pthread_condattr_t *a)
{
    (void)a;
    memset(c, 0, sizeof *c);
    return 0;
}

MODEL(int, pthread_cond_destroy, pthread_cond_t *c)
{
    (void)c;
    return 0;
}

MODEL(int, pthread_cond_wait, pthread_cond_t *c, pthread_mutex_t *m)
{
    return condition_wait(HERE, c, m);
}

MODEL(int, pthread_cond_signal, pthread_cond_t *c)
{
    return condition_signal(HERE, c);
}

MODEL(int, pthread_cond_broadcast, pthread_cond_t *c)
{
    return condition_broadcast(HERE, c);
}

MODEL(int, cnd_init, cnd_t *c)
{
    memset(c, 0, sizeof *c);
    return thrd_success;
}

MODEL(void, cnd_destroy, cnd_t *c)
{
    (void)c;
}

MODEL(int, cnd_wait, cnd_t *c, mtx_t *m)
{
    condition_wait(HERE, c, m);
    return thrd_success;
}

MODEL(int, cnd_signal, cnd_t *c)
{
    condition_signal(HERE, c);
    return thrd_success;
}

MODEL(int, cnd_broadcast, cnd_t *c)
{
    condition_broadcast(HERE, c);
    return thrd_success;
}

/* ---- locks for readers and writers ---- */

struct rwlock {
    uint32_t writer, readers;
};

static bool can_read(void *l)
{
    return ((const struct rwlock *)l)->writer == 0;
}

static bool can_write(void *l)
{
    const struct rwlock *const lock = l;
    return lock->writer == 0 && lock->readers == 0;
}

MODEL(int, pthread_rwlock_init, pthread_rwlock_t *l,
      const pthread_rwlockattr_t *a)
{
    (void)a;
    memset(l, 0, sizeof *l);
    return 0;
}

MODEL(int, pthread_rwlock_destroy, pthread_rwlock_t *l)
{
    return can_write(l) ? 0 : EBUSY;
}

MODEL(int, pthread_rwlock_rdlock, pthread_rwlock_t *l)
{
    sched_wait(HERE, can_read, l);
    ((struct rwlock *)(void *)l)->readers++;
    sched_progress();
    return 0;
}

MODEL(int, pthread_rwlock_wrlock, pthread_rwlock_t *l)
{
    sched_wait(HERE, can_write, l);
    ((struct rwlock *)(void *)l)->writer = sched_self();
    sched_progress();
    return 0;
}

MODEL(int, pthread_rwlock_unlock, pthread_rwlock_t *l)
{
    struct rwlock *const lock = (void *)l;
    sched_point(HERE, l);
    if (lock->writer == sched_self())
        lock->writer = 0;
    else if (lock->readers)
        lock->readers--;
    else
        sched_misuse("a lock is unlocked by who does not hold it");
    sched_progress();
    return 0;
}

/* ---- spin locks: blocking ones, as far as schedules go ---- */

static bool spin_is_free(void *l)
{
    return *(const int *)l == 0;
}

MODEL(int, pthread_spin_init, pthread_spinlock_t *l, int shared)
{
    (void)shared;
    *l = 0;
    return 0;
}

MODEL(int, pthread_spin_destroy, pthread_spinlock_t *l)
{
    return *l ? EBUSY : 0;
}

static int take_spin(volatile int *l)
{
    *l = 1;
    sched_progress();
    return 0;
}

MODEL(int, pthread_spin_lock, pthread_spinlock_t *l)
{
    sched_wait(HERE, spin_is_free, (void *)(uintptr_t)l);
    return take_spin(l);
}

MODEL(int, pthread_spin_trylock, pthread_spinlock_t *l)
{
    sched_point(HERE, (const void *)(uintptr_t)l);
    return *l ? EBUSY : take_spin(l);
}

MODEL(int, pthread_spin_unlock, pthread_spinlock_t *l)
{
    sched_point(HERE, (const void *)(uintptr_t)l);
    *l = 0;
    sched_progress();
    return 0;
}

/* ---- semaphores ---- */

static bool is_positive(void *s)
{
    return *(const unsigned *)s > 0;
}

MODEL(int, sem_init, sem_t *s, int shared, unsigned value)
{
    (void)shared;
    *(unsigned *)(void *)s = value;
    return 0;
}

MODEL(int, sem_destroy, sem_t *s)
{
    (void)s;
    return 0;
}

static int take_semaphore(void *s)
{
    --*(unsigned *)s;
    sched_progress();
    return 0;
}

MODEL(int, sem_wait, sem_t *s)
{
    sched_wait(HERE, is_positive, s);
    return take_semaphore(s);
}

MODEL(int, sem_trywait, sem_t *s)
{
    sched_point(HERE, s);
    if (is_positive(s))
        return take_semaphore(s);
    errno = EAGAIN;
    return -1;
}

MODEL(int, sem_post, sem_t *s)
{
    sched_point(HERE, s);
    ++*(unsigned *)(void *)s;
    sched_progress();
    return 0;
}

/* ---- pauses: as long as it takes the others ---- */

MODEL(int, sched_yield, void)
{
    sched_give_way(HERE);
    return 0;
}

MODEL(void, thrd_yield, void)
{
    sched_give_way(HERE);
}

MODEL(int, usleep, unsigned microseconds)
{
    (void)microseconds;
    sched_give_way(HERE);
    return 0;
}

MODEL(int, nanosleep, const struct timespec *wanted, struct timespec *left)
{
    (void)wanted, (void)left;
    sched_give_way(HERE);
    return 0;
}

MODEL(int, thrd_sleep, const struct timespec *wanted, struct timespec *left)
{
    (void)wanted, (void)left;
    sched_give_way(HERE);
    return 0;
}

/* ---- memory ---- */

MODEL(void *, malloc, size_t size)
{
    return test_heap_take(size, 1);
}

MODEL(void *, aligned_alloc, size_t alignment, size_t size)
{
    return test_heap_take(size, alignment);
}

MODEL(int, posix_memalign, void **block, size_t alignment, size_t size)
{
    *block = test_heap_take(size, alignment);
    return *block ? 0 : ENOMEM;
}

MODEL(void *, calloc, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    void *const block = test_heap_take(count * size, 1);
    return block ? memset(block, 0, count * size) : NULL;
}

MODEL(void, free, void *block)
{
    if (block && !test_heap_give(block))
        sched_misuse("what is freed is not allocated, or not any more");
}

MODEL(void *, realloc, void *block, size_t size)
{
    void *const new = test_heap_take(size, 1);
    if (!new || !block)
        return new;
    const size_t old = test_heap_size(block);
    memcpy(new, block, old < size ? old : size);
    __wrap_free(block);
    return new;
}

/* A copy of many bytes is one access to each of its ends. */
static void touch(const void *where, const void *address, size_t size)
{
    if (!size || sched_owns(address))
        return;
    sched_point(where, address);
    if (test_heap_is_dead(address, size))
        sched_dead_access(where);
}

MODEL(void *, memcpy, void *to, const void *from, size_t size)
{
    touch(HERE, from, size);
    touch(HERE, to, size);
    sched_progress();
    return memcpy(to, from, size);
}

MODEL(void *, memmove, void *to, const void *from, size_t size)
{
    touch(HERE, from, size);
    touch(HERE, to, size);
    sched_progress();
    return memmove(to, from, size);
}

MODEL(void *, memset, void *to, int byte, size_t size)
{
    touch(HERE, to, size);
    sched_progress();
    return memset(to, byte, size);
}
