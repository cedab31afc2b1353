// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// pthread_exit() does what pthread_cleanup_push() said, the last first.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int done;

static void note(void *number)
{
    done = 10 * done + (int)(intptr_t)number;
}

static void leave(void)
{
    pthread_cleanup_push(note, (void *)3);
    pthread_exit((void *)9);
    pthread_cleanup_pop(0);
}

static void *other(void *unused)
{
    pthread_cleanup_push(note, (void *)1);
    pthread_cleanup_push(note, (void *)2);
    pthread_cleanup_pop(1);
    leave();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    void *result;
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, &result);
    assert(done == 231 && (intptr_t)result == 9);
    return 0;
}
