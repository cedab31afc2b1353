// explore: --test 'enq(1) | deq()' --preemptions 2
// expect: no violation
// explore: --test 'enq(1) | deq()' --preemptions 3
// expect: not linearizable
// explore: --test 'enq(1) | deq()' --preemptions all
// expect: not linearizable

/* A queue whose fault needs three preemptions: an enq and a deq that meet twice
 * on the way.  The sign is raised, answered and raised again in turns, and each
 * of the two takes back its own when it goes on alone. */
#include <pthread.h>
#include <stdatomic.h>

#include <plumb/object.h>

enum { ROOM = 8 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t item[ROOM];
static unsigned first, behind;
static atomic_int sign;

static void enq(plumb_invocation *i)
{
    atomic_store(&sign, 1);
    if (atomic_load(&sign) == 2)
        atomic_store(&sign, 3);
    atomic_store(&sign, 0);
    pthread_mutex_lock(&lock);
    item[behind++] = plumb_arg(i, 0);
    pthread_mutex_unlock(&lock);
}

static void deq(plumb_invocation *i)
{
    bool met = false;
    if (atomic_load(&sign) == 1) {
        atomic_store(&sign, 2);
        met = atomic_load(&sign) == 3;
    }
    pthread_mutex_lock(&lock);
    if (met)
        plumb_return(i, 99);
    else if (first == behind)
        plumb_term(i, "empty");
    else
        plumb_return(i, item[first++]);
    pthread_mutex_unlock(&lock);
}

PLUMB_OBJECT(.name = "Q", .spec = "queue",
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
