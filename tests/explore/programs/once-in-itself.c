// explore: --preemptions all
// expect: deadlock
// explore: --preemptions all --strategy dpor
// expect: deadlock
// explore: --strategy dfs
// expect: deadlock
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;

static void run(void)
{
    pthread_once(&control, run);
}

int main(void)
{
    pthread_once(&control, run);
    return 0;
}
