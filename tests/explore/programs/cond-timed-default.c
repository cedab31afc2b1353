// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// The same as cond-timed.c with the clock that the condition was given, and
// with a limit that has passed.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
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
    pthread_condattr_t attributes;
    pthread_t t;
    pthread_condattr_init(&attributes);
    assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
    assert(pthread_cond_init(&c, &attributes) == 0);
    clock_gettime(CLOCK_MONOTONIC, &limit);
    pthread_mutex_lock(&m);
    assert(pthread_cond_timedwait(&c, &m, &limit) == ETIMEDOUT);
    pthread_create(&t, NULL, other, NULL);
    limit.tv_sec += 5;
    int error = 0;
    while (!value && !error)
        error = pthread_cond_timedwait(&c, &m, &limit);
    assert(error ? error == ETIMEDOUT : value == 1);
    pthread_mutex_unlock(&m);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(!error || now.tv_sec >= limit.tv_sec);
    pthread_join(t, NULL);
    assert(pthread_cond_destroy(&c) == 0);
    return 0;
}
