// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// Who is told that all have come may destroy the barrier, and free it.
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *b;

static void *walk(void *unused)
{
    if (pthread_barrier_wait(b) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(b);
        free(b);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    b = malloc(sizeof *b);
    pthread_barrier_init(b, NULL, 2);
    pthread_create(&t, NULL, walk, NULL);
    walk(NULL);
    pthread_join(t, NULL);
    return 0;
}
