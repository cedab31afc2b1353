// explore: --preemptions all
// expect: deadlock
// explore: --preemptions all --strategy dpor
// expect: deadlock
// explore: --strategy dfs
// expect: deadlock
//
// A normal mutex waits for ever for its own holder.
#include <pthread.h>

int main(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return 0;
}
