// explore:
// expect: misuse
// explore: -- -DOTHER
// expect: misuse
// explore: -- -DDESTROYED
// expect: misuse

/* Locks used as they must not be: unlocked by one who does not hold it, in one
 * schedule; OTHER: by another than the holder; DESTROYED
 * before it is locked. */
#include <stdatomic.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int held;

static void *holds(void *unused)
{
    pthread_mutex_lock(&lock);
    atomic_store(&held, 1);
    atomic_store(&held, 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *interferes(void *unused)
{
#if defined(OTHER)
    if (atomic_load(&held))
        pthread_mutex_unlock(&lock);
#elif defined(DESTROYED)
    pthread_mutex_destroy(&lock);
#else
    if (!atomic_load(&held))
        pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void)
{
    RUN_TWO(holds, interferes);
    return 0;
}
