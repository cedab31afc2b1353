// explore: --preemptions all
// expect: undecided \(not modelled
// explore: --preemptions all --strategy dpor
// expect: undecided \(not modelled
// explore: --strategy dfs
// expect: undecided \(not modelled
#include <pthread.h>

static int touched;

int main(void)
{
    touched++;
    pthread_mutexattr_t attributes;
    pthread_mutex_t m;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attributes);
    return 0;
}
