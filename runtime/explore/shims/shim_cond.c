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
static void visit(struct place from, pthread_cond_t *c)
{
    sync_on(from, c, sizeof *c, NULL, NULL);
    if (model_of(c)->mutex == DESTROYED)
        misuse(from, c, "the condition was destroyed");
}

int condition_init(struct place from, pthread_cond_t *c)
{
    need(from, c, sizeof *c);
    memset(c, 0, sizeof *c);
    return answer(from, c, 0);
}

/* It waits for those who were woken, as glibc's does: POSIX lets one who has
 * woken all destroy it. */
int condition_destroy(struct place from, pthread_cond_t *c)
{
    struct condition *const model = model_of(c);
    visit(from, c);
    if (!all_have_left(model))
        sync_on(from, c, sizeof *c, all_have_left, model);
    if (model->waiting)
        misuse(from, c, "somebody waits for the condition");
    acquired(&model->leaving);
    model->mutex = DESTROYED;
    return answer(from, c, 0);
}

/* ---- waiting ---- */

static void enter(struct place from, pthread_cond_t *c, pthread_mutex_t *m,
                  uint64_t bit)
{
    struct condition *const model = model_of(c);
    visit(from, c);
    if (model->waiting && model->mutex != (uintptr_t)m)
        misuse(from, c, "others wait for the condition with another mutex");
    model->mutex = (uintptr_t)m;
    model->waiting |= bit;
}

/* The error, if any, before anything is done. */
static int check_mutex(struct place from, pthread_mutex_t *m)
{
    need(from, m, sizeof *m);
    if (!mutex_is_mine(m)) {
        if ((m->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK)
            return EPERM;
        misuse(from, m, "the thread does not hold the mutex");
    }
    if (mutex_depth(m) > 1)
        misuse(from, m, "the mutex is locked more than once");
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
    released(&model->leaving); /* to who destroys it */
}

int condition_wait(struct place from, pthread_cond_t *c, pthread_mutex_t *m,
                   const struct timespec *limit)
{
    const struct waiter w = { model_of(c), UINT64_C(1) << stage_self() };
    if (limit && !time_is_valid(limit))
        return answer(from, c, EINVAL);
    const int error = check_mutex(from, m);
    if (error)
        return answer(from, c, error);

    enter(from, c, m, w.bit);
    mutex_unlock((struct place){ from.pc, "pthread_mutex_unlock" }, m);
    const bool woken = sync_until(from, c, sizeof *c, was_woken, &w, limit);
    leave(model_of(c), w.bit);
    if (woken)
        acquired(c);
    answer(from, c, woken ? 0 : ETIMEDOUT);
    mutex_lock((struct place){ from.pc, "pthread_mutex_lock" }, m);
    return woken ? 0 : ETIMEDOUT;
}

/* ---- waking ---- */

static void wake(struct condition *model, uint64_t set)
{
    model->leaving |= set;
    wait_no_more(model, set);
}

int condition_signal(struct place from, pthread_cond_t *c)
{
    struct condition *const model = model_of(c);
    unsigned chosen = 0;
    visit(from, c);
    const unsigned waiting = count_bits(model->waiting);
    if (waiting > 1) {
        chosen = stage_choose(from.pc, waiting, "whom to wake");
        visit(from, c);
    }
    released(c);
    const unsigned left = count_bits(model->waiting);
    if (left)
        wake(model, bit_of(model->waiting, chosen % left));
    return answer(from, c, 0);
}

int condition_broadcast(struct place from, pthread_cond_t *c)
{
    visit(from, c);
    released(c);
    wake(model_of(c), model_of(c)->waiting);
    return answer(from, c, 0);
}

/* ---- under their names ---- */

int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attributes)
{
    if (!stage_inside)
        return REAL(pthread_cond_init)(c, attributes);
    return condition_init(PLACE, c); /* all clocks are one */
}

int pthread_cond_destroy(pthread_cond_t *c)
{
    if (!stage_inside)
        return REAL(pthread_cond_destroy)(c);
    return condition_destroy(PLACE, c);
}

int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    if (!stage_inside)
        return REAL(pthread_cond_wait)(c, m);
    return condition_wait(PLACE, c, m, NULL);
}

int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                           const struct timespec *limit)
{
    if (!stage_inside)
        return REAL(pthread_cond_timedwait)(c, m, limit);
    return condition_wait(PLACE, c, m, limit);
}

int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m,
                           clockid_t clock, const struct timespec *limit)
{
    if (!stage_inside)
        return REAL(pthread_cond_clockwait)(c, m, clock, limit);
    if (!clock_is_known(clock))
        return answer(PLACE, c, EINVAL);
    return condition_wait(PLACE, c, m, limit);
}

int pthread_cond_signal(pthread_cond_t *c)
{
    if (!stage_inside)
        return REAL(pthread_cond_signal)(c);
    return condition_signal(PLACE, c);
}

int pthread_cond_broadcast(pthread_cond_t *c)
{
    if (!stage_inside)
        return REAL(pthread_cond_broadcast)(c);
    return condition_broadcast(PLACE, c);
}
