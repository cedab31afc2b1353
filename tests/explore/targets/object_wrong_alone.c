// explore: --init 'inc() inc()' --test 'get() | get()'
// expect: assertion failed
// says: init   inc\(\) = ok
// explore: --init 'get()' --test 'inc()' -- -DLIES
// expect: not linearizable
// explore: --test 'inc() get() | inc()' --preemptions all -- -DTHREAD
// expect: no violation
// explore: --test 'get()' -- -DSETUP
// expect: assertion failed
/* What goes wrong before there are two threads is found like all else, and a
 * setup that has to be part of every execution finds the world as it was. */
#include <assert.h>
#include <plumb/object.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int count;
static int *times; /* setup was run */

#ifdef THREAD
enum { MOST = 9 };
#else
enum { MOST = 1 };
#endif

#ifdef THREAD
static void *add(void *nothing)
{
    count++;
    return nothing;
}
#endif

static void setup(void)
{
#ifdef SETUP
    assert(count == 1);
#endif
    assert(!times && count == 0);
    times = calloc(1, sizeof *times);
    ++*times;
#ifdef THREAD
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_join(thread, NULL);
    count--;
#endif
}

static void teardown(void)
{
    assert(*times == 1);
    free(times);
    times = NULL;
}

static void inc(plumb_invocation *i)
{
    (void)i;
    assert(++count <= MOST);
}

static void get(plumb_invocation *i)
{
#ifdef LIES
    plumb_return(i, count + 1);
#else
    plumb_return(i, count);
#endif
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .teardown = teardown,
             .operations = { { "inc", inc }, { "get", get } });
