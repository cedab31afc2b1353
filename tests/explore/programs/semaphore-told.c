// explore:
// expect: assertion failed
// says: sem_trywait s → EAGAIN
// explore: -- -DMOST
// expect: assertion failed
// says: sem_post s → EOVERFLOW
//
// What a semaphore answers is told by the name of the error.
#include <assert.h>
#include <limits.h>
#include <semaphore.h>

static sem_t s;

int main(void)
{
#if defined(MOST)
    sem_init(&s, 0, INT_MAX);
    assert(sem_post(&s) == 0);
#else
    sem_init(&s, 0, 0);
    assert(sem_trywait(&s) == 0);
#endif
    return 0;
}
