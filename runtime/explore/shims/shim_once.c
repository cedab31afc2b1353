/* shim_once.c - what is done once: pthread_once, call_once, and the variables
 * in functions that C++ initialises when they are first reached.
 *
 * Whoever comes first does it; the others wait until it is done.  If it is left
 * by an exception it was not done, and the next one does it. */
#include "real.h"
#include "shims.h"

#include "runtime/explore/hooks/scheduler_hook.h"
#include <stdatomic.h>
#include <threads.h>

/* As in glibc: 0 at first and 2 in the end. */
enum { NEW = 0, RUNNING = 1, DONE = 2 };

static bool nobody_runs_it(const void *state)
{
    return *(const int *)state != RUNNING;
}

struct attempt {
    struct shims_place from;
    int *state;
    int then;
};

/* Also run when an exception comes by. */
static void end_attempt(struct attempt *a)
{
    shims_sync_on(a->from, a->state, sizeof *a->state, NULL, NULL);
    shims_released(a->state);
    *a->state = a->then;
    answer(a->from, a->state, 0);
}

static int run_once(struct shims_place from, int *state, void (*run)(void))
{
    shims_sync_on(from, state, sizeof *state, nobody_runs_it, state);
    shims_acquired(state);
    if (*state == DONE)
        return answer(from, state, 0);
    *state = RUNNING;
    __attribute__((cleanup(end_attempt))) struct attempt a = { from, state,
                                                               NEW };
    run();
    a.then = DONE;
    return 0;
}

SHIM(int pthread_once(pthread_once_t *control, void (*run)(void)), pthread_once,
     (control, run), run_once(PLACE, control, run))

void call_once(once_flag *flag, void (*run)(void))
{
    if (scheduler_inside)
        run_once(PLACE, &flag->__data, run);
    else
        REAL(call_once)(flag, run);
}

/* ---- variables in functions of C++ ----
 *
 * The compiled code reads the first byte, which says that it is done, with an
 * atomic access.  So it is written by an event of that kind; then another one
 * ends the wait.  There may be no C++ library behind us whose functions we
 * could ask for when a constructor calls them; then nobody else is there. */

struct guard {
    uint8_t done, running;
};

int __cxa_guard_acquire(struct guard *guard);
void __cxa_guard_release(struct guard *guard);
void __cxa_guard_abort(struct guard *guard);

static bool nobody_initialises(const void *guard)
{
    return !((const struct guard *)guard)->running;
}

static void end_initialisation(struct shims_place from, struct guard *guard)
{
    if (scheduler_inside) {
        shims_sync_on(from, guard, sizeof *guard, NULL, NULL);
        shims_released(guard);
        answer(from, guard, 0);
    }
    guard->running = 0;
}

/* 1: the caller is to do it. */
int __cxa_guard_acquire(struct guard *guard)
{
    if (scheduler_inside) {
        shims_sync_on(PLACE, guard, sizeof *guard, nobody_initialises, guard);
        shims_acquired(guard);
        shims_answer_chosen(PLACE, guard, !guard->done);
    }
    if (guard->done)
        return 0;
    guard->running = 1;
    return 1;
}

void __cxa_guard_release(struct guard *guard)
{
    if (scheduler_inside) {
        scheduler_access(HERE, guard, 1, PLUMB_EVENT_WRITE);
        hooks_races_after_atomic(HERE, guard, 1, false, true,
                                 memory_order_release);
    }
    guard->done = 1;
    end_initialisation(PLACE, guard);
}

void __cxa_guard_abort(struct guard *guard)
{
    end_initialisation(PLACE, guard);
}
