// explore:
// expect: use after free
// explore: --strategy dfs
// expect: use after free
// explore: --strategy dpor --preemptions all
// expect: data race
// explore: --strategy dpor --preemptions all -- -DORDERED
// expect: no violation
// explore: --preemptions all -- -DORDERED
// expect: no violation
// explore: -- -DDESTROY
// expect: misuse
// says: pthread_mutex_lock: the mutex was destroyed
// explore: --strategy dpor --preemptions all -- -DDESTROY
// expect: misuse
/* A mutex is gone, freed or destroyed, when somebody locks it who came before
 * that.  ORDERED: the last to unlock it frees it, as is usual. */
#include "threads.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t lock;
    int users;
};

static struct box *box;

static void *use(void *unused)
{
    pthread_mutex_lock(&box->lock);
#if defined(ORDERED)
    const bool last = --box->users == 0;
    pthread_mutex_unlock(&box->lock);
    if (last)
        free(box);
#endif
    return unused;
}

static void *end(void *unused)
{
#if defined(ORDERED)
    use(unused);
#elif defined(DESTROY)
    pthread_mutex_destroy(&box->lock);
#else
    free(box);
#endif
    return unused;
}

int main(void)
{
    pthread_t user, ender;
    box = malloc(sizeof *box);
    pthread_mutex_init(&box->lock, NULL);
    box->users = 2;
    pthread_create(&user, NULL, use, NULL);
    pthread_create(&ender, NULL, end, NULL);
    pthread_join(user, NULL);
    pthread_join(ender, NULL);
    return 0;
}
