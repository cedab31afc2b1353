/* zoo.c - operations whose serial behaviour is easily told: zoo.py does.
 *
 * Some wait: for a semaphore, a lock, room or items in a small buffer, a flag in
 * a loop.  Some wait only for a time.  One throws a coin.
 *
 * -DFAULTS: the same serially, but a put wakes only one of those that wait,
 * and keeps the lock of the buffer if it had to wait itself; a flag is
 * set in two steps; and unlock() lets others in before it has let go. */
#define _GNU_SOURCE
#include <plumb/object.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef FAULTS
enum { FAULTY = true };
#else
enum { FAULTY = false };
#endif

enum { ROOM = 2 };

static sem_t semaphore;
static pthread_mutex_t lock_of_all;
static _Thread_local char me; /* who takes the lock has to let go of it */
static _Atomic(char *) owner;
static atomic_int flag;

static pthread_mutex_t mutex;
static pthread_cond_t changed;
static int64_t item[ROOM];
static unsigned items;
static char *said; /* on the heap */

static const struct timespec soon = { .tv_sec = 1 };

static void setup(void)
{
    sem_init(&semaphore, 0, 0);
    pthread_mutex_init(&lock_of_all, NULL);
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&changed, NULL);
    owner = NULL;
    flag = 0;
    items = 0;
    said = NULL;
}

static void teardown(void)
{
    free(said);
}

/* ---- a semaphore ---- */

static void post(plumb_invocation *i)
{
    (void)i;
    sem_post(&semaphore);
}

static void wait_for(plumb_invocation *i)
{
    (void)i;
    sem_wait(&semaphore);
}

static void try_wait(plumb_invocation *i)
{
    plumb_return_bool(i, sem_trywait(&semaphore) == 0);
}

static void timed_wait(plumb_invocation *i)
{
    plumb_return_bool(i, sem_timedwait(&semaphore, &soon) == 0);
}

/* ---- a lock that is kept ---- */

static void lock(plumb_invocation *i)
{
    (void)i;
    pthread_mutex_lock(&lock_of_all);
    owner = &me;
}

static void timed_lock(plumb_invocation *i)
{
    if (pthread_mutex_timedlock(&lock_of_all, &soon) != 0) {
        plumb_term(i, "late");
        return;
    }
    owner = &me;
}

static void unlock(plumb_invocation *i)
{
    if (owner != &me) {
        plumb_term(i, "not mine");
        return;
    }
    if (FAULTY)
        pthread_mutex_unlock(&lock_of_all);
    owner = NULL;
    if (!FAULTY)
        pthread_mutex_unlock(&lock_of_all);
}

/* ---- a buffer ---- */

static void put(plumb_invocation *i)
{
    bool waited = false;
    pthread_mutex_lock(&mutex);
    for (; items == ROOM; waited = FAULTY)
        pthread_cond_wait(&changed, &mutex);
    item[items++] = plumb_arg(i, 0);
    if (FAULTY)
        pthread_cond_signal(&changed);
    else
        pthread_cond_broadcast(&changed);
    if (!waited)
        pthread_mutex_unlock(&mutex);
}

static void take_first(plumb_invocation *i)
{
    plumb_return(i, item[0]);
    item[0] = item[1];
    items--;
    pthread_cond_broadcast(&changed);
}

static void take(plumb_invocation *i)
{
    pthread_mutex_lock(&mutex);
    while (!items)
        pthread_cond_wait(&changed, &mutex);
    take_first(i);
    pthread_mutex_unlock(&mutex);
}

static void timed_take(plumb_invocation *i)
{
    pthread_mutex_lock(&mutex);
    int late = 0;
    while (!items && !late)
        late = pthread_cond_timedwait(&changed, &mutex, &soon);
    if (items)
        take_first(i);
    else
        plumb_term(i, "empty");
    pthread_mutex_unlock(&mutex);
}

/* More results than most. */
static void look(plumb_invocation *i)
{
    pthread_mutex_lock(&mutex);
    plumb_term(i, "items");
    for (unsigned k = 0; k < 10; k++)
        plumb_return(i, k < items ? item[k] : -1);
    plumb_return_bool(i, items == ROOM);
    pthread_mutex_unlock(&mutex);
}

/* ---- the rest ---- */

static void say(plumb_invocation *i)
{
    char *const copy = strdup(plumb_arg_text(i, 0));
    pthread_mutex_lock(&mutex);
    plumb_return_text(i, said ? said : "");
    free(said);
    said = copy;
    pthread_mutex_unlock(&mutex);
}

static void spin(plumb_invocation *i)
{
    (void)i;
    while (!flag)
        sched_yield();
}

static void set(plumb_invocation *i)
{
    const int before = FAULTY ? flag : atomic_fetch_xor(&flag, 1);
    if (FAULTY)
        flag = 1 - before;
    plumb_return(i, before);
}

static void coin(plumb_invocation *i)
{
    plumb_return(i, rand() % 2);
}

PLUMB_OBJECT(.name = "Z", .setup = setup, .teardown = teardown,
             .operations = { { "post", post },
                             { "wait", wait_for },
                             { "try_wait", try_wait },
                             { "timed_wait", timed_wait },
                             { "lock", lock },
                             { "timed_lock", timed_lock },
                             { "unlock", unlock },
                             { "put", put, { PLUMB_RANGE(1, 2) } },
                             { "take", take },
                             { "timed_take", timed_take },
                             { "look", look },
                             { "say", say, { PLUMB_ONE_OF("a b") } },
                             { "spin", spin },
                             { "set", set },
                             { "coin", coin } });
