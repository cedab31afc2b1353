// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t c;
static tss_t key;
static int turns, ended;

static void note_end(void *value)
{
    ended += *(int *)value;
}

static int other(void *unused)
{
    static int one = 1;
    (void)unused;
    assert(tss_set(key, &one) == thrd_success);
    assert(mtx_lock(&m) == thrd_success);
    assert(mtx_lock(&m) == thrd_success); /* recursive */
    turns++;
    assert(mtx_unlock(&m) == thrd_success);
    assert(cnd_signal(&c) == thrd_success);
    assert(mtx_unlock(&m) == thrd_success);
    thrd_exit(-7);
}

int main(void)
{
    struct timespec limit;
    int result;
    thrd_t t;
    assert(mtx_init(&m, mtx_timed | mtx_recursive) == thrd_success);
    assert(cnd_init(&c) == thrd_success);
    assert(tss_create(&key, note_end) == thrd_success);
    assert(thrd_create(&t, other, NULL) == thrd_success);
    timespec_get(&limit, TIME_UTC);
    const int timed = mtx_timedlock(&m, &limit);
    assert(timed == thrd_success || timed == thrd_timedout);
    if (timed == thrd_timedout)
        mtx_lock(&m);
    while (!turns)
        cnd_wait(&c, &m);
    assert(mtx_trylock(&m) == thrd_success);
    mtx_unlock(&m);
    mtx_unlock(&m);
    assert(thrd_join(t, &result) == thrd_success && result == -7);
    assert(ended == 1);
    cnd_destroy(&c);
    mtx_destroy(&m);
    tss_delete(key);
    return 0;
}
