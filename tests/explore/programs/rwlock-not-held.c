// explore: --preemptions all
// expect: misuse
// explore: --preemptions all --strategy dpor
// expect: misuse
// explore: --strategy dfs
// expect: misuse
#include <pthread.h>

int main(void)
{
    pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_unlock(&l);
    return 0;
}
