// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// What threads are given and return, and what joining and detaching answers.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

static pthread_t leader, own[4];

static void *twice(void *number)
{
    assert(!pthread_equal(pthread_self(), leader));
    own[(intptr_t)number] = pthread_self();
    if ((intptr_t)number == 2)
        pthread_exit((void *)4);
    return (void *)(2 * (intptr_t)number);
}

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t t[3];
    void *result;
    leader = pthread_self();
    for (intptr_t i = 0; i < 3; i++)
        assert(pthread_create(&t[i], NULL, twice, (void *)(i + 1)) == 0);
    assert(!pthread_equal(t[0], t[1]));
    for (intptr_t i = 0; i < 3; i++) {
        assert(pthread_join(t[i], &result) == 0);
        assert((intptr_t)result == 2 * (i + 1));
        assert(pthread_equal(t[i], own[i + 1]));
    }
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);

    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    assert(pthread_create(&t[0], &attributes, nothing, NULL) == 0);
    assert(pthread_join(t[0], NULL) == EINVAL);
    assert(pthread_detach(t[0]) == EINVAL);
    assert(pthread_create(&t[1], NULL, nothing, NULL) == 0);
    assert(pthread_detach(t[1]) == 0);
    assert(pthread_join(t[1], NULL) == EINVAL);
    return 0;
}
