// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// Nobody passes before all have come; one of them is told so; again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 2, ROUNDS = 2 };
static pthread_barrier_t b;
static atomic_int came, serial;

static void *walk(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        atomic_fetch_add(&came, 1);
        const int result = pthread_barrier_wait(&b);
        assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
        assert(atomic_load(&came) >= (i + 1) * THREADS);
        if (result)
            atomic_fetch_add(&serial, 1);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    assert(pthread_barrier_init(&b, NULL, 0) == EINVAL);
    assert(pthread_barrier_init(&b, NULL, THREADS) == 0);
    pthread_create(&t, NULL, walk, NULL);
    walk(NULL);
    pthread_join(t, NULL);
    assert(atomic_load(&serial) == ROUNDS);
    assert(pthread_barrier_destroy(&b) == 0);
    return 0;
}
