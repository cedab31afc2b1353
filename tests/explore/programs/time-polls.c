// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
//
// To wait for no file is a pause; a signal that is ignored changes nothing.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/select.h>

static atomic_int came;

static void *come(void *unused)
{
    atomic_store(&came, 1);
    return unused;
}

int main(void)
{
    struct timeval while_ = { .tv_usec = 10 };
    pthread_t t;
    signal(SIGPIPE, SIG_IGN);
    pthread_create(&t, NULL, come, NULL);
    while (!atomic_load(&came)) {
        assert(poll(NULL, 0, 1) == 0);
        assert(select(0, NULL, NULL, NULL, &while_) == 0);
    }
    pthread_join(t, NULL);
    return 0;
}
