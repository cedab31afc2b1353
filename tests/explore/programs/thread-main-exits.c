// explore: --preemptions all
// expect: assertion failed
// explore: --preemptions all --strategy dpor
// expect: assertion failed
// explore: --strategy dfs
// expect: assertion failed
//
// main() ends by pthread_exit(): the others go on.
#include <assert.h>
#include <pthread.h>

static pthread_t leader;

static void *other(void *unused)
{
    (void)unused;
    pthread_join(leader, NULL);
    assert(!"it goes on");
    return NULL;
}

int main(void)
{
    pthread_t t;
    leader = pthread_self();
    pthread_create(&t, NULL, other, NULL);
    pthread_exit(NULL);
}
