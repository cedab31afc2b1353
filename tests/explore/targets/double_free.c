// explore:
// expect: bad free
// explore: -- -DEXCHANGE
// expect: no violation

/* Whoever finds the buffer frees it; two may find it. */
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static void *_Atomic buffer;

static void *frees(void *unused)
{
#ifdef EXCHANGE
    free(atomic_exchange(&buffer, NULL));
#else
    void *const b = atomic_load(&buffer);
    if (b) {
        free(b);
        atomic_store(&buffer, NULL);
    }
#endif
    return unused;
}

int main(void)
{
    atomic_store(&buffer, malloc(16));
    RUN_TWO(frees, frees);
    return 0;
}
