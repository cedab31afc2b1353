/* shim_rwlock.c - locks for many readers or one writer.
 *
 * Whoever can have it may: neither readers nor writers come first.  Who reads
 * is not known, only how many.  One that was destroyed lets everybody in, who is
 * then told. */
#include "real.h"
#include "shims.h"

#include <errno.h>
#include <limits.h>

/* The beginning of pthread_rwlock_t; zeros in a new one. */
struct rwlock {
    uint32_t readers, writer;
};

static struct rwlock *model_of(pthread_rwlock_t *l)
{
    return (struct rwlock *)(void *)l;
}

#define DESTROYED UINT32_MAX /* the writer of no lock */

static bool can_read(const void *lock)
{
    const struct rwlock *const l = lock;
    return !l->writer || l->writer == DESTROYED;
}

static bool can_write(const void *lock)
{
    const struct rwlock *const l = lock;
    return !l->readers && can_read(l);
}

/* ---- reading and writing, which differ in little ---- */

struct purpose {
    scheduler_condition *ready;
    bool writes;
};
static const struct purpose reading = { can_read, false };
static const struct purpose writing = { can_write, true };

static void check(struct shims_place from, pthread_rwlock_t *l)
{
    if (model_of(l)->writer == DESTROYED)
        shims_misuse(from, l, "the lock was destroyed");
}

static int take(struct shims_place from, pthread_rwlock_t *l, struct purpose p)
{
    struct rwlock *const model = model_of(l);
    check(from, l);
    if (!p.writes && model->readers == UINT32_MAX)
        return answer(from, l, EAGAIN);
    if (p.writes)
        model->writer = shims_self_mark();
    else
        model->readers++;
    shims_acquired(l);
    return answer(from, l, 0);
}

static bool is_mine(struct shims_place from, pthread_rwlock_t *l)
{
    shims_need(from, l, sizeof *l);
    return model_of(l)->writer == shims_self_mark();
}

static int lock(struct shims_place from, pthread_rwlock_t *l, struct purpose p)
{
    if (is_mine(from, l))
        return answer(from, l, EDEADLK);
    shims_sync_on(from, l, sizeof *l, p.ready, l);
    return take(from, l, p);
}

static int try_lock(struct shims_place from, pthread_rwlock_t *l,
                    struct purpose p)
{
    if (is_mine(from, l))
        return answer(from, l, EBUSY);
    shims_sync_on(from, l, sizeof *l, NULL, NULL);
    return p.ready(l) ? take(from, l, p)
                      : shims_answer_failed(from, l, sizeof *l, EBUSY);
}

static int lock_until(struct shims_place from, pthread_rwlock_t *l,
                      struct purpose p, const struct timespec *limit)
{
    if (!shims_time_is_valid(limit))
        return answer(from, l, EINVAL);
    if (is_mine(from, l))
        return answer(from, l, EDEADLK);
    if (!shims_sync_until(from, l, sizeof *l, p.ready, l, limit))
        return shims_answer_failed(from, l, sizeof *l, ETIMEDOUT);
    return take(from, l, p);
}

static int unlock(struct shims_place from, pthread_rwlock_t *l)
{
    struct rwlock *const model = model_of(l);
    shims_sync_on(from, l, sizeof *l, NULL, NULL);
    check(from, l);
    shims_released(l);
    if (model->writer == shims_self_mark())
        model->writer = 0;
    else if (!model->writer && model->readers)
        model->readers--;
    else
        shims_misuse(from, l, "the thread does not hold the lock");
    return answer(from, l, 0);
}

/* ---- under their names ---- */

int pthread_rwlock_init(pthread_rwlock_t *l,
                        const pthread_rwlockattr_t *attributes)
{
    if (!scheduler_inside)
        return REAL(pthread_rwlock_init)(l, attributes);
    shims_need(PLACE, l, sizeof *l);
    *l = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    return answer(PLACE, l, 0);
}

int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
    if (!scheduler_inside)
        return REAL(pthread_rwlock_destroy)(l);
    shims_sync_on(PLACE, l, sizeof *l, NULL, NULL);
    check(PLACE, l);
    if (!can_write(l))
        shims_misuse(PLACE, l, "the lock is held");
    model_of(l)->writer = DESTROYED;
    return answer(PLACE, l, 0);
}

SHIM(int pthread_rwlock_rdlock(pthread_rwlock_t *l), pthread_rwlock_rdlock, (l),
     lock(PLACE, l, reading))
SHIM(int pthread_rwlock_wrlock(pthread_rwlock_t *l), pthread_rwlock_wrlock, (l),
     lock(PLACE, l, writing))
SHIM(int pthread_rwlock_tryrdlock(pthread_rwlock_t *l),
     pthread_rwlock_tryrdlock, (l), try_lock(PLACE, l, reading))
SHIM(int pthread_rwlock_trywrlock(pthread_rwlock_t *l),
     pthread_rwlock_trywrlock, (l), try_lock(PLACE, l, writing))
SHIM(int pthread_rwlock_timedrdlock(pthread_rwlock_t *l,
                                    const struct timespec *limit),
     pthread_rwlock_timedrdlock, (l, limit),
     lock_until(PLACE, l, reading, limit))
SHIM(int pthread_rwlock_timedwrlock(pthread_rwlock_t *l,
                                    const struct timespec *limit),
     pthread_rwlock_timedwrlock, (l, limit),
     lock_until(PLACE, l, writing, limit))
SHIM(int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
                                    const struct timespec *limit),
     pthread_rwlock_clockrdlock, (l, clock, limit),
     shims_clock_is_known(clock) ? lock_until(PLACE, l, reading, limit)
                                 : answer(PLACE, l, EINVAL))
SHIM(int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
                                    const struct timespec *limit),
     pthread_rwlock_clockwrlock, (l, clock, limit),
     shims_clock_is_known(clock) ? lock_until(PLACE, l, writing, limit)
                                 : answer(PLACE, l, EINVAL))
SHIM(int pthread_rwlock_unlock(pthread_rwlock_t *l), pthread_rwlock_unlock, (l),
     unlock(PLACE, l))
