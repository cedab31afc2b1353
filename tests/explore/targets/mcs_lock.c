// explore:
// expect: no violation
// explore: -- -DTHREADS=3
// expect: no violation
// explore: -- -DNO_SUCCESSOR
// expect: livelock

/* A queue lock whose waiters each spin on a place of their own, and are let go
 * by the one before.  NO_SUCCESSOR leaves when it sees nobody behind, though
 * one may be about to say that it is there. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

#ifndef THREADS
#define THREADS 2
#endif

struct place {
    struct place *_Atomic behind;
    atomic_bool waits;
};

static struct place *_Atomic last;
static struct place place[THREADS];
static int count;

static void enter(struct place *p)
{
    atomic_store(&p->behind, NULL);
    atomic_store(&p->waits, true);
    struct place *const before = atomic_exchange(&last, p);
    if (!before)
        return;
    atomic_store(&before->behind, p);
    while (atomic_load(&p->waits))
        ;
}

static void leave(struct place *p)
{
    struct place *behind = atomic_load(&p->behind);
    if (!behind) {
        struct place *self = p;
        if (atomic_compare_exchange_strong(&last, &self, NULL))
            return;
#ifdef NO_SUCCESSOR
        return;
#endif
        while (!(behind = atomic_load(&p->behind)))
            ;
    }
    atomic_store(&behind->waits, false);
}

static void *works(void *argument)
{
    struct place *const p = &place[number_of(argument)];
    enter(p);
    count++;
    leave(p);
    return NULL;
}

int main(void)
{
    run_same(THREADS, works);
    assert(count == THREADS);
    return 0;
}
