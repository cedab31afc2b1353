// explore:
// expect: assertion failed
// says: futex_wake word → wakes 1
// explore: --strategy dfs
// expect: assertion failed
// says: futex_wake word → wakes 1
// explore:
// expect: assertion failed
// says: futex_wait word → woken
// explore:
// expect: assertion failed
// says: futex_wait reads word → 0
// explore: -- -DNOBODY
// expect: assertion failed
// says: futex_wake word → wakes nobody
// explore: -- -DNO_BITS
// expect: assertion failed
// says: futex_wake word → EINVAL
// explore: -- -DOTHER
// expect: assertion failed
// says: futex_wait word → EAGAIN
// explore: -- -DLATE
// expect: assertion failed
// says: futex_wait word → timed out
//
// What a futex answers is a number of threads, or an error.
#define _GNU_SOURCE
#include "futex.h"
#include <assert.h>
#include <pthread.h>

static atomic_uint word;

static void *wait(void *unused)
{
    futex_wait(&word, 0, NULL);
    return unused;
}

static long wake_one(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait, NULL);
    word = 1;
    const long woken = futex_wake(&word, 1);
    pthread_join(t, NULL);
    return woken;
}

int main(void)
{
#if defined(NOBODY)
    assert(futex_wake(&word, 1) != 0);
#elif defined(NO_BITS)
    assert(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 0) == 0);
#elif defined(OTHER)
    assert(futex_wait(&word, 1, NULL) == 0);
#elif defined(LATE)
    const struct timespec limit = { .tv_nsec = 1 };
    assert(futex_wait(&word, 0, &limit) == 0);
#else
    assert(wake_one() == 0);
#endif
    return 0;
}
