// explore:
// expect: deadlock
// explore: -- -DCOUNTED
// expect: no violation

/* A customer wakes the barber and waits to be done.  The barber looks whether
 * there is a customer and falls asleep then: a customer who comes in between
 * wakes nobody.  COUNTED: a semaphore remembers it. */
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER;
static atomic_uint waiting;
static sem_t customers, done;

static void wait_for_customer(void)
{
#ifdef COUNTED
    sem_wait(&customers);
#else
    if (atomic_load(&waiting) == 0) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&bell, &lock);
        pthread_mutex_unlock(&lock);
    }
#endif
}

static void *barber(void *unused)
{
    wait_for_customer();
    atomic_fetch_sub(&waiting, 1);
    sem_post(&done);
    return unused;
}

static void *customer(void *unused)
{
    atomic_fetch_add(&waiting, 1);
#ifdef COUNTED
    sem_post(&customers);
#else
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&bell);
    pthread_mutex_unlock(&lock);
#endif
    sem_wait(&done);
    return unused;
}

int main(void)
{
    sem_init(&customers, 0, 0);
    sem_init(&done, 0, 0);
    (void)lock;
    (void)bell;
    RUN_TWO(barber, customer);
    sem_destroy(&done);
    sem_destroy(&customers);
    return 0;
}
