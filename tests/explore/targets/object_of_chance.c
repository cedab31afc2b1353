// explore: --spec infer --test 'add(1) get() | get()'
// expect: no violation
// says: Compared with 3 serial histories
// explore: --spec infer --init 'add(1)' --final 'get() get()' --test 'add(2) | add(4) get()'
// expect: no violation
// explore: --spec infer --test 'add(1) get() | get()' -- -DCHOOSE
// expect: nondeterministic
// says: serial 2: P1 add\(1\) = ok, P1 get\(\) = 2
// explore: --spec infer --final 'get()' --test 'add(1)' -- -DCHOOSE
// expect: nondeterministic
// explore: --spec infer --test 'get() | get()' -- -DRANDOM
// expect: nondeterministic
// says: serial 2: P1 get\(\) = 1
// explore: --spec infer --test 'add(1) get() | get()' -- -DENDLESS
// expect: nondeterministic
// says: serial 2: P1 get\(\) waits for ever
// explore: --spec infer --test 'add(1) get() | get()' -- -DWAITS
// expect: nondeterministic
// says: serial 2: P1 add\(1\) = ok, P1 get\(\) waits for ever
// explore: --spec infer --test 'get() | get()' -- -DOFTEN
// expect: nondeterministic
// explore: --spec infer --steps 200 --test 'get()' -- -DLONGER
// expect: nondeterministic
// explore: --spec infer --test 'add(1) get() | get()' -- -DHIDDEN
// expect: no violation
// explore: --spec infer --test 'add(1) get() | get()' -- -DADDRESS
// expect: no violation
// explore: --spec infer --test 'add(1) get() | get()' -- -DCLOCK
// expect: no violation

/* A number behind a lock, to which a get adds what it draws.  CHOOSE, RANDOM:
 * by lot, so that no deterministic specification fits.  OFTEN: more answers
 * than are kept.  LONGER: there is always one more.  ENDLESS, WAITS: an answer,
 * or none.  HIDDEN: a choice that nothing depends on.  ADDRESS, CLOCK:
 * where a block is, and what time it is, are the same in every execution with
 * the same steps. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <plumb/object.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER;
static int64_t value;

static void setup(void)
{
    value = 0;
#ifdef WAITS
    pthread_mutex_init(&kept, NULL);
    pthread_mutex_lock(&kept);
#endif
}

static void add(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    value += plumb_arg(i, 0);
    pthread_mutex_unlock(&lock);
}

static int64_t draw(void)
{
#if defined CHOOSE
    return value ? plumb_choose(2) : 0;
#elif defined RANDOM
    return rand() % 2;
#elif defined ADDRESS
    void *p = malloc(16 + (size_t)value % 2 * 64);
    const int64_t a = (int64_t)(intptr_t)p;
    free(p);
    return a;
#elif defined OFTEN
    return 100 * plumb_choose(100) + plumb_choose(100);
#elif defined LONGER
    int64_t n = 0;
    while (plumb_choose(2))
        n++;
    return n;
#elif defined ENDLESS
    while (plumb_choose(2))
        ;
    return 0;
#elif defined WAITS
    if (value && plumb_choose(2))
        pthread_mutex_lock(&kept);
    return 0;
#elif defined CLOCK
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_nsec;
#elif defined HIDDEN
    (void)plumb_choose(3);
    return 0;
#else
    return 0;
#endif
}

static void get(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    plumb_return(i, value + draw());
    pthread_mutex_unlock(&lock);
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .operations = { { "add", add, { PLUMB_FRESH } }, { "get", get } });
