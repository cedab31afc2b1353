// explore:
// expect: no violation
// explore: -- -DSWAPPED
// expect: deadlock

/* A buffer of one place, two semaphores and a third for the lock.  SWAPPED
 * takes the lock first and waits with it. */
#include <assert.h>
#include <semaphore.h>

#include "threads.h"

static sem_t room, items, lock;
static int place;

static void down_both(sem_t *count)
{
#ifdef SWAPPED
    sem_wait(&lock);
    sem_wait(count);
#else
    sem_wait(count);
    sem_wait(&lock);
#endif
}

static void *puts_two(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        down_both(&room);
        place = i;
        sem_post(&lock);
        sem_post(&items);
    }
    return unused;
}

static void *takes_two(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        down_both(&items);
        assert(place == i);
        sem_post(&lock);
        sem_post(&room);
    }
    return unused;
}

int main(void)
{
    sem_init(&room, 0, 1);
    sem_init(&items, 0, 0);
    sem_init(&lock, 0, 1);
    RUN_TWO(puts_two, takes_two);
    sem_destroy(&lock);
    sem_destroy(&items);
    sem_destroy(&room);
    return 0;
}
