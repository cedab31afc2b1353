// explore: --strategy dpor --no-pruning --preemptions all
// expect: no violation
// traces: 222
// explore: --strategy dpor --no-pruning --preemptions all -- -DTHREADS=3 -DENQUEUE_ONLY
// expect: no violation
// traces: 9168
// explore: --strategy dpor --no-pruning --preemptions all -- -DTHREADS=3
// expect: no violation
// traces: 6588108
// label: full

/* Michael and Scott's queue, its cells in an array.  Each thread enqueues a
 * cell of its own and dequeues once. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

#ifndef THREADS
#define THREADS 2
#endif

struct cell {
    struct cell *_Atomic behind;
    unsigned item;
};

static struct cell before_all, cell[THREADS];
static struct cell *_Atomic first = &before_all, *_Atomic last = &before_all;

static bool swing(struct cell *_Atomic *place, struct cell *from,
                  struct cell *to)
{
    return atomic_compare_exchange_strong(place, &from, to);
}

static void enqueue(struct cell *c)
{
    struct cell *l;
    for (;;) {
        l = atomic_load(&last);
        struct cell *const behind = atomic_load(&l->behind);
        if (atomic_load(&last) != l)
            continue;
        if (behind)
            swing(&last, l, behind);
        else if (swing(&l->behind, NULL, c))
            break;
    }
    swing(&last, l, c);
}

static bool dequeue(unsigned *item)
{
    for (;;) {
        struct cell *const f = atomic_load(&first);
        struct cell *const l = atomic_load(&last);
        struct cell *const behind = atomic_load(&f->behind);
        if (atomic_load(&first) != f)
            continue;
        if (f != l) {
            *item = behind->item;
            if (swing(&first, f, behind))
                return true;
        } else if (behind) {
            swing(&last, l, behind);
        } else {
            return false;
        }
    }
}

static void *enqueues_and_dequeues(void *argument)
{
    struct cell *const own = &cell[number_of(argument)];
    own->item = number_of(argument) + 1;
    enqueue(own);
#ifndef ENQUEUE_ONLY
    unsigned item = 0;
    const bool got = dequeue(&item);
    assert(got && item > 0);
#else
    (void)dequeue;
#endif
    return NULL;
}

int main(void)
{
    run_same(THREADS, enqueues_and_dequeues);
    return 0;
}
