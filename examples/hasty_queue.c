/* hasty_queue.c - a queue whose taker looks before it locks, and not again:
 * docs/testing-an-object.md finds out what is wrong with that. */
#include <plumb/object.h>
#include <pthread.h>

enum { ROOM = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t item[ROOM];
static volatile unsigned first, behind;

static bool put(int64_t x)
{
    pthread_mutex_lock(&lock);
    const bool fits = behind - first < ROOM;
    if (fits)
        item[behind++ % ROOM] = x;
    pthread_mutex_unlock(&lock);
    return fits;
}

static bool take(int64_t *x)
{
    if (first == behind)
        return false;
    pthread_mutex_lock(&lock);
    *x = item[first++ % ROOM];
    pthread_mutex_unlock(&lock);
    return true;
}

static void setup(void)
{
    first = behind = 0;
}

static void enq(plumb_invocation *i)
{
    if (!put(plumb_arg(i, 0)))
        plumb_term(i, "full");
}

static void deq(plumb_invocation *i)
{
    int64_t x;
    if (take(&x))
        plumb_return(i, x);
    else
        plumb_term(i, "empty");
}

PLUMB_OBJECT(.name = "Q", .spec = "queue:cap=4", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
