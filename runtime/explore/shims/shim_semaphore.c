/* shim_semaphore.c - semaphores without a name.
 *
 * The value is in the first word, where glibc has it; a value that no semaphore
 * can have is of one that was destroyed. */
#include "real.h"
#include "shims.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#define DESTROYED UINT_MAX

static unsigned *value_of(sem_t *s)
{
    return (unsigned *)(void *)s;
}

static bool is_positive(const void *s)
{
    return *(const unsigned *)s > 0;
}

static void check(struct shims_place from, sem_t *s)
{
    if (*value_of(s) == DESTROYED)
        shims_misuse(from, s, "the semaphore was destroyed");
}

/* An event that waits for nothing. */
static void visit(struct shims_place from, sem_t *s)
{
    shims_sync_on(from, s, sizeof *s, NULL, NULL);
    check(from, s);
}

static int take(struct shims_place from, sem_t *s)
{
    check(from, s);
    --*value_of(s);
    shims_acquired(s);
    return shims_answer_errno(from, s, 0);
}

static int wait_until(struct shims_place from, sem_t *s,
                      const struct timespec *limit)
{
    if (!shims_time_is_valid(limit)) {
        visit(from, s);
        return is_positive(s) ? take(from, s)
                              : shims_answer_errno(from, s, EINVAL);
    }
    if (!shims_sync_until(from, s, sizeof *s, is_positive, s, limit)) {
        scheduler_looked(s, sizeof *s);
        return shims_answer_errno(from, s, ETIMEDOUT);
    }
    return take(from, s);
}

int sem_init(sem_t *s, int shared, unsigned value)
{
    if (!scheduler_inside)
        return REAL(sem_init)(s, shared, value);
    shims_need(PLACE, s, sizeof *s);
    if (value > SEM_VALUE_MAX)
        return shims_answer_errno(PLACE, s, EINVAL);
    memset(s, 0, sizeof *s);
    *value_of(s) = value;
    return shims_answer_errno(PLACE, s, 0);
}

int sem_destroy(sem_t *s)
{
    if (!scheduler_inside)
        return REAL(sem_destroy)(s);
    visit(PLACE, s);
    *value_of(s) = DESTROYED;
    return shims_answer_errno(PLACE, s, 0);
}

int sem_wait(sem_t *s)
{
    if (!scheduler_inside)
        return REAL(sem_wait)(s);
    shims_sync_on(PLACE, s, sizeof *s, is_positive, s);
    return take(PLACE, s);
}

int sem_trywait(sem_t *s)
{
    if (!scheduler_inside)
        return REAL(sem_trywait)(s);
    visit(PLACE, s);
    if (is_positive(s))
        return take(PLACE, s);
    scheduler_looked(s, sizeof *s);
    return shims_answer_errno(PLACE, s, EAGAIN);
}

SHIM(int sem_timedwait(sem_t *s, const struct timespec *limit), sem_timedwait,
     (s, limit), wait_until(PLACE, s, limit))
SHIM(int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *limit),
     sem_clockwait, (s, clock, limit),
     shims_clock_is_known(clock) ? wait_until(PLACE, s, limit)
                                 : shims_answer_errno(PLACE, s, EINVAL))

int sem_post(sem_t *s)
{
    if (!scheduler_inside)
        return REAL(sem_post)(s);
    visit(PLACE, s);
    if (*value_of(s) == SEM_VALUE_MAX)
        return shims_answer_errno(PLACE, s, EOVERFLOW);
    shims_released(s);
    ++*value_of(s);
    return shims_answer_errno(PLACE, s, 0);
}

int sem_getvalue(sem_t *s, int *value)
{
    if (!scheduler_inside)
        return REAL(sem_getvalue)(s, value);
    visit(PLACE, s);
    *value = (int)*value_of(s);
    return shims_answer_errno(PLACE, s, 0);
}

/* ---- with a name: shared with other programs ---- */

sem_t *sem_open(const char *name, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    const unsigned value = va_arg(rest, unsigned);
    va_end(rest);
    if (!scheduler_inside)
        return REAL(sem_open)(name, flags, mode, value);
    shims_unmodelled(PLACE, "semaphores with a name");
}

UNMODELLED(int sem_close(sem_t *s), sem_close, (s), "semaphores with a name")
UNMODELLED(int sem_unlink(const char *name), sem_unlink, (name),
           "semaphores with a name")
