// explore: --preemptions all
// expect: misuse
// explore: --preemptions all --strategy dpor
// expect: misuse
// explore: --strategy dfs
// expect: misuse
#include <pthread.h>

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    pthread_join(t, NULL);
    pthread_join(t, NULL);
    return 0;
}
