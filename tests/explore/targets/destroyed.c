// explore: -- -DSEMAPHORE
// expect: misuse
// says: sem_wait: the semaphore was destroyed
// explore: --strategy dpor --preemptions all -- -DSEMAPHORE
// expect: misuse
// explore: -- -DCONDITION
// expect: misuse
// says: pthread_cond_signal: the condition variable was destroyed
// explore: --strategy dpor --preemptions all -- -DCONDITION
// expect: misuse
// explore: -- -DBARRIER
// expect: misuse
// says: pthread_barrier_wait: the barrier was destroyed, or never initialised
// explore: --strategy dpor --preemptions all -- -DBARRIER
// expect: misuse
// explore: -- -DRWLOCK
// expect: misuse
// says: pthread_rwlock_rdlock: the lock was destroyed
// explore: --strategy dpor --preemptions all -- -DRWLOCK
// expect: misuse
// explore: -- -DSPINLOCK
// expect: misuse
// says: pthread_spin_lock: the lock was destroyed
// explore: --strategy dpor --preemptions all -- -DSPINLOCK
// expect: misuse
// explore: -- -DSEMAPHORE -DORDERED
// expect: no violation
// explore: -- -DCONDITION -DORDERED
// expect: no violation
// explore: -- -DBARRIER -DORDERED
// expect: no violation
// explore: -- -DRWLOCK -DORDERED
// expect: no violation
// explore: -- -DSPINLOCK -DORDERED
// expect: no violation
/* Something is destroyed before somebody uses it.  ORDERED: when all have used
 * it; then it is made again, and used and destroyed once more. */
#include "threads.h"

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#if defined(SEMAPHORE)
static sem_t object;
#define MAKE()    sem_init(&object, 0, 1)
#define USE()     (sem_wait(&object), sem_post(&object))
#define DESTROY() sem_destroy(&object)
#elif defined(CONDITION)
static pthread_cond_t object;
#define MAKE()    pthread_cond_init(&object, NULL)
#define USE()     pthread_cond_signal(&object)
#define DESTROY() pthread_cond_destroy(&object)
#elif defined(BARRIER)
static pthread_barrier_t object;
#define MAKE()    pthread_barrier_init(&object, NULL, 1)
#define USE()     pthread_barrier_wait(&object)
#define DESTROY() pthread_barrier_destroy(&object)
#elif defined(RWLOCK)
static pthread_rwlock_t object;
#define MAKE()    pthread_rwlock_init(&object, NULL)
#define USE()     (pthread_rwlock_rdlock(&object), pthread_rwlock_unlock(&object))
#define DESTROY() pthread_rwlock_destroy(&object)
#else
static pthread_spinlock_t object;
#define MAKE()    pthread_spin_init(&object, 0)
#define USE()     (pthread_spin_lock(&object), pthread_spin_unlock(&object))
#define DESTROY() pthread_spin_destroy(&object)
#endif

static void *use(void *unused)
{
    USE();
    return unused;
}

static void *end(void *unused)
{
#if defined(ORDERED)
    USE();
#else
    DESTROY();
#endif
    return unused;
}

int main(void)
{
    MAKE();
    RUN_TWO(use, end);
#if defined(ORDERED)
    DESTROY();
    MAKE();
    USE();
    DESTROY();
#endif
    return 0;
}
