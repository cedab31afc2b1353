/* benign_retry.c - a counter that is incremented by compare-and-swap.
 *
 * Right, but not conflict-serializable: the first of four reasons that section
 * 5.6 of Line-Up (Burckhardt et al., PLDI 2010) gives, seen there in
 * ConcurrentStack and ConcurrentQueue.  A compare-and-swap that fails leads to
 * another attempt.  What was read before the failure conflicts with the
 * increment in between, which conflicts with the attempt that succeeds.
 *
 * inc takes effect when its compare-and-swap succeeds, get when it reads. */
#include <plumb/object.h>

#include <stdatomic.h>

static atomic_int number;

static void setup(void)
{
    atomic_store(&number, 0);
}

static void inc(plumb_invocation *i)
{
    int n = atomic_load(&number);
    (void)i;
    while (!atomic_compare_exchange_strong(&number, &n, n + 1))
        plumb_retry();
}

static void get(plumb_invocation *i)
{
    plumb_return(i, atomic_load(&number));
}

PLUMB_OBJECT(.name = "C", .setup = setup,
             .operations = { { "inc", inc }, { "get", get } });
