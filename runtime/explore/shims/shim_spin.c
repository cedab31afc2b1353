/* shim_spin.c - spin locks, which wait here as other locks do.
 *
 * glibc's free lock is 0 or 1, as the machine likes it; a held one has the
 * thread, behind those.  One that was destroyed looks free, and says so to who
 * takes it. */
#include "real.h"
#include "shims.h"

#include <errno.h>

enum { DESTROYED = -1, FREE = 1 };

static int mine(void)
{
    return FREE + (int)shims_self_mark();
}

static bool is_free(const void *lock)
{
    return *(const int *)lock <= FREE;
}

static bool is_open(const pthread_spinlock_t *l)
{
    return *l <= FREE;
}

static void check(struct shims_place from, pthread_spinlock_t *l)
{
    shims_need(from, l, sizeof *l);
    if (*l == DESTROYED)
        shims_misuse(from, l, "the lock was destroyed");
}

static int take(struct shims_place from, pthread_spinlock_t *l)
{
    check(from, l);
    *l = mine();
    shims_acquired(l);
    return answer(from, l, 0);
}

int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
    if (!scheduler_inside)
        return REAL(pthread_spin_init)(l, shared);
    shims_need(PLACE, l, sizeof *l);
    *l = FREE;
    return answer(PLACE, l, 0);
}

int pthread_spin_destroy(pthread_spinlock_t *l)
{
    if (!scheduler_inside)
        return REAL(pthread_spin_destroy)(l);
    shims_sync_on(PLACE, l, sizeof *l, NULL, NULL);
    if (!is_open(l))
        shims_misuse(PLACE, l, "the lock is held");
    check(PLACE, l);
    *l = DESTROYED;
    return answer(PLACE, l, 0);
}

int pthread_spin_lock(pthread_spinlock_t *l)
{
    if (!scheduler_inside)
        return REAL(pthread_spin_lock)(l);
    shims_lock_on(PLACE, l, sizeof *l, is_free, (const void *)(uintptr_t)l);
    return take(PLACE, l);
}

int pthread_spin_trylock(pthread_spinlock_t *l)
{
    if (!scheduler_inside)
        return REAL(pthread_spin_trylock)(l);
    shims_sync_on(PLACE, l, sizeof *l, NULL, NULL);
    return is_open(l) ? take(PLACE, l)
                      : shims_answer_failed(PLACE, l, sizeof *l, EBUSY);
}

int pthread_spin_unlock(pthread_spinlock_t *l)
{
    if (!scheduler_inside)
        return REAL(pthread_spin_unlock)(l);
    check(PLACE, l);
    if (*l != mine())
        shims_misuse(PLACE, l, "the thread does not hold the lock");
    shims_unlock_on(PLACE, l, sizeof *l);
    shims_released(l);
    *l = FREE;
    return answer(PLACE, l, 0);
}
