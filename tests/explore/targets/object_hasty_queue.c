// explore: --test 'enq(1) | deq() | deq()'
// expect: not linearizable
// explore: --test 'enq(1) | deq()'
// expect: no violation
// explore: --test 'enq(1) | deq() | deq()' -- -DLOCKED
// expect: no violation

/* Whether there is anything is looked at before the lock is taken. */
#include <pthread.h>
#include <stdatomic.h>

#include <plumb/object.h>

enum { ROOM = 8 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t item[ROOM];
static atomic_uint first, behind;

static void enq(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    item[atomic_load(&behind)] = plumb_arg(i, 0);
    atomic_fetch_add(&behind, 1);
    pthread_mutex_unlock(&lock);
}

static void deq(plumb_invocation *i)
{
#ifndef LOCKED
    if (atomic_load(&first) == atomic_load(&behind)) {
        plumb_term(i, "empty");
        return;
    }
#endif
    pthread_mutex_lock(&lock);
#ifdef LOCKED
    if (atomic_load(&first) == atomic_load(&behind))
        plumb_term(i, "empty");
    else
#endif
        plumb_return(i, item[atomic_fetch_add(&first, 1)]);
    pthread_mutex_unlock(&lock);
}

PLUMB_OBJECT(.name = "Q", .spec = "queue",
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
