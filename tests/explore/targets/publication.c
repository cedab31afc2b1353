// explore:
// expect: data race
// says: ^  Found after 1 schedule .0 preemptions.\.$
// explore: -- -DORDER=memory_order_seq_cst
// expect: no violation
// explore: -- -DORDER=memory_order_release
// expect: no violation
// explore: -- -DFENCES
// expect: no violation

/* Data are written, then a flag is raised.  With a relaxed flag nothing orders
 * the data for the reader, though this machine may never show it. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif
#define LOAD_ORDER                                                             \
    (ORDER == memory_order_release ? memory_order_acquire : ORDER)

static int data;
static atomic_bool flag;

static void *publishes(void *unused)
{
    data = 42;
#ifdef FENCES
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&flag, true, ORDER);
    return unused;
}

static void *looks(void *unused)
{
    if (atomic_load_explicit(&flag, LOAD_ORDER)) {
#ifdef FENCES
        atomic_thread_fence(memory_order_acquire);
#endif
        assert(data == 42);
    }
    return unused;
}

int main(void)
{
    RUN_TWO(publishes, looks);
    return 0;
}
