// explore:
// expect: deadlock
// says: T3 holds lock.2. .* waits for lock.0., held by T1
// explore: -- -DORDERED
// expect: no violation

/* Thread i takes lock i and then the next one round.  With ORDERED everybody
 * begins with the lock of the lower number. */
#include "threads.h"

enum { THREADS = 3 };
static pthread_mutex_t lock[THREADS] = { PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER };

static void *take_two(void *argument)
{
    unsigned a = number_of(argument), b = (a + 1) % THREADS;
#ifdef ORDERED
    if (a > b) {
        const unsigned t = a;
        a = b;
        b = t;
    }
#endif
    pthread_mutex_lock(&lock[a]);
    pthread_mutex_lock(&lock[b]);
    pthread_mutex_unlock(&lock[b]);
    pthread_mutex_unlock(&lock[a]);
    return NULL;
}

int main(void)
{
    run_same(THREADS, take_two);
    return 0;
}
