/* shim_thread.c - threads: fibers of the scheduler.
 *
 * A pthread_t is that of the fiber, so that pthread_self() and pthread_equal()
 * are glibc's own.  What a thread returned and whether anybody
 * may ask is in its slots. */
#include "real.h"
#include "shims.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>

enum { DETACHED = 1, JOINED = 2 };

static uintptr_t *state_of(unsigned thread)
{
    return scheduler_slot(thread, SLOT_STATE);
}

/* UINT_MAX if it is nobody's. */
static unsigned number_of(pthread_t who)
{
    for (unsigned t = 0; t < PLUMB_MAX_THREADS; t++)
        if (who && scheduler_thread_name(t) == (uintptr_t)who)
            return t;
    return UINT_MAX;
}

/* ---- the life of a thread ---- */

/* SLOT_RESULT is what the thread gets, until it begins, and what it gave. */
typedef void *thread_start(void *);

static void end_with(void *result)
{
    shims_run_thread_destructors();
    *scheduler_slot(scheduler_self(), SLOT_RESULT) = (uintptr_t)result;
}

static void *take_argument(void)
{
    uintptr_t *const slot = scheduler_slot(scheduler_self(), SLOT_RESULT);
    void *const argument = (void *)*slot;
    *slot = 0;
    return argument;
}

/* What a thread runs, on its way through the scheduler. */
union start {
    void *word;
    thread_start *posix;
    int (*c11)(void *);
};

static void live(void *word)
{
    const union start run = { word };
    end_with(run.posix(take_argument()));
}

static void live_c11(void *word)
{
    const union start run = { word };
    end_with((void *)(intptr_t)run.c11(take_argument()));
}

static int create(struct shims_place from, pthread_t *made, bool detached,
                  void (*life)(void *), union start run, void *argument)
{
    const unsigned t = scheduler_spawn(from.pc, life, run.word);
    if (t == UINT_MAX)
        shims_unmodelled(from, "too many threads");
    /* It does not begin before this step ends. */
    *scheduler_slot(t, SLOT_RESULT) = (uintptr_t)argument;
    *state_of(t) = detached ? DETACHED : 0;
    *made = (pthread_t)scheduler_thread_name(t);
    return 0;
}

int shims_thread_create(struct shims_place from, pthread_t *made, bool detached,
                        thread_start *run, void *argument)
{
    return create(from, made, detached, live, (union start){ .posix = run },
                  argument);
}

int shims_thread_create_c11(struct shims_place from, pthread_t *made,
                            int (*run)(void *), void *argument)
{
    return create(from, made, false, live_c11, (union start){ .c11 = run },
                  argument);
}

/* ---- ending from within ----
 *
 * Compiled without exceptions, pthread_cleanup_push() links where to jump to,
 * so that what it was told is done; and then __pthread_unwind_next() is called.
 * Destructors of C++ on the way are not run. */

static _Noreturn void unwind(void)
{
    __pthread_unwind_buf_t *const last =
        (__pthread_unwind_buf_t *)*shims_own_slot(SLOT_CLEANUP);
    if (last) {
        *shims_own_slot(SLOT_CLEANUP) = (uintptr_t)last->__pad[0];
        siglongjmp((void *)last, 1); /* its first member */
    }
    shims_run_thread_destructors();
    scheduler_end_thread();
}

/* Whoever called the operation would never know what became of it. */
void shims_thread_exit(struct shims_place from, void *result)
{
    if (scheduler_must_return())
        shims_unmodelled(from, "ending the thread of an operation");
    *scheduler_slot(scheduler_self(), SLOT_RESULT) = (uintptr_t)result;
    unwind();
}

void __pthread_register_cancel(__pthread_unwind_buf_t *here)
{
    if (!scheduler_inside) {
        REAL(__pthread_register_cancel)(here);
        return;
    }
    here->__pad[0] = (void *)*shims_own_slot(SLOT_CLEANUP);
    *shims_own_slot(SLOT_CLEANUP) = (uintptr_t)here;
}

void __pthread_unregister_cancel(__pthread_unwind_buf_t *here)
{
    if (scheduler_inside)
        *shims_own_slot(SLOT_CLEANUP) = (uintptr_t)here->__pad[0];
    else
        REAL(__pthread_unregister_cancel)(here);
}

void __pthread_unwind_next(__pthread_unwind_buf_t *here)
{
    (void)here; /* nobody outside ends a thread */
    unwind();
}

/* ---- what others do to it ---- */

static void check_unjoined(struct shims_place from, unsigned t)
{
    if (*state_of(t) & JOINED)
        shims_misuse(from, NULL, "the thread was already joined");
}

int shims_thread_join(struct shims_place from, pthread_t who, void **result)
{
    const unsigned t = number_of(who);
    if (t == UINT_MAX)
        return ESRCH;
    if (t == scheduler_self())
        return EDEADLK;
    if (*state_of(t) & DETACHED)
        return EINVAL;
    scheduler_join(from.pc, t);
    check_unjoined(from, t);
    *state_of(t) |= JOINED;
    if (result)
        *result = (void *)*scheduler_slot(t, SLOT_RESULT);
    return 0;
}

int shims_thread_detach(struct shims_place from, pthread_t who)
{
    const unsigned t = number_of(who);
    if (t == UINT_MAX)
        return ESRCH;
    check_unjoined(from, t);
    if (*state_of(t) & DETACHED)
        return EINVAL;
    *state_of(t) |= DETACHED;
    return 0;
}

/* ---- under their names ---- */

static bool is_detached(const pthread_attr_t *attributes)
{
    int state = PTHREAD_CREATE_JOINABLE;
    if (attributes)
        pthread_attr_getdetachstate(attributes, &state);
    return state == PTHREAD_CREATE_DETACHED;
}

SHIM(int pthread_create(pthread_t *made, const pthread_attr_t *attributes,
                        thread_start *run, void *argument),
     pthread_create, (made, attributes, run, argument),
     shims_thread_create(PLACE, made, is_detached(attributes), run, argument))

SHIM(int pthread_join(pthread_t who, void **result), pthread_join,
     (who, result), shims_thread_join(PLACE, who, result))
SHIM(int pthread_detach(pthread_t who), pthread_detach, (who),
     shims_thread_detach(PLACE, who))

void pthread_exit(void *result)
{
    if (!scheduler_inside) {
        void (*real)(void *);
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_exit");
        real(result);
    }
    shims_thread_exit(PLACE, result);
}

/* ---- what we cannot follow ----
 *
 * Whether another thread has ended is asked by no event, so it is not known
 * which orders matter to one who asks. */

UNMODELLED(int pthread_tryjoin_np(pthread_t who, void **result),
           pthread_tryjoin_np, (who, result),
           "asking whether a thread has ended")
UNMODELLED(int pthread_timedjoin_np(pthread_t who, void **result,
                                    const struct timespec *limit),
           pthread_timedjoin_np, (who, result, limit),
           "asking whether a thread has ended")
UNMODELLED(int pthread_clockjoin_np(pthread_t who, void **result,
                                    clockid_t clock,
                                    const struct timespec *limit),
           pthread_clockjoin_np, (who, result, clock, limit),
           "asking whether a thread has ended")
UNMODELLED(int pthread_cancel(pthread_t who), pthread_cancel, (who),
           "cancellation")
UNMODELLED(int pthread_kill(pthread_t who, int number), pthread_kill,
           (who, number), "signals")
