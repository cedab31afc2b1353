/* shim_mutex.c - mutexes: normal, recursive and checking ones.
 *
 * glibc's own fields: __owner is the thread that holds it, __count how often,
 * __kind as in static initialisers.  To lock again what one holds is nobody
 * else's business, and so no event: whether a thread holds a mutex is changed
 * by that thread alone. */
#include "real.h"
#include "shims.h"

#include <errno.h>
#include <limits.h>

/* __kind: the type in the low bits, then flags. */
enum {
    KIND_TYPE = 3,
    KIND_ROBUST = 16,
    KIND_INHERIT = 32,
    KIND_PROTECT = 64,
    KIND_DESTROYED = -1
};

static int type_of(const pthread_mutex_t *m)
{
    return m->__data.__kind & KIND_TYPE;
}

static bool is_plain(const pthread_mutex_t *m)
{
    const int type = type_of(m);
    return type == PTHREAD_MUTEX_NORMAL || type == PTHREAD_MUTEX_ADAPTIVE_NP;
}

static bool is_free(const void *mutex)
{
    const pthread_mutex_t *const m = mutex;
    return m->__data.__owner == 0;
}

bool shims_mutex_is_mine(const pthread_mutex_t *m)
{
    return m->__data.__owner == (int)shims_self_mark();
}

unsigned shims_mutex_depth(const pthread_mutex_t *m)
{
    return m->__data.__count;
}

static void check_kind(struct shims_place from, const pthread_mutex_t *m)
{
    shims_need(from, m, sizeof *m);
    const int kind = m->__data.__kind;
    if (kind == KIND_DESTROYED)
        shims_misuse(from, m, "the mutex was destroyed");
    if (kind & KIND_ROBUST)
        shims_unmodelled(from, "robust mutexes");
    if (kind & (KIND_INHERIT | KIND_PROTECT))
        shims_unmodelled(from, "mutexes with a priority protocol");
}

int shims_mutex_init(struct shims_place from, pthread_mutex_t *m, int kind)
{
    shims_need(from, m, sizeof *m);
    *m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    m->__data.__kind = kind;
    check_kind(from, m);
    return answer(from, m, 0);
}

int shims_mutex_destroy(struct shims_place from, pthread_mutex_t *m)
{
    check_kind(from, m);
    shims_sync_on(from, m, sizeof *m, NULL, NULL);
    if (!is_free(m))
        return answer(from, m, EBUSY);
    m->__data.__kind = KIND_DESTROYED;
    return answer(from, m, 0);
}

/* It may have been destroyed before it came to that. */
static int take(struct shims_place from, pthread_mutex_t *m)
{
    check_kind(from, m);
    m->__data.__owner = (int)shims_self_mark();
    m->__data.__count = 1;
    shims_acquired(m);
    return answer(from, m, 0);
}

static int take_again(struct shims_place from, pthread_mutex_t *m)
{
    if (m->__data.__count == UINT_MAX)
        return answer(from, m, EAGAIN);
    m->__data.__count++;
    return answer(from, m, 0);
}

int shims_mutex_lock(struct shims_place from, pthread_mutex_t *m)
{
    check_kind(from, m);
    if (shims_mutex_is_mine(m) && type_of(m) == PTHREAD_MUTEX_RECURSIVE)
        return take_again(from, m);
    if (shims_mutex_is_mine(m) && type_of(m) == PTHREAD_MUTEX_ERRORCHECK)
        return answer(from, m, EDEADLK);
    shims_lock_on(from, m, sizeof *m, is_free, m);
    return take(from, m);
}

int shims_mutex_trylock(struct shims_place from, pthread_mutex_t *m)
{
    check_kind(from, m);
    if (shims_mutex_is_mine(m))
        return type_of(m) == PTHREAD_MUTEX_RECURSIVE ? take_again(from, m)
                                                     : answer(from, m, EBUSY);
    shims_sync_on(from, m, sizeof *m, NULL, NULL);
    return is_free(m) ? take(from, m)
                      : shims_answer_failed(from, m, sizeof *m, EBUSY);
}

/* A time that is none only matters to one who would have to wait. */
int shims_mutex_lock_until(struct shims_place from, pthread_mutex_t *m,
                           const struct timespec *limit)
{
    check_kind(from, m);
    if (shims_mutex_is_mine(m) && !is_plain(m))
        return type_of(m) == PTHREAD_MUTEX_RECURSIVE ? take_again(from, m)
                                                     : answer(from, m, EDEADLK);
    if (!shims_time_is_valid(limit)) {
        shims_sync_on(from, m, sizeof *m, NULL, NULL);
        return is_free(m) ? take(from, m) : answer(from, m, EINVAL);
    }
    if (!shims_sync_until(from, m, sizeof *m, is_free, m, limit))
        return shims_answer_failed(from, m, sizeof *m, ETIMEDOUT);
    return take(from, m);
}

int shims_mutex_unlock(struct shims_place from, pthread_mutex_t *m)
{
    check_kind(from, m);
    if (!shims_mutex_is_mine(m)) {
        if (is_plain(m))
            shims_misuse(from, m, "the thread does not hold the mutex");
        return answer(from, m, EPERM);
    }
    if (m->__data.__count > 1) {
        m->__data.__count--;
        return answer(from, m, 0);
    }
    shims_unlock_on(from, m, sizeof *m);
    shims_released(m);
    m->__data.__owner = 0;
    m->__data.__count = 0;
    return answer(from, m, 0);
}

/* ---- under their names ---- */

static int kind_of(const pthread_mutexattr_t *attributes)
{
    int type, robust, protocol;
    pthread_mutexattr_gettype(attributes, &type);
    pthread_mutexattr_getrobust(attributes, &robust);
    pthread_mutexattr_getprotocol(attributes, &protocol);
    return type | (robust == PTHREAD_MUTEX_ROBUST ? KIND_ROBUST : 0) |
           (protocol == PTHREAD_PRIO_INHERIT ? KIND_INHERIT : 0) |
           (protocol == PTHREAD_PRIO_PROTECT ? KIND_PROTECT : 0);
}

SHIM(int pthread_mutex_init(pthread_mutex_t *m,
                            const pthread_mutexattr_t *attributes),
     pthread_mutex_init, (m, attributes),
     shims_mutex_init(PLACE, m, attributes ? kind_of(attributes) : 0))
SHIM(int pthread_mutex_destroy(pthread_mutex_t *m), pthread_mutex_destroy, (m),
     shims_mutex_destroy(PLACE, m))
SHIM(int pthread_mutex_lock(pthread_mutex_t *m), pthread_mutex_lock, (m),
     shims_mutex_lock(PLACE, m))
SHIM(int pthread_mutex_trylock(pthread_mutex_t *m), pthread_mutex_trylock, (m),
     shims_mutex_trylock(PLACE, m))
SHIM(int pthread_mutex_timedlock(pthread_mutex_t *m,
                                 const struct timespec *limit),
     pthread_mutex_timedlock, (m, limit),
     shims_mutex_lock_until(PLACE, m, limit))
SHIM(int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
                                 const struct timespec *limit),
     pthread_mutex_clocklock, (m, clock, limit),
     shims_clock_is_known(clock) ? shims_mutex_lock_until(PLACE, m, limit)
                                 : answer(PLACE, m, EINVAL))
SHIM(int pthread_mutex_unlock(pthread_mutex_t *m), pthread_mutex_unlock, (m),
     shims_mutex_unlock(PLACE, m))
UNMODELLED(int pthread_mutex_consistent(pthread_mutex_t *m),
           pthread_mutex_consistent, (m), "robust mutexes")
