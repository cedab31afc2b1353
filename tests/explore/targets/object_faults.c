// explore: --test 'inc() | inc()'
// expect: assertion
// explore: --test 'inc() | inc()' -- -DCRASH
// expect: crash
// explore: --test 'inc() | get()' -- -DRACE
// expect: data race
// explore: --test 'inc() | inc()' -- -DFREED
// expect: use after free
// explore: --leaks --test 'inc() | inc() get()' -- -DLOST
// expect: leak
// says: setup allocated it
// explore: --test 'inc() | inc() get()' -- -DLOST
// expect: no violation

/* What goes wrong inside an operation, instead of with its answer. */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <plumb/object.h>

static _Atomic int64_t count;
static atomic_int inside;
static struct block {
    atomic_int uses;
} * _Atomic block;
#ifdef RACE
static int64_t plain;
#endif

static void setup(void)
{
    atomic_store(&block, calloc(1, sizeof(struct block)));
}

static void meet(void)
{
#if defined(CRASH)
    *(volatile int *)16 = 1;
#elif defined(FREED)
    free(atomic_exchange(&block, NULL));
#elif defined(LOST)
    atomic_store(&block, calloc(1, sizeof(struct block)));
#elif !defined(RACE)
    assert(atomic_load(&inside) < 2);
#endif
}

static void inc(plumb_invocation *i)
{
    (void)i;
    struct block *const b = atomic_load(&block);
    if (atomic_fetch_add(&inside, 1) > 0)
        meet();
    if (b)
        atomic_fetch_add(&b->uses, 1);
#ifdef RACE
    plain++;
#endif
    atomic_fetch_add(&count, 1);
    atomic_fetch_sub(&inside, 1);
}

static void get(plumb_invocation *i)
{
#ifdef RACE
    plumb_return(i, plain);
#else
    plumb_return(i, atomic_load(&count));
#endif
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .operations = { { "inc", inc }, { "get", get } });
