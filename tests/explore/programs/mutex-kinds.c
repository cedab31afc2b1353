// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// What each kind of mutex answers to its holder, and to others.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking;
static int count;

static void *other(void *unused)
{
    (void)unused;
    assert(pthread_mutex_unlock(&checking) == EPERM);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    count++;
    pthread_mutex_unlock(&recursive);
    count++;
    pthread_mutex_unlock(&recursive);
    return NULL;
}

static void check(void)
{
    assert(pthread_mutex_lock(&checking) == 0);
    assert(pthread_mutex_lock(&checking) == EDEADLK);
    assert(pthread_mutex_trylock(&checking) == EBUSY);
    assert(pthread_mutex_destroy(&checking) == EBUSY);
    assert(pthread_mutex_unlock(&checking) == 0);
    assert(pthread_mutex_unlock(&checking) == EPERM);
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_t t;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutex_init(&checking, &attributes) == 0);
    pthread_create(&t, NULL, other, NULL);
    check();
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_trylock(&recursive) == 0);
    const int seen = count;
    assert(seen == 0 || seen == 2);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(count == seen);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    pthread_join(t, NULL);
    assert(count == 2);
    assert(pthread_mutex_destroy(&checking) == 0);
    return 0;
}
