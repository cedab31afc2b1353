// explore:
// expect: assertion failed
// says: barrier_wait b → serial thread
//
// One of those who meet is chosen, which is no error.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;

int main(void)
{
    pthread_barrier_init(&b, NULL, 1);
    assert(pthread_barrier_wait(&b) == 0);
    return 0;
}
