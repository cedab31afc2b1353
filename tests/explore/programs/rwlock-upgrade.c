// explore: --preemptions all
// expect: deadlock
// explore: --preemptions all --strategy dpor
// expect: deadlock
// explore: --strategy dfs
// expect: deadlock
//
// A reader that wants to write waits for itself.
#include <pthread.h>

int main(void)
{
    pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    return 0;
}
