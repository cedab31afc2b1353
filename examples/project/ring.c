/* ring.c - a small queue behind a lock. */
#include "ring.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t item[RING_ROOM];
static unsigned first, behind;

void ring_clear(void)
{
    first = behind = 0;
}

bool ring_put(int64_t x)
{
    pthread_mutex_lock(&lock);
    const bool fits = behind - first < RING_ROOM;
    if (fits)
        item[behind++ % RING_ROOM] = x;
    pthread_mutex_unlock(&lock);
    return fits;
}

bool ring_take(int64_t *x)
{
    pthread_mutex_lock(&lock);
    const bool any = first != behind;
    if (any)
        *x = item[first++ % RING_ROOM];
    pthread_mutex_unlock(&lock);
    return any;
}
