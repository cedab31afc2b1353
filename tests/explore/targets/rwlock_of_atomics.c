// explore:
// expect: no violation
// explore: -- -DSTORE
// expect: assertion

/* Readers are counted, a writer is -1.  STORE writes the count of a reader who
 * leaves instead of subtracting it. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int holders;
static atomic_int left, right;

static void read_lock(void)
{
    for (;;) {
        int n = atomic_load(&holders);
        if (n >= 0 && atomic_compare_exchange_strong(&holders, &n, n + 1))
            return;
    }
}

static void read_unlock(void)
{
#ifdef STORE
    atomic_store(&holders, atomic_load(&holders) - 1);
#else
    atomic_fetch_sub(&holders, 1);
#endif
}

static void write_lock(void)
{
    int none = 0;
    while (!atomic_compare_exchange_strong(&holders, &none, -1))
        none = 0;
}

static void *reads(void *unused)
{
    read_lock();
    const int l = atomic_load(&left), r = atomic_load(&right);
    assert(l == r);
    read_unlock();
    return unused;
}

static void *writes(void *unused)
{
    write_lock();
    atomic_store(&left, 1);
    atomic_store(&right, 1);
    atomic_store(&holders, 0);
    return unused;
}

static void *only_locks(void *unused)
{
    read_lock();
    read_unlock();
    return unused;
}

int main(void)
{
    RUN_TWO(only_locks, only_locks);
    assert(atomic_load(&holders) == 0);
    RUN_THREE(reads, reads, writes);
    return 0;
}
