// explore: --test 'inc() | inc()' -- -DTEARDOWN
// expect: no violation
// says: memory was not freed in 1 test
// explore: --test 'inc() | inc()' -- -DTEARDOWN -DFREES
// expect: no violation
// explore: --test 'inc() | inc()'
// expect: no violation
// says: ^  0 compare-and-swaps failed$
// explore: --leaks --test 'inc() | inc()'
// expect: leak

/* Each increment allocates a receipt and forgets it.  Who has a teardown should
 * have nothing left behind it; else only --leaks tells. */
#include <plumb/object.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic int64_t count;

static void setup(void)
{
    count = 0;
}

static void inc(plumb_invocation *i)
{
    int64_t *volatile const receipt = malloc(sizeof *receipt);
    (void)i;
    *receipt = atomic_fetch_add(&count, 1);
#ifdef FREES
    free(receipt);
#endif
}

static void get(plumb_invocation *i)
{
    plumb_return(i, atomic_load(&count));
}

#ifdef TEARDOWN
static void nothing_is_left(void)
{
}
#define END nothing_is_left
#else
#define END 0
#endif

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup, .teardown = END,
             .operations = { { "inc", inc }, { "get", get } });
