// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t l;
static int count;

static void *add(void *unused)
{
    pthread_spin_lock(&l);
    count++;
    pthread_spin_unlock(&l);
    if (pthread_spin_trylock(&l) == 0) {
        count += 10;
        pthread_spin_unlock(&l);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(count == 12 || count == 22);
    assert(pthread_spin_trylock(&l) == 0);
    assert(pthread_spin_trylock(&l) == EBUSY);
    pthread_spin_unlock(&l);
    assert(pthread_spin_destroy(&l) == 0);
    return 0;
}
