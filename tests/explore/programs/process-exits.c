// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// exit() ends everything: nobody comes to the assertion.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *other(void *unused)
{
    (void)unused;
    exit(0);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    assert(!"not reached");
    return 0;
}
