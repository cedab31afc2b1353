// explore: --test 'acquire() release() | acquire()' -- -std=c++20
// expect: deadlock
// explore: --test 'acquire() release() | acquire()' --preemptions 1 -- -std=c++20
// expect: no violation

/* The semaphore of libstdc++ as it is in gcc 11 and 12: an acquire sleeps for
 * ever, see docs/FOUND.md.  A library without the fault makes this test fail:
 * say so here then. */
#include <plumb/object.h>

#include <new>
#include <semaphore>

static std::counting_semaphore<4> *semaphore;
alignas(64) static char room[64];

static void setup()
{
    semaphore = new (room) std::counting_semaphore<4>(1);
}
static void acquire(plumb_invocation *)
{
    semaphore->acquire();
}
static void release(plumb_invocation *)
{
    semaphore->release();
}

PLUMB_OBJECT(.name = "S", .spec = "semaphore:n=1", .setup = setup,
             .operations = { { "acquire", acquire }, { "release", release } });
