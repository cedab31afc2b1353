// explore: --preemptions all
// expect: misuse
// explore: --preemptions all --strategy dpor
// expect: misuse
// explore: --strategy dfs
// expect: misuse
//
// A normal mutex is unlocked by one who does not hold it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused)
{
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    return 0;
}
