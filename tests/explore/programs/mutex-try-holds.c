// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// Who has got a mutex by trying, or in time, holds it; else it does not.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void enter(int error)
{
    if (error)
        return;
    assert(inside++ == 0);
    inside--;
    pthread_mutex_unlock(&m);
}

static void *try(void *unused)
{
    (void)unused;
    const int error = pthread_mutex_trylock(&m);
    assert(error == 0 || error == EBUSY);
    enter(error);
    return NULL;
}

static void *wait(void *unused)
{
    const struct timespec limit = { .tv_sec = 1 }, wrong = { .tv_nsec = -1 };
    (void)unused;
    int error = pthread_mutex_timedlock(&m, &limit);
    assert(error == 0 || error == ETIMEDOUT);
    enter(error);
    error = pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &wrong);
    assert(error == 0 || error == EINVAL);
    enter(error);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, try, NULL);
    pthread_create(&t[1], NULL, wait, NULL);
    enter(pthread_mutex_lock(&m));
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
