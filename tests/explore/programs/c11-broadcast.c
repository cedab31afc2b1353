// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// What c11-threads.c leaves out: detaching, waking all, waiting with a limit.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t c;
static int open, through;

static int waiter(void *unused)
{
    (void)unused;
    mtx_lock(&m);
    while (!open)
        cnd_wait(&c, &m);
    through++;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    struct timespec limit;
    thrd_t a, b;
    assert(mtx_init(&m, mtx_plain) == thrd_success);
    assert(cnd_init(&c) == thrd_success);
    timespec_get(&limit, TIME_UTC);
    mtx_lock(&m);
    assert(cnd_timedwait(&c, &m, &limit) == thrd_timedout);
    assert(thrd_create(&a, waiter, NULL) == thrd_success);
    assert(thrd_create(&b, waiter, NULL) == thrd_success);
    assert(thrd_detach(b) == thrd_success);
    assert(!thrd_equal(a, b) && !thrd_equal(a, thrd_current()));
    mtx_unlock(&m);
    mtx_lock(&m);
    open = 1;
    assert(cnd_broadcast(&c) == thrd_success);
    while (through < 2)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    assert(thrd_join(a, NULL) == thrd_success);
    return 0;
}
