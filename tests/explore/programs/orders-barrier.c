// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
//
// What is written before a barrier may be read behind it, and what is written
// before a post behind the wait: nothing races.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t b;
static sem_t s;
static int left, right, posted;

static void *other(void *unused)
{
    left = 1;
    pthread_barrier_wait(&b);
    assert(right == 2);
    posted = 3;
    sem_post(&s);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, NULL, 2);
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, other, NULL);
    right = 2;
    pthread_barrier_wait(&b);
    assert(left == 1);
    sem_wait(&s);
    assert(posted == 3);
    pthread_join(t, NULL);
    return 0;
}
