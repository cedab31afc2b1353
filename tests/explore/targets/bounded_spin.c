// explore: -- -DTRIES=10000
// expect: not linearizable
// explore: -- -DTRIES=10000 -DYIELDS
// expect: not linearizable
// explore: --test 'inc() | inc()' --preemptions 2 --backtrack both -- -DTRIES=700
// expect: no violation
// says: 4226 schedules
// explore: --test 'inc() | inc()' --preemptions 2 -- -DTRIES=2500
// expect: no violation
// says: 15026 schedules

/* A lock that is tried so many times and then taken for granted.  An execution
 * has as many steps as there are tries, and going back to each of them must not
 * take their square. */
#include <plumb/object.h>
#include <sched.h>

static int lock;
static int64_t value;

static void setup(void)
{
    lock = 0;
    value = 0;
}

static void pause_a_while(void)
{
#ifdef YIELDS
    sched_yield();
#endif
}

static void acquire(void)
{
    for (int tries = 0; tries < TRIES && __atomic_exchange_n(&lock, 1, 5);
         tries++)
        while (tries < TRIES && __atomic_load_n(&lock, 5)) {
            tries++;
            pause_a_while();
        }
}

static void inc(plumb_invocation *i)
{
    (void)i;
    acquire();
    __atomic_store_n(&value, __atomic_load_n(&value, 5) + 1, 5);
    __atomic_store_n(&lock, 0, 5);
}

static void get(plumb_invocation *i)
{
    plumb_return(i, __atomic_load_n(&value, 5));
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .operations = { { "inc", inc }, { "get", get } });
