// explore: --test 'deq() | deq()'
// expect: not linearizable
// explore: --test 'deq() | deq()' --spec semiqueue
// expect: no violation
// explore: --test 'deq()' --spec queue
// expect: not linearizable
// explore: --test 'deq()' --spec queue -- -DNO_LOT
// expect: no violation

/* A deq takes one of the first two items, by lot: every draw is a choice, so
 * that even one process alone may go wrong. */
#include <pthread.h>

#include <plumb/object.h>

enum { ROOM = 8 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t item[ROOM];
static unsigned count;

static void setup(void)
{
    count = 0;
}

static void enq(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    item[count++] = plumb_arg(i, 0);
    pthread_mutex_unlock(&lock);
}

static unsigned draw(void)
{
#ifdef NO_LOT
    return 0;
#else
    return count > 1 ? plumb_choose(2) : 0;
#endif
}

static void deq(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    if (count == 0) {
        plumb_term(i, "empty");
    } else {
        const unsigned at = draw();
        plumb_return(i, item[at]);
        count--;
        for (unsigned k = at; k < count; k++)
            item[k] = item[k + 1];
    }
    pthread_mutex_unlock(&lock);
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } },
             .init = "enq(1) enq(2)");
