// explore: --preemptions all
// expect: assertion failed
// explore: --preemptions all --strategy dpor
// expect: assertion failed
// explore: --strategy dfs
// expect: assertion failed
//
// Two readers can be inside at once: then the assertion fails.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int inside;

static void *read(void *unused)
{
    pthread_rwlock_rdlock(&l);
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    pthread_rwlock_unlock(&l);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, read, NULL);
    read(NULL);
    pthread_join(t, NULL);
    return 0;
}
