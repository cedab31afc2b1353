/* benign_lazy.c - a counter that makes something on the way.
 *
 * Right, but not conflict-serializable: the fourth of four reasons that section
 * 5.6 of Line-Up (Burckhardt et al., PLDI 2010) gives, seen there in
 * ConcurrentBag.  The first operation allocates a record, under a global lock.
 * Whoever makes it, no answer depends on it; but who found none, and then finds
 * that another operation has made it, was interrupted by that.
 *
 * inc takes effect when it adds, get when it reads.  (The lock is taken without
 * common/lock.h, which tries first: that would be a second reason.) */
#include <plumb/object.h>
#include <pthread.h>

#include <stdatomic.h>
#include <stdlib.h>

struct record {
    int room[4]; /* for what a larger object would keep there */
};

static pthread_mutex_t making;
static _Atomic(struct record *) record;
static atomic_int number;

static void setup(void)
{
    pthread_mutex_init(&making, NULL);
    atomic_store(&record, NULL);
    atomic_store(&number, 0);
}

static void teardown(void)
{
    free(atomic_load(&record));
    pthread_mutex_destroy(&making);
}

static void make_record(void)
{
    if (atomic_load(&record))
        return;
    pthread_mutex_lock(&making);
    if (!atomic_load(&record))
        atomic_store(&record, calloc(1, sizeof(struct record)));
    pthread_mutex_unlock(&making);
}

static void inc(plumb_invocation *i)
{
    (void)i;
    make_record();
    atomic_fetch_add(&number, 1);
}

static void get(plumb_invocation *i)
{
    plumb_return(i, atomic_load(&number));
}

PLUMB_OBJECT(.name = "C", .setup = setup, .teardown = teardown,
             .operations = { { "inc", inc }, { "get", get } });
