// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// A writer is alone; readers see no half of what it writes.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *write(void *unused)
{
    pthread_rwlock_wrlock(&l);
    assert(pthread_rwlock_wrlock(&l) == EDEADLK);
    assert(pthread_rwlock_rdlock(&l) == EDEADLK);
    a++;
    b++;
    pthread_rwlock_unlock(&l);
    return unused;
}

static void *read(void *unused)
{
    pthread_rwlock_rdlock(&l);
    assert(a == b);
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    pthread_rwlock_unlock(&l);
    assert(a == b);
    pthread_rwlock_unlock(&l);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, write, NULL);
    pthread_create(&t[1], NULL, read, NULL);
    write(NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(a == 2 && b == 2);
    assert(pthread_rwlock_destroy(&l) == 0);
    return 0;
}
