// explore: --preemptions all
// expect: deadlock
// explore: --preemptions all --strategy dpor
// expect: deadlock
// explore: --strategy dfs
// expect: deadlock
#include <pthread.h>

int main(void)
{
    pthread_barrier_t b;
    pthread_barrier_init(&b, NULL, 2);
    pthread_barrier_wait(&b);
    return 0;
}
