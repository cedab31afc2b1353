// explore:
// expect: no violation
// says: ^  2 schedules ended with an exit status other than 0$
// explore: --strategy dfs
// expect: no violation
// says: ^  7 schedules ended with an exit status other than 0$
// explore: --strategy dfs -j 3
// expect: no violation
// says: ^  7 schedules ended with an exit status other than 0$
// explore: --preemptions 0
// expect: no violation
// says: ^  . schedules, [0-9]* states$
//
// An exit status is no violation, but a pass does not hide it.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *increments(void *unused)
{
    atomic_store(&count, atomic_load(&count) + 1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, increments, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return count != 2;
}
