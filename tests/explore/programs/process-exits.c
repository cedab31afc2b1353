// expect: pass
// exit() ends everything: nobody comes to the assertion.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void handler(void)
{
    assert(!"what is told to atexit() is not done");
}

static void *other(void *unused)
{
    (void)unused;
    exit(0);
}

int main(void)
{
    pthread_t t;
    atexit(handler);
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    assert(!"not reached");
    return 0;
}
