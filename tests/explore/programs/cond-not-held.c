// explore: --preemptions all
// expect: misuse
// explore: --preemptions all --strategy dpor
// expect: misuse
// explore: --strategy dfs
// expect: misuse
//
// A wait with a mutex that the thread does not hold.
#include <pthread.h>

int main(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_cond_wait(&c, &m);
    return 0;
}
