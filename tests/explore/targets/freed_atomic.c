// explore: --strategy dpor --preemptions all --races ignore
// expect: use after free
// explore: --strategy dpor --races ignore
// expect: use after free
// explore: --strategy dfs --preemptions all --races ignore
// expect: use after free
// explore: --preemptions all --races ignore
// expect: use after free
// explore: --strategy dpor --preemptions all --races ignore -- -DREALLOC
// expect: use after free
// explore: --strategy dpor --preemptions all --races ignore -- -DLOCK
// expect: use after free
// explore: --strategy dpor --preemptions all --races ignore -- -DORDERED
// expect: no violation \(all schedules
/* Memory is freed while another thread counts in it, or locks a lock in it.
 * Who does not look for races must see by the events alone that the order of
 * the two matters.  ORDERED: the last to count frees it. */
#include "threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t lock;
    atomic_int users;
};

static struct box *box;

static void end_box(void)
{
#if defined(REALLOC)
    free(realloc(box, 2 * sizeof *box));
#else
    free(box);
#endif
}

static void *use(void *unused)
{
#if defined(LOCK)
    pthread_mutex_lock(&box->lock);
#elif defined(ORDERED)
    if (atomic_fetch_sub(&box->users, 1) == 1)
        end_box();
#else
    atomic_fetch_add(&box->users, 1);
#endif
    return unused;
}

static void *end(void *unused)
{
#if defined(ORDERED)
    use(unused);
#else
    end_box();
#endif
    return unused;
}

int main(void)
{
    box = malloc(sizeof *box);
    pthread_mutex_init(&box->lock, NULL);
    atomic_init(&box->users, 2);
    RUN_TWO(use, end);
    return 0;
}
