// explore:
// expect: deadlock
// says: T1 holds lock \(.*\) and waits for lock, held by T1 and T2
// explore: --strategy dpor
// expect: deadlock
// says: ↳ waits for lock, held by T1 and T2
// explore: -- -DTRY
// expect: deadlock
// says: T2 holds lock \(.*\) and waits for lock, held by T1 and T2
// explore: -- -DRECURSIVE
// expect: deadlock
// says: waits for twice, held by T1
/* Two who read a lock both want to write it, and each waits for the other to
 * read no more.  TRY: they got it by trying.  RECURSIVE: one has locked a mutex
 * twice, unlocks it once, and ends. */
#define _GNU_SOURCE
#include "threads.h"

#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t twice = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *upgrade(void *unused)
{
#if defined(TRY)
    if (pthread_rwlock_tryrdlock(&lock))
        return unused;
#else
    pthread_rwlock_rdlock(&lock);
#endif
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *lock_twice(void *unused)
{
    pthread_mutex_lock(&twice);
    pthread_mutex_lock(&twice);
    pthread_mutex_unlock(&twice);
    return unused;
}

int main(void)
{
#if defined(RECURSIVE)
    RUN_TWO(lock_twice, lock_twice);
#else
    RUN_TWO(upgrade, upgrade);
#endif
    return 0;
}
