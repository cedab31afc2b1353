// explore:
// expect: no violation
// explore: -- -DTHREADS=3
// expect: no violation
// explore: -- -DNO_DOOR
// expect: assertion

/* Lamport's bakery.  NO_DOOR does not wait for those who are drawing a number:
 * two with the same number may both get in. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

#ifndef THREADS
#define THREADS 2
#endif

static atomic_bool drawing[THREADS];
static atomic_uint number[THREADS];
#ifdef NO_DOOR
static atomic_uint inside;
#else
static int count;
#endif

static void draw(unsigned self)
{
    unsigned most = 0;
    atomic_store(&drawing[self], true);
    for (unsigned i = 0; i < THREADS; i++) {
        const unsigned n = atomic_load(&number[i]);
        most = n > most ? n : most;
    }
    atomic_store(&number[self], most + 1);
    atomic_store(&drawing[self], false);
}

static bool is_before(unsigned other, unsigned self)
{
    const unsigned n = atomic_load(&number[other]);
    const unsigned own = atomic_load(&number[self]);
    return n != 0 && (n < own || (n == own && other < self));
}

static void enter(unsigned self)
{
    draw(self);
    for (unsigned i = 0; i < THREADS; i++) {
        if (i == self)
            continue;
#ifndef NO_DOOR
        while (atomic_load(&drawing[i]))
            ;
#endif
        while (is_before(i, self))
            ;
    }
}

static void *works(void *argument)
{
    const unsigned self = number_of(argument);
    enter(self);
#ifdef NO_DOOR
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
#else
    count++;
#endif
    atomic_store(&number[self], 0);
    return NULL;
}

int main(void)
{
    run_same(THREADS, works);
    return 0;
}
