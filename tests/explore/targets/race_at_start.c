// explore:
// expect: data race
// explore: -- -DBEFORE
// expect: no violation

/* What is written after a thread was started races with what it reads first.
 * BEFORE: it is written before. */
#include "threads.h"

int input;

static void *reads(void *unused)
{
    return input > 5 ? NULL : unused;
}

int main(void)
{
    pthread_t thread;
#ifdef BEFORE
    input = 1;
#endif
    pthread_create(&thread, NULL, reads, NULL);
#ifndef BEFORE
    input = 1;
#endif
    pthread_join(thread, NULL);
    return input - 1;
}
