/* shim_barrier.c - barriers.
 *
 * Who comes last begins a new round, for which the others wait; they leave one
 * by one.  A barrier that is destroyed meanwhile waits for the last to leave,
 * as glibc's does.  None is for 0 threads: that is no barrier any more. */
#include "real.h"
#include "shims.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

/* The beginning of pthread_barrier_t; what glibc initialises is where it has
 * it. */
struct barrier {
    uint32_t arrived, round, count;
    uint32_t shared; /* unused here              */
    uint32_t inside; /* have arrived and not left */
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t),
               "it has to fit");

static struct barrier *model_of(pthread_barrier_t *b)
{
    return (struct barrier *)(void *)b;
}

struct arrival {
    const struct barrier *at;
    uint32_t round;
};

static bool is_over(const void *arrival)
{
    const struct arrival *const a = arrival;
    return a->at->round != a->round;
}

static bool is_empty(const void *barrier)
{
    const struct barrier *const b = barrier;
    return b->inside == 0;
}

/* An event that waits for nothing. */
static void visit(struct shims_place from, pthread_barrier_t *b)
{
    shims_sync_on(from, b, sizeof *b, NULL, NULL);
    if (model_of(b)->count == 0)
        shims_misuse(from, b,
                     "the barrier was destroyed, or never initialised");
}

/* Who destroys it is ordered behind those who have left. */
static void leave(struct barrier *model)
{
    model->inside--;
    shims_acquired(model);
    shims_released(model);
}

int pthread_barrier_init(pthread_barrier_t *b,
                         const pthread_barrierattr_t *attributes,
                         unsigned count)
{
    if (!scheduler_inside)
        return REAL(pthread_barrier_init)(b, attributes, count);
    shims_need(PLACE, b, sizeof *b);
    if (count == 0 || count > INT_MAX)
        return answer(PLACE, b, EINVAL);
    memset(b, 0, sizeof *b);
    model_of(b)->count = count;
    return answer(PLACE, b, 0);
}

int pthread_barrier_destroy(pthread_barrier_t *b)
{
    if (!scheduler_inside)
        return REAL(pthread_barrier_destroy)(b);
    visit(PLACE, b);
    if (model_of(b)->arrived)
        shims_misuse(PLACE, b, "a thread waits at the barrier");
    if (!is_empty(b))
        shims_sync_on(PLACE, b, sizeof *b, is_empty, b);
    shims_acquired(b);
    model_of(b)->count = 0;
    return answer(PLACE, b, 0);
}

int pthread_barrier_wait(pthread_barrier_t *b)
{
    struct barrier *const model = model_of(b);
    if (!scheduler_inside)
        return REAL(pthread_barrier_wait)(b);
    visit(PLACE, b);
    const struct arrival mine = { model, model->round };
    shims_released(b);
    model->inside++;
    if (++model->arrived == model->count) {
        model->arrived = 0;
        model->round++;
        leave(model);
        return shims_answer_chosen(PLACE, b, PTHREAD_BARRIER_SERIAL_THREAD);
    }
    shims_sync_on(PLACE, b, sizeof *b, is_over, &mine);
    leave(model);
    return answer(PLACE, b, 0);
}
