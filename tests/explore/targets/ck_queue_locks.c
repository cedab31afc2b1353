// explore: --races interleave -- -DMCS
// expect: no violation
// needs: ck_spinlock.h
// explore: --races interleave -- -DCLH
// expect: no violation
// needs: ck_spinlock.h
// explore: --races interleave -- -DANDERSON
// expect: no violation
// needs: ck_spinlock.h
// explore: --races interleave -- -DHCLH
// expect: no violation
// needs: ck_spinlock.h
// explore: -- -DMCS
// expect: data race
// needs: ck_spinlock.h
// explore: --races interleave -- -DMCS -DTHREADS=3
// expect: no violation
// needs: ck_spinlock.h
// explore: --races interleave -- -DCLH -DTHREADS=3
// expect: no violation
// needs: ck_spinlock.h
// explore: --races interleave -- -DANDERSON -DTHREADS=3
// expect: no violation
// needs: ck_spinlock.h
// explore: -- -DMCS -DCK_ASSEMBLY
// expect: no violation
// needs: ck_spinlock.h
// machine: x86_64
// label: full
// explore: -- -DHCLH -DCK_ASSEMBLY
// expect: no violation
// needs: ck_spinlock.h
// machine: x86_64
// label: full

/* Concurrency Kit's locks whose waiters queue.  HCLH: threads of two clusters,
 * of which the first and the third are one.
 *
 * By the letter of C11 some have data races: the store that lets a waiter go
 * comes behind the fence that should order it, and the waiter writes the same
 * place later with a plain access. */
#include <assert.h>

#include "ck.h"
#include "threads.h"

#include <ck_spinlock.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef TIMES
#define TIMES 2
#endif

static int count;

#if defined(MCS)
static ck_spinlock_mcs_t lock;
static ck_spinlock_mcs_context_t own[THREADS];

static void start(void)
{
    ck_spinlock_mcs_init(&lock);
}
#define ENTER(self) ck_spinlock_mcs_lock(&lock, &own[self])
#define LEAVE(self) ck_spinlock_mcs_unlock(&lock, &own[self])

#elif defined(ANDERSON)
static ck_spinlock_anderson_t lock;
static ck_spinlock_anderson_thread_t slots[THREADS], *own[THREADS];

static void start(void)
{
    ck_spinlock_anderson_init(&lock, slots, THREADS);
}
#define ENTER(self) ck_spinlock_anderson_lock(&lock, &own[self])
#define LEAVE(self) ck_spinlock_anderson_unlock(&lock, own[self])

#elif defined(HCLH)
static ck_spinlock_hclh_t *lock, *cluster[2], *own[THREADS];
static ck_spinlock_hclh_t unowned[3], node[THREADS];

static void start(void)
{
    ck_spinlock_hclh_init(&lock, &unowned[2], -1);
    for (int c = 0; c < 2; c++)
        ck_spinlock_hclh_init(&cluster[c], &unowned[c], c);
    for (unsigned i = 0; i < THREADS; i++)
        own[i] = &node[i];
}
#define ENTER(self)                                                            \
    ck_spinlock_hclh_lock(&lock, &cluster[(self) % 2], own[self])
#define LEAVE(self) ck_spinlock_hclh_unlock(&own[self])

#else
static ck_spinlock_clh_t *lock, unowned, node[THREADS], *own[THREADS];

static void start(void)
{
    ck_spinlock_clh_init(&lock, &unowned);
    for (unsigned i = 0; i < THREADS; i++)
        own[i] = &node[i];
}
#define ENTER(self) ck_spinlock_clh_lock(&lock, own[self])
#define LEAVE(self) ck_spinlock_clh_unlock(&own[self])
#endif

static void *works(void *argument)
{
    const unsigned self = number_of(argument);
    for (int i = 0; i < TIMES; i++) {
        ENTER(self);
        count++;
        LEAVE(self);
    }
    return NULL;
}

int main(void)
{
    start();
    run_same(THREADS, works);
    assert(count == THREADS * TIMES);
    return 0;
}
