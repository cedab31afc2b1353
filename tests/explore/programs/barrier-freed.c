// explore: --preemptions all
// expect: no violation
// explore: --strategy dpor --preemptions all
// expect: no violation
/* One of those who met destroys the barrier and frees it: the others have left
 * by then. */
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *meet(void *unused)
{
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(barrier);
        free(barrier);
    }
    return unused;
}

int main(void)
{
    pthread_t other;
    barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&other, NULL, meet, NULL);
    meet(NULL);
    pthread_join(other, NULL);
    return 0;
}
