// explore: --preemptions all
// expect: no violation \(all schedules\)
// explore: --strategy dpor --preemptions all
// expect: no violation \(all schedules\)
// explore: --strategy dpor --preemptions all --races ignore
// expect: no violation \(all schedules\)
// explore: --strategy dfs
// expect: no violation \(every schedule with at most 2 preemptions\)
// explore: -- -DWAIT
// expect: use after free
// explore: --strategy dpor --preemptions all -- -DWAIT
// expect: use after free
// explore: --strategy dpor --preemptions all --races ignore -- -DWAIT
// expect: use after free
// explore: --strategy dpor --preemptions all -- -DBLIND
// expect: use after free
/* A box is freed by who finds it open, before who opened it wakes those who
 * wait there: to wake needs the address alone.  WAIT: he then waits there
 * himself, and that reads the box.  BLIND: the other frees it. */
#define _GNU_SOURCE
#include "futex.h"

#include <pthread.h>
#include <stdlib.h>

static atomic_uint *box;

static void *open_box(void *unused)
{
#if defined(BLIND)
    free(box);
    return unused;
#endif
    atomic_store(box, 1);
    futex_wake(box, 1);
#if defined(WAIT)
    futex_wait(box, 0, NULL);
#endif
    return unused;
}

static void end_box(void)
{
#if defined(BLIND)
    futex_wait(box, 1, NULL);
    return;
#endif
    while (atomic_load(box) == 0)
        futex_wait(box, 0, NULL);
    free(box);
}

int main(void)
{
    pthread_t opener;
    box = malloc(sizeof *box);
    atomic_init(box, 0);
    pthread_create(&opener, NULL, open_box, NULL);
    end_box();
    pthread_join(opener, NULL);
    return 0;
}
