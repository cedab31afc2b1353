// explore: --test 'take() | put(1)'
// expect: no violation
// explore: --test 'take() | take() | put(1)'
// expect: no violation
// explore: --test 'put(1) put(2) | take()'
// expect: no violation
// explore: --test 'put(1) put(2) | put(3) take()'
// expect: no violation
// explore: --test 'put(1) put(2) | take()' -- -DNO_SIGNAL
// expect: deadlock|livelock
// explore: --test 'put(1) put(2) | take() take()' -- -DNO_SIGNAL
// expect: deadlock|livelock
// explore: --test 'take() | take() | put(1) put(2)' -- -DONE_CONDITION
// expect: deadlock|livelock
// explore: --test 'put(1) | take()' -- -DKEEPS_LOCK
// expect: deadlock|livelock
// explore: --spec infer --test 'take() | take() | put(1)'
// expect: no violation
// says: 4 serial histories of the object itself; 4 of them wait
// explore: --spec infer --test 'put(1) put(2) | put(3) take()'
// expect: no violation
// explore: --spec infer --test 'put(1) put(2) | take()' -- -DNO_SIGNAL
// expect: deadlock|livelock
// explore: --spec infer --test 'put(1) | take()' -- -DKEEPS_LOCK
// expect: no violation
// explore: --spec infer --test 'take() | take()'
// expect: no violation
// says: 2 serial histories of the object itself; 2 of them wait

/* A queue of one place, whose operations wait.  A take of an empty queue may
 * wait for ever, and a put while it is full; but not otherwise.  NO_SIGNAL: a
 * take does not tell those who want to put.  ONE_CONDITION: all wait for the
 * same condition, and one of them is woken, perhaps the wrong one.
 * KEEPS_LOCK: a put forgets to unlock,
 * which also shows serially: a specification that is inferred allows it. */
#include <pthread.h>

#include <plumb/object.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
#ifdef ONE_CONDITION
#define emptied filled
#else
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
#endif
static bool is_full;
static int64_t place;

static void put(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    while (is_full)
        pthread_cond_wait(&emptied, &lock);
    is_full = true;
    place = plumb_arg(i, 0);
    pthread_cond_signal(&filled);
#ifndef KEEPS_LOCK
    pthread_mutex_unlock(&lock);
#endif
}

static void take(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    while (!is_full)
        pthread_cond_wait(&filled, &lock);
    is_full = false;
    plumb_return(i, place);
#ifndef NO_SIGNAL
    pthread_cond_signal(&emptied);
#endif
    pthread_mutex_unlock(&lock);
}

PLUMB_OBJECT(.name = "Q", .spec = "queue:cap=1",
             .operations = { { "put", put, { PLUMB_FRESH } },
                             { "take", take } });
