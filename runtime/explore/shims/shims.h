/* shims.h - what the models of libc's functions have in common.
 *
 * A shim has the name of the function it stands for, and the linker gives it
 * the calls of the target and of the libraries that the target uses.  Outside
 * the stage it does what libc does.  Inside, it tells the stage which event
 * comes, and when it may go on it does the whole effect in one step.
 *
 * The state of a lock is in the lock itself, where the target's memory is put
 * back and compared.  Objects that libc has initialised, statically or in a
 * constructor, and that nobody holds look the same to us. */
#ifndef PLUMB_EXPLORE_SHIMS_H
#define PLUMB_EXPLORE_SHIMS_H

#include "runtime/explore/scheduler/stage.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Once, when the target has been loaded and its constructors have run: names
 * to the stage what belongs to the world. */
void shims_init(void);

/* rand() is one of so many numbers; 0 stands for 2. */
void random_range(unsigned range);

/* Before leaks are counted, by the thread that runs: give back the memory that
 * shims took for it. */
void shims_release(void);

/* ---- for the shims only ---- */

/* Words of a thread, behind those of the stage. */
enum shim_slot {
    SLOT_UNTIL = SLOT_STATE + 1, /* it has waited until then: shim_time.c  */
    SLOT_SLEPT,                  /* and so long                            */
    SLOT_CLEANUP,                /* pthread_cleanup_push(): the last        */
    SLOT_FUTEX,                  /* which one it waits for, and how         */
    SLOT_LOCALS                  /* destructors of thread-locals: the last  */
};

/* Of the thread that runs. */
uintptr_t *own_slot(enum shim_slot slot);

/* Who called which function. */
struct place {
    const void *pc;
    const char *name;
};
#define PLACE ((struct place){ HERE, __func__ })

/* How threads are written into objects, where 0 is nobody. */
unsigned self_mark(void);

/* Tell the trace that the function was called on `at`, and its result, which is
 * returned. */
int answer(struct place from, const volatile void *at, int result);

/* The same for what came to nothing: the thread has only looked at it. */
int answer_failed(struct place from, const volatile void *at, size_t size,
                  int error);

/* The same for those that say how many threads they woke, and for those that
 * give one of several threads something to do: it is answered other than 0. */
int answer_woken(struct place from, const volatile void *at, int count);
int answer_chosen(struct place from, const volatile void *at, int result);

/* The same for those that return -1 and an error in errno. */
int answer_errno(struct place from, const volatile void *at, int error);

/* Fail unless all of the object is there. */
void need(struct place from, const volatile void *at, size_t size);

_Noreturn void unmodelled(struct place from, const char *what);
_Noreturn void misuse(struct place from, const volatile void *at,
                      const char *what);

/* A SYNC of an object of `size` bytes; waits if there is a condition. */
void sync_on(struct place from, const volatile void *at, size_t size,
             stage_condition *ready, const void *what);
void lock_on(struct place from, const volatile void *at, size_t size,
             stage_condition *ready, const void *what);
void unlock_on(struct place from, const volatile void *at, size_t size);

/* A wait that ends at `limit`, if that is not NULL: true if it did not.  The
 * limit is taken for a valid one. */
bool sync_until(struct place from, const volatile void *at, size_t size,
                stage_condition *ready, const void *what,
                const struct timespec *limit);

/* What one who took the lock, or was woken, knows from then on; and what one
 * who gives it away tells. */
void acquired(const volatile void *at);
void released(const volatile void *at);

/* ---- time ---- */

void time_init(void);

bool time_is_valid(const struct timespec *time);
bool clock_is_known(clockid_t clock);

/* The thread has waited until `time`, or so long. */
void time_reached(const struct timespec *time);
void time_passed(const struct timespec *duration);

/* ---- models that others are made of ---- */

int mutex_init(struct place from, pthread_mutex_t *m, int kind);
int mutex_destroy(struct place from, pthread_mutex_t *m);
int mutex_lock(struct place from, pthread_mutex_t *m);
int mutex_trylock(struct place from, pthread_mutex_t *m);
int mutex_lock_until(struct place from, pthread_mutex_t *m,
                     const struct timespec *limit);
int mutex_unlock(struct place from, pthread_mutex_t *m);
bool mutex_is_mine(const pthread_mutex_t *m);
/* How often its holder has locked it. */
unsigned mutex_depth(const pthread_mutex_t *m);

int condition_init(struct place from, pthread_cond_t *c);
int condition_destroy(struct place from, pthread_cond_t *c);
/* limit: NULL for none. */
int condition_wait(struct place from, pthread_cond_t *c, pthread_mutex_t *m,
                   const struct timespec *limit);
int condition_signal(struct place from, pthread_cond_t *c);
int condition_broadcast(struct place from, pthread_cond_t *c);

int thread_create(struct place from, pthread_t *made, bool detached,
                  void *(*run)(void *), void *argument);
int thread_create_c11(struct place from, pthread_t *made, int (*run)(void *),
                      void *argument);
int thread_join(struct place from, pthread_t who, void **result);
int thread_detach(struct place from, pthread_t who);
_Noreturn void thread_exit(void *result);

int once(struct place from, int *state, void (*run)(void));

void futex_init(void);
void keys_init(void);
int key_create(struct place from, unsigned *key, void (*destroy)(void *));
int key_delete(struct place from, unsigned key);
void *key_get(unsigned key);
int key_set(struct place from, unsigned key, uintptr_t value);

/* What is due when the thread that runs ends. */
void run_thread_destructors(void);

/* ---- bits ---- */

static inline unsigned count_bits(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}

/* The k-th bit of a set that has more. */
static inline uint64_t bit_of(uint64_t set, unsigned k)
{
    while (k--)
        set &= set - 1;
    return set & (~set + 1);
}

#endif
