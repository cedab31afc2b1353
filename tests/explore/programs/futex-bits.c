// explore: --preemptions all
// expect: deadlock
// explore: --preemptions all --strategy dpor
// expect: deadlock
// explore: --strategy dfs
// expect: deadlock
//
// A wake for other bits leaves it asleep.
#define _GNU_SOURCE
#include "futex.h"
#include <assert.h>
#include <pthread.h>

static atomic_uint word;

static void *wait(void *unused)
{
    syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait, NULL);
    assert(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 2) == 0);
    pthread_join(t, NULL);
    return 0;
}
