/* shim_c11.c - the threads of C11, made of the same models.
 *
 * In glibc a mtx_t is a mutex, a cnd_t a condition and a thrd_t a pthread_t,
 * and so they are here. */
#include "real.h"
#include "shims.h"

#include <errno.h>
#include <threads.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) &&
                   sizeof(cnd_t) == sizeof(pthread_cond_t),
               "glibc's C11 threads are its POSIX threads");

static pthread_mutex_t *mutex_of(mtx_t *m)
{
    return (pthread_mutex_t *)(void *)m;
}

static pthread_cond_t *condition_of(cnd_t *c)
{
    return (pthread_cond_t *)(void *)c;
}

static int result_of(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

/* ---- mutexes ---- */

int mtx_init(mtx_t *m, int type)
{
    if (!scheduler_inside)
        return REAL(mtx_init)(m, type);
    if (type & ~(mtx_recursive | mtx_timed))
        return thrd_error;
    return result_of(shims_mutex_init(
        PLACE, mutex_of(m),
        type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL));
}

void mtx_destroy(mtx_t *m)
{
    if (scheduler_inside)
        shims_mutex_destroy(PLACE, mutex_of(m));
    else
        REAL(mtx_destroy)(m);
}

SHIM(int mtx_lock(mtx_t *m), mtx_lock, (m),
     result_of(shims_mutex_lock(PLACE, mutex_of(m))))
SHIM(int mtx_trylock(mtx_t *m), mtx_trylock, (m),
     result_of(shims_mutex_trylock(PLACE, mutex_of(m))))
SHIM(int mtx_timedlock(mtx_t *restrict m,
                       const struct timespec *restrict limit),
     mtx_timedlock, (m, limit),
     result_of(shims_mutex_lock_until(PLACE, mutex_of(m), limit)))
SHIM(int mtx_unlock(mtx_t *m), mtx_unlock, (m),
     result_of(shims_mutex_unlock(PLACE, mutex_of(m))))

/* ---- conditions ---- */

SHIM(int cnd_init(cnd_t *c), cnd_init, (c),
     result_of(shims_condition_init(PLACE, condition_of(c))))

void cnd_destroy(cnd_t *c)
{
    if (scheduler_inside)
        shims_condition_destroy(PLACE, condition_of(c));
    else
        REAL(cnd_destroy)(c);
}

SHIM(int cnd_wait(cnd_t *c, mtx_t *m), cnd_wait, (c, m),
     result_of(shims_condition_wait(PLACE, condition_of(c), mutex_of(m), NULL)))

SHIM(int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m,
                       const struct timespec *restrict limit),
     cnd_timedwait, (c, m, limit),
     result_of(shims_condition_wait(PLACE, condition_of(c), mutex_of(m),
                                    limit)))

SHIM(int cnd_signal(cnd_t *c), cnd_signal, (c),
     result_of(shims_condition_signal(PLACE, condition_of(c))))
SHIM(int cnd_broadcast(cnd_t *c), cnd_broadcast, (c),
     result_of(shims_condition_broadcast(PLACE, condition_of(c))))

/* ---- threads ----
 *
 * They return an int where others return a pointer; glibc passes the one for
 * the other in the same register, but we call it as what it is. */

SHIM(int thrd_create(thrd_t *made, thrd_start_t run, void *argument),
     thrd_create, (made, run, argument),
     result_of(shims_thread_create_c11(PLACE, made, run, argument)))

int thrd_join(thrd_t who, int *result)
{
    void *value = NULL;
    if (!scheduler_inside)
        return REAL(thrd_join)(who, result);
    const int error = shims_thread_join(PLACE, who, &value);
    if (!error && result)
        *result = (int)(intptr_t)value;
    return result_of(error);
}

SHIM(int thrd_detach(thrd_t who), thrd_detach, (who),
     result_of(shims_thread_detach(PLACE, who)))

void thrd_exit(int result)
{
    if (!scheduler_inside) {
        void (*real)(int);
        *(void **)&real = dlsym(RTLD_NEXT, "thrd_exit");
        real(result);
    }
    shims_thread_exit(PLACE, (void *)(intptr_t)result);
}

/* ---- keys ---- */

int tss_create(tss_t *key, tss_dtor_t destroy)
{
    return result_of(shims_key_create(PLACE, key, destroy));
}

void tss_delete(tss_t key)
{
    shims_key_delete(PLACE, key);
}

void *tss_get(tss_t key)
{
    return shims_key_get(key);
}

int tss_set(tss_t key, void *value)
{
    return result_of(shims_key_set(PLACE, key, (uintptr_t)value));
}
