// explore: --preemptions all
// expect: undecided \(not modelled
// explore: --preemptions all --strategy dpor
// expect: undecided \(not modelled
// explore: --strategy dfs
// expect: undecided \(not modelled
#include <pthread.h>

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    pthread_cancel(t);
    return 0;
}
