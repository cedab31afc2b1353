// explore: --spec infer --test 'start() get() | get()'
// expect: no violation
// explore: --spec infer --test 'start() get()' -- -DCOUNTS
// expect: nondeterministic
// says: serial 2: P1 start\(\) = ok, P1 get\(\) = 0
// explore: --spec infer --races ignore --no-minimise --test 'start() get()' -- -DCHOOSES
// expect: nondeterministic
// says: serial 2: P1 start\(\) = ok, P1 get\(\) waits for ever
// explore: --spec infer --races ignore --test 'start() get() | get()' -- -DSPINS
// expect: no violation

/* An operation starts a thread, which takes the lock that others want.  Such a
 * thread may go on between serial operations and inside.  COUNTS: it changes
 * what a get answers.  CHOOSES: a get goes on as long as it likes, beside a
 * thread that does so as well.  SPINS: for ever, once the thread was
 * started. */
#include <pthread.h>

#include <plumb/object.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int64_t value;
static _Atomic bool started, ticks, tries;

static void *work(void *nothing)
{
#if defined CHOOSES || defined SPINS
    for (;;)
        ticks ^= 1;
#endif
    pthread_mutex_lock(&lock);
#ifdef COUNTS
    value++;
#endif
    pthread_mutex_unlock(&lock);
    return nothing;
}

static void start(plumb_invocation *i)
{
    pthread_t thread;
    (void)i;
    started = true;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
}

static void get(plumb_invocation *i)
{
#ifdef CHOOSES
    while (plumb_choose(2))
        ;
#endif
#ifdef SPINS
    while (started)
        tries ^= 1;
#endif
    pthread_mutex_lock(&lock);
    plumb_return(i, value);
    pthread_mutex_unlock(&lock);
}

PLUMB_OBJECT(.name = "C", .spec = "counter",
             .operations = { { "start", start }, { "get", get } });
