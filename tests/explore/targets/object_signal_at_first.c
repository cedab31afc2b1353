// explore: --test 'enq(1) enq(2) | deq() | deq()'
// expect: deadlock
// says: the only signal came at step [0-9]* .object_signal_at_first.c:[0-9]*. and woke$
// explore: --test 'enq(1) enq(2) | deq() | deq()'
// expect: deadlock
// says: thread to wake → 0
// explore: --test 'enq(1) enq(2) | deq() | deq()'
// expect: deadlock
// says: why    [cd] waits for ever, although the specification .queue:blocking.$
// explore: --test 'enq(1) enq(2) | deq()'
// expect: no violation
/* A queue that signals only when it was empty: of two who wait one is woken,
 * though there are items for both by then. */
#include <plumb/object.h>
#include <pthread.h>

enum { ROOM = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int64_t item[ROOM];
static unsigned first, behind;

static void setup(void)
{
    first = behind = 0;
}

static void enq(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    item[behind++ % ROOM] = plumb_arg(i, 0);
    if (behind - first == 1)
        pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static void deq(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    while (first == behind)
        pthread_cond_wait(&filled, &lock);
    plumb_return(i, item[first++ % ROOM]);
    pthread_mutex_unlock(&lock);
}

PLUMB_OBJECT(.name = "Q", .spec = "queue:blocking", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
