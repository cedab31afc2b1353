// explore: --preemptions all
// expect: deadlock
// explore: --preemptions all --strategy dpor
// expect: deadlock
// explore: --strategy dfs
// expect: deadlock
//
// A mutex that wakes nobody if it was not known that somebody waits.
#define _GNU_SOURCE
#include "futex.h"
#include <assert.h>
#include <pthread.h>

static atomic_uint word;
static int count;

static void lock(void)
{
    unsigned was = 0;
    if (atomic_compare_exchange_strong(&word, &was, 1))
        return;
    if (was != 2)
        was = atomic_exchange(&word, 1);
    while (was) {
        futex_wait(&word, 1, NULL);
        was = atomic_exchange(&word, 1);
    }
}

static void unlock(void)
{
    if (atomic_fetch_sub(&word, 1) != 1) {
        atomic_store(&word, 0);
        futex_wake(&word, 1);
    }
}

static void *add(void *unused)
{
    lock();
    count++;
    unlock();
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    add(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(count == 3);
    return 0;
}
