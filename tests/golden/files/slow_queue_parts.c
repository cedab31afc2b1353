/* slow_queue_parts.c - the queue itself; -DROOM=N says how long it may be. */
#include "slow_queue.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t item[ROOM];
static unsigned first, behind;

void slow_queue_clear(void)
{
    first = behind = 0;
}

void slow_queue_put(int64_t x)
{
    pthread_mutex_lock(&lock);
    item[behind++ % ROOM] = x;
    pthread_mutex_unlock(&lock);
}

bool slow_queue_get(int64_t *x)
{
    pthread_mutex_lock(&lock);
    const bool some = first < behind;
    if (some)
        *x = item[first++ % ROOM];
    pthread_mutex_unlock(&lock);
    return some;
}
