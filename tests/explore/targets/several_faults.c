// explore: --preemptions all
// expect: use after free|deadlock|assertion failed|data race
// explore: --keep-going
// expect: use after free
// says: ^  also: deadlock
// explore: --keep-going
// expect: use after free
// says: ^  assertion failed: looked == 0
// explore: --keep-going
// expect: use after free
// says: ^  assertion failed: atomic_load\(&first\)

/* A program with one fault of each kind, and two assertions that fail:
 * --keep-going finds them all, each once (keep_going.sh). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int first, second;
static _Atomic(int *) shared;
static int plain;

static void take(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}

static void uses(void)
{
    int *const at = atomic_load(&shared);
    if (at)
        *at = 1;
}

static void *goes_first(void *unused)
{
    take(&a, &b);
    plain++;
    atomic_store(&first, 1);
    const int looked = atomic_load(&second);
    assert(looked == 0);
    uses();
    return unused;
}

static void *goes_second(void *unused)
{
    take(&b, &a);
    plain++;
    atomic_store(&second, 1);
    free(atomic_exchange(&shared, NULL));
    assert(atomic_load(&first));
    return unused;
}

int main(void)
{
    atomic_store(&shared, malloc(sizeof(int)));
    RUN_TWO(goes_first, goes_second);
    return 0;
}
