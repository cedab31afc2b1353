// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// It is done once, and done when any pthread_once() returns.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;
static atomic_int runs, c_runs;
static int value;

static void run(void)
{
    atomic_fetch_add(&runs, 1);
    value = 5;
}

static void c_run(void)
{
    atomic_fetch_add(&c_runs, 1);
}

static void *use(void *unused)
{
    assert(pthread_once(&control, run) == 0);
    assert(value == 5);
    call_once(&flag, c_run);
    assert(atomic_load(&c_runs) == 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, use, NULL);
    use(NULL);
    pthread_join(t, NULL);
    assert(atomic_load(&runs) == 1);
    return 0;
}
