/* shim_cond.c - condition variables.
 *
 * Those who wait are a set in the condition's memory; to be taken out of it is
 * the signal.  Nobody wakes up for no reason.
 *
 * To wait is four events: to enter the set, with the mutex still held, as glibc
 * does; to unlock; to go on when one is out of the set; to lock.  A signal that
 * comes between the first two is not lost, which is as if the unlock and the
 * wait were one.
 *
 * Whom a signal wakes is a choice, and a choice is an event of its own.  So the
 * signal looks how many there are, chooses, and then takes effect with those
 * who wait by then.  Where nothing comes in between that is the choice of one
 * step; else it is a signal that came later. */
#include "real.h"
#include "shims.h"

#include <errno.h>
#include <string.h>

/* The beginning of pthread_cond_t; zeros in a new one. */
struct condition {
    uint64_t waiting; /* bit t: thread t                          */
    uint64_t mutex;   /* the address of the one they wait with    */
    uint64_t leaving; /* bit t: thread t was woken, and is not gone */
};
#define DESTROYED UINT64_MAX /* no mutex is there */
_Static_assert(sizeof(struct condition) <= sizeof(pthread_cond_t),
               "it has to fit");

static struct condition *model_of(pthread_cond_t *c)
{
    return (struct condition *)(void *)c;
}

struct waiter {
    const struct condition *condition;
    uint64_t bit;
};

static bool was_woken(const void *waiter)
{
    const struct waiter *const w = waiter;
    return !(w->condition->waiting & w->bit);
}

static bool all_have_left(const void *condition)
{
    return !((const struct condition *)condition)->leaving;
}

/* An event that waits for nothing. */
static void visit(struct shims_place from, pthread_cond_t *c)
{
    shims_sync_on(from, c, sizeof *c, NULL, NULL);
    if (model_of(c)->mutex == DESTROYED)
        shims_misuse(from, c, "the condition variable was destroyed");
}

int shims_condition_init(struct shims_place from, pthread_cond_t *c)
{
    shims_need(from, c, sizeof *c);
    memset(c, 0, sizeof *c);
    return answer(from, c, 0);
}

/* It waits for those who were woken, as glibc's does: POSIX lets one who has
 * woken all destroy it. */
int shims_condition_destroy(struct shims_place from, pthread_cond_t *c)
{
    struct condition *const model = model_of(c);
    visit(from, c);
    if (!all_have_left(model))
        shims_sync_on(from, c, sizeof *c, all_have_left, model);
    if (model->waiting)
        shims_misuse(from, c, "a thread waits for the condition variable");
    shims_acquired(&model->leaving);
    model->mutex = DESTROYED;
    return answer(from, c, 0);
}

/* ---- waiting ---- */

static void enter(struct shims_place from, pthread_cond_t *c,
                  pthread_mutex_t *m, uint64_t bit)
{
    struct condition *const model = model_of(c);
    visit(from, c);
    if (model->waiting && model->mutex != (uintptr_t)m)
        shims_misuse(
            from, c,
            "other threads wait for the condition variable with another mutex");
    model->mutex = (uintptr_t)m;
    model->waiting |= bit;
}

/* The error, if any, before anything is done. */
static int check_mutex(struct shims_place from, pthread_mutex_t *m)
{
    shims_need(from, m, sizeof *m);
    if (!shims_mutex_is_mine(m)) {
        if ((m->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK)
            return EPERM;
        shims_misuse(from, m, "the thread does not hold the mutex");
    }
    if (shims_mutex_depth(m) > 1)
        shims_misuse(from, m, "the mutex is locked more than once");
    return 0;
}

static void wait_no_more(struct condition *model, uint64_t set)
{
    model->waiting &= ~set;
    if (!model->waiting)
        model->mutex = 0; /* as it was: states are compared */
}

static void leave(struct condition *model, uint64_t bit)
{
    wait_no_more(model, bit);
    model->leaving &= ~bit;
    shims_released(&model->leaving); /* to who destroys it */
}

int shims_condition_wait(struct shims_place from, pthread_cond_t *c,
                         pthread_mutex_t *m, const struct timespec *limit)
{
    const struct waiter w = { model_of(c), UINT64_C(1) << scheduler_self() };
    if (limit && !shims_time_is_valid(limit))
        return answer(from, c, EINVAL);
    const int error = check_mutex(from, m);
    if (error)
        return answer(from, c, error);

    enter(from, c, m, w.bit);
    shims_mutex_unlock((struct shims_place){ from.pc, "pthread_mutex_unlock" },
                       m);
    const bool woken =
        shims_sync_until(from, c, sizeof *c, was_woken, &w, limit);
    leave(model_of(c), w.bit);
    if (woken)
        shims_acquired(c);
    answer(from, c, woken ? 0 : ETIMEDOUT);
    shims_mutex_lock((struct shims_place){ from.pc, "pthread_mutex_lock" }, m);
    return woken ? 0 : ETIMEDOUT;
}

/* ---- waking ---- */

static void wake(struct condition *model, uint64_t set)
{
    model->leaving |= set;
    wait_no_more(model, set);
}

int shims_condition_signal(struct shims_place from, pthread_cond_t *c)
{
    struct condition *const model = model_of(c);
    unsigned chosen = 0;
    visit(from, c);
    const unsigned waiting = shims_count_bits(model->waiting);
    if (waiting > 1) {
        chosen = scheduler_choose(from.pc, waiting, "thread to wake");
        visit(from, c);
    }
    shims_released(c);
    const unsigned left = shims_count_bits(model->waiting);
    if (left)
        wake(model, shims_bit_of(model->waiting, chosen % left));
    return answer(from, c, 0);
}

int shims_condition_broadcast(struct shims_place from, pthread_cond_t *c)
{
    visit(from, c);
    shims_released(c);
    wake(model_of(c), model_of(c)->waiting);
    return answer(from, c, 0);
}

/* ---- under their names ---- */

int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attributes)
{
    if (!scheduler_inside)
        return REAL(pthread_cond_init)(c, attributes);
    return shims_condition_init(PLACE, c); /* all clocks are one */
}

SHIM(int pthread_cond_destroy(pthread_cond_t *c), pthread_cond_destroy, (c),
     shims_condition_destroy(PLACE, c))
SHIM(int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m),
     pthread_cond_wait, (c, m), shims_condition_wait(PLACE, c, m, NULL))
SHIM(int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                const struct timespec *limit),
     pthread_cond_timedwait, (c, m, limit),
     shims_condition_wait(PLACE, c, m, limit))
SHIM(int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m,
                                clockid_t clock, const struct timespec *limit),
     pthread_cond_clockwait, (c, m, clock, limit),
     shims_clock_is_known(clock) ? shims_condition_wait(PLACE, c, m, limit)
                                 : answer(PLACE, c, EINVAL))
SHIM(int pthread_cond_signal(pthread_cond_t *c), pthread_cond_signal, (c),
     shims_condition_signal(PLACE, c))
SHIM(int pthread_cond_broadcast(pthread_cond_t *c), pthread_cond_broadcast, (c),
     shims_condition_broadcast(PLACE, c))
