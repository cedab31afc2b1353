// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
#define _GNU_SOURCE
#include "futex.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static atomic_uint word;

static void *wait(void *unused)
{
    const struct timespec limit = { .tv_nsec = 1 };
    const long result = futex_wait(&word, 0, &limit);
    assert(result == 0 ||
           (result == -1 && (errno == ETIMEDOUT || errno == EAGAIN)));
    return unused;
}

int main(void)
{
    pthread_t t[2];
    assert(futex_wait(&word, 1, NULL) == -1 && errno == EAGAIN);
    assert(futex_wake(&word, 1) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, wait, NULL);
    atomic_store(&word, 1);
    const long woken = futex_wake(&word, 1);
    assert(woken == 0 || woken == 1);
    const long rest = futex_wake(&word, 5);
    assert(woken + rest <= 2 && (woken || !rest));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
