// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
//
// A loop that sleeps until another has come ends.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int came;

static void *come(void *unused)
{
    atomic_store(&came, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, come, NULL);
    while (!atomic_load(&came))
        usleep(10);
    while (atomic_load(&came) != 1)
        sched_yield();
    pthread_join(t, NULL);
    return 0;
}
