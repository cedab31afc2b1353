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

static void check(struct place from, sem_t *s)
{
    if (*value_of(s) == DESTROYED)
        misuse(from, s, "the semaphore was destroyed");
}

/* An event that waits for nothing. */
static void visit(struct place from, sem_t *s)
{
    sync_on(from, s, sizeof *s, NULL, NULL);
    check(from, s);
}

static int take(struct place from, sem_t *s)
{
    check(from, s);
    --*value_of(s);
    acquired(s);
    return answer_errno(from, s, 0);
}

static int wait_until(struct place from, sem_t *s, const struct timespec *limit)
{
    if (!time_is_valid(limit)) {
        visit(from, s);
        return is_positive(s) ? take(from, s) : answer_errno(from, s, EINVAL);
    }
    if (!sync_until(from, s, sizeof *s, is_positive, s, limit)) {
        stage_looked(s, sizeof *s);
        return answer_errno(from, s, ETIMEDOUT);
    }
    return take(from, s);
}

int sem_init(sem_t *s, int shared, unsigned value)
{
    if (!stage_inside)
        return REAL(sem_init)(s, shared, value);
    need(PLACE, s, sizeof *s);
    if (value > SEM_VALUE_MAX)
        return answer_errno(PLACE, s, EINVAL);
    memset(s, 0, sizeof *s);
    *value_of(s) = value;
    return answer_errno(PLACE, s, 0);
}

int sem_destroy(sem_t *s)
{
    if (!stage_inside)
        return REAL(sem_destroy)(s);
    visit(PLACE, s);
    *value_of(s) = DESTROYED;
    return answer_errno(PLACE, s, 0);
}

int sem_wait(sem_t *s)
{
    if (!stage_inside)
        return REAL(sem_wait)(s);
    sync_on(PLACE, s, sizeof *s, is_positive, s);
    return take(PLACE, s);
}

int sem_trywait(sem_t *s)
{
    if (!stage_inside)
        return REAL(sem_trywait)(s);
    visit(PLACE, s);
    if (is_positive(s))
        return take(PLACE, s);
    stage_looked(s, sizeof *s);
    return answer_errno(PLACE, s, EAGAIN);
}

int sem_timedwait(sem_t *s, const struct timespec *limit)
{
    if (!stage_inside)
        return REAL(sem_timedwait)(s, limit);
    return wait_until(PLACE, s, limit);
}

int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *limit)
{
    if (!stage_inside)
        return REAL(sem_clockwait)(s, clock, limit);
    if (!clock_is_known(clock))
        return answer_errno(PLACE, s, EINVAL);
    return wait_until(PLACE, s, limit);
}

int sem_post(sem_t *s)
{
    if (!stage_inside)
        return REAL(sem_post)(s);
    visit(PLACE, s);
    if (*value_of(s) == SEM_VALUE_MAX)
        return answer_errno(PLACE, s, EOVERFLOW);
    released(s);
    ++*value_of(s);
    return answer_errno(PLACE, s, 0);
}

int sem_getvalue(sem_t *s, int *value)
{
    if (!stage_inside)
        return REAL(sem_getvalue)(s, value);
    visit(PLACE, s);
    *value = (int)*value_of(s);
    return answer_errno(PLACE, s, 0);
}

/* ---- with a name: shared with other programs ---- */

sem_t *sem_open(const char *name, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    const unsigned value = va_arg(rest, unsigned);
    va_end(rest);
    if (!stage_inside)
        return REAL(sem_open)(name, flags, mode, value);
    unmodelled(PLACE, "semaphores with a name");
}

int sem_close(sem_t *s)
{
    if (!stage_inside)
        return REAL(sem_close)(s);
    unmodelled(PLACE, "semaphores with a name");
}

int sem_unlink(const char *name)
{
    if (!stage_inside)
        return REAL(sem_unlink)(name);
    unmodelled(PLACE, "semaphores with a name");
}
