// explore: --preemptions all
// expect: assertion failed
// explore: --preemptions all --strategy dpor
// expect: assertion failed
// explore: --strategy dfs
// expect: assertion failed
//
// The limit of a wait can pass before the signal: then the assertion fails.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int value;

static void *other(void *unused)
{
    pthread_mutex_lock(&m);
    value = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    struct timespec limit, now;
    pthread_t t;
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += 5;
    pthread_create(&t, NULL, other, NULL);
    pthread_mutex_lock(&m);
    int error = 0;
    while (!value && !error)
        error = pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &limit);
    assert(error == 0);
    pthread_mutex_unlock(&m);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(!error || now.tv_sec >= limit.tv_sec);
    pthread_join(t, NULL);
    return 0;
}
