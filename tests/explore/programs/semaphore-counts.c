// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// As many get past as there are permits; what the functions answer.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t permits, none;
static atomic_int inside;

static void *enter(void *unused)
{
    assert(sem_wait(&permits) == 0);
    assert(atomic_fetch_add(&inside, 1) < 2);
    atomic_fetch_sub(&inside, 1);
    assert(sem_post(&permits) == 0);
    return unused;
}

static void answers(void)
{
    const struct timespec limit = { .tv_sec = 1 }, wrong = { .tv_nsec = -1 };
    int value;
    assert(sem_trywait(&none) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&none, &limit) == -1 && errno == ETIMEDOUT);
    assert(sem_timedwait(&none, &wrong) == -1 && errno == EINVAL);
    assert(sem_getvalue(&permits, &value) == 0 && value == 2);
    assert(sem_init(&none, 0, SEM_VALUE_MAX) == 0);
    assert(sem_post(&none) == -1 && errno == EOVERFLOW);
    assert(sem_init(&none, 0, (unsigned)SEM_VALUE_MAX + 1) == -1);
}

int main(void)
{
    pthread_t t[2];
    sem_init(&permits, 0, 2);
    sem_init(&none, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, enter, NULL);
    enter(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    answers();
    return sem_destroy(&permits);
}
