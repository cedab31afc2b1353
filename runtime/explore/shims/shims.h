/* shims.h - what the models of libc's functions have in common.
 *
 * A shim has the name of the function it stands for, and the linker gives it
 * the calls of the target and of the libraries that the target uses.  Outside
 * the scheduler it does what libc does.  Inside, it tells the scheduler which event
 * comes, and when it may go on it does the whole effect in one step.
 *
 * The state of a lock is in the lock itself, where the target's memory is put
 * back and compared.  Objects that libc has initialised, statically or in a
 * constructor, and that nobody holds look the same to us. */
#ifndef PLUMB_RUNTIME_EXPLORE_SHIMS_SHIMS_H
#define PLUMB_RUNTIME_EXPLORE_SHIMS_SHIMS_H

#include "runtime/explore/scheduler/scheduler.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Once, when the target has been loaded and its constructors have run: names
 * to the scheduler what belongs to the world. */
void shims_init(void);

/* rand() is one of so many numbers; 0 stands for 2. */
void shims_random_range(unsigned range);

/* Once: does the strategy know nothing but events? */
void shims_verifier_init(bool goes_by_events);

/* Before leaks are counted, by the thread that runs: give back the memory that
 * shims took for it. */
void shims_release(void);

/* The time in nanoseconds, as rdtsc and the like tell it. */
uint64_t shims_time_stamp(const void *pc);

/* ---- for the shims only ---- */

/* Words of a thread, behind those of the scheduler. */
enum shim_slot {
    SLOT_UNTIL = SLOT_STATE + 1, /* it has waited until then: shim_time.c  */
    SLOT_SLEPT,                  /* and so long                            */
    SLOT_CLEANUP,                /* pthread_cleanup_push(): the last        */
    SLOT_FUTEX,                  /* which one it waits for, and how         */
    SLOT_LOCALS                  /* destructors of thread-locals: the last  */
};

/* Of the thread that runs. */
uintptr_t *shims_own_slot(enum shim_slot slot);

/* Who called which function. */
struct shims_place {
    const void *pc;
    const char *name;
};
#define PLACE ((struct shims_place){ HERE, __func__ })

/* How threads are written into objects, where 0 is nobody. */
unsigned shims_self_mark(void);

/* Tell the trace that the function was called on `at`, and its result, which is
 * returned. */
int answer(struct shims_place from, const volatile void *at, int result);

/* The same for what came to nothing: the thread has only looked at it. */
int shims_answer_failed(struct shims_place from, const volatile void *at,
                        size_t size, int error);

/* The same for those that say how many threads they woke, and for those that
 * give one of several threads something to do: it is answered other than 0. */
int shims_answer_woken(struct shims_place from, const volatile void *at,
                       int count);
int shims_answer_chosen(struct shims_place from, const volatile void *at,
                        int result);

/* The same for those that return -1 and an error in errno. */
int shims_answer_errno(struct shims_place from, const volatile void *at,
                       int error);

/* Fail unless all of the object is there. */
void shims_need(struct shims_place from, const volatile void *at, size_t size);

_Noreturn void shims_unmodelled(struct shims_place from, const char *what);
_Noreturn void shims_misuse(struct shims_place from, const volatile void *at,
                            const char *what);

/* A SYNC of an object of `size` bytes; waits if there is a condition. */
void shims_sync_on(struct shims_place from, const volatile void *at,
                   size_t size, scheduler_condition *ready, const void *what);
void shims_lock_on(struct shims_place from, const volatile void *at,
                   size_t size, scheduler_condition *ready, const void *what);
void shims_unlock_on(struct shims_place from, const volatile void *at,
                     size_t size);

/* A wait that ends at `limit`, if that is not NULL: true if it did not.  The
 * limit is taken for a valid one. */
bool shims_sync_until(struct shims_place from, const volatile void *at,
                      size_t size, scheduler_condition *ready, const void *what,
                      const struct timespec *limit);

/* What one who took the lock, or was woken, knows from then on; and what one
 * who gives it away tells. */
void shims_acquired(const volatile void *at);
void shims_released(const volatile void *at);

/* One of the numbers of shims_random_range(). */
unsigned shims_random_any(struct shims_place from);

/* ---- time ---- */

void shims_time_init(void);

bool shims_time_is_valid(const struct timespec *time);
bool shims_clock_is_known(clockid_t clock);

/* The thread has waited until `time`, or so long. */
void shims_time_reached(const struct timespec *time);
void shims_time_passed(const struct timespec *duration);

/* ---- models that others are made of ---- */

int shims_mutex_init(struct shims_place from, pthread_mutex_t *m, int kind);
int shims_mutex_destroy(struct shims_place from, pthread_mutex_t *m);
int shims_mutex_lock(struct shims_place from, pthread_mutex_t *m);
int shims_mutex_trylock(struct shims_place from, pthread_mutex_t *m);
int shims_mutex_lock_until(struct shims_place from, pthread_mutex_t *m,
                           const struct timespec *limit);
int shims_mutex_unlock(struct shims_place from, pthread_mutex_t *m);
bool shims_mutex_is_mine(const pthread_mutex_t *m);
/* How often its holder has locked it. */
unsigned shims_mutex_depth(const pthread_mutex_t *m);

int shims_condition_init(struct shims_place from, pthread_cond_t *c);
int shims_condition_destroy(struct shims_place from, pthread_cond_t *c);
/* limit: NULL for none. */
int shims_condition_wait(struct shims_place from, pthread_cond_t *c,
                         pthread_mutex_t *m, const struct timespec *limit);
int shims_condition_signal(struct shims_place from, pthread_cond_t *c);
int shims_condition_broadcast(struct shims_place from, pthread_cond_t *c);

int shims_thread_create(struct shims_place from, pthread_t *made, bool detached,
                        void *(*run)(void *), void *argument);
int shims_thread_create_c11(struct shims_place from, pthread_t *made,
                            int (*run)(void *), void *argument);
int shims_thread_join(struct shims_place from, pthread_t who, void **result);
int shims_thread_detach(struct shims_place from, pthread_t who);
_Noreturn void shims_thread_exit(struct shims_place from, void *result);

void shims_futex_init(void);
void shims_keys_init(void);
int shims_key_create(struct shims_place from, unsigned *key,
                     void (*destroy)(void *));
int shims_key_delete(struct shims_place from, unsigned key);
void *shims_key_get(unsigned key);
int shims_key_set(struct shims_place from, unsigned key, uintptr_t value);

/* What is due when the thread that runs ends. */
void shims_run_thread_destructors(void);

/* ---- bits ---- */

static inline unsigned shims_count_bits(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}

/* The k-th bit of a set that has more. */
static inline uint64_t shims_bit_of(uint64_t set, unsigned k)
{
    while (k--)
        set &= set - 1;
    return set & (~set + 1);
}

#endif
