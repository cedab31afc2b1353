// explore:
// expect: assertion
// says: also: data race
// explore: --races interleave
// expect: assertion
// explore: -- -DLOCKED
// expect: no violation

/* Two threads count without a lock. */
#include <assert.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *counts(void *unused)
{
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    count++;
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void)
{
    (void)lock;
    RUN_TWO(counts, counts);
    assert(count == 2);
    return 0;
}
