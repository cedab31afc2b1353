// explore:
// expect: livelock
// explore: -- -DSET
// expect: no violation
// explore: -- -DVOLATILE
// expect: livelock
// explore: -- -DVOLATILE -DSET
// expect: no violation

/* One spins until a flag is raised that nobody raises, unless SET. */
#include <stdatomic.h>

#include "threads.h"

/* Not static: then a compiler would see that nobody writes it. */
#ifdef VOLATILE
extern volatile int flag, other;
volatile int flag, other;
#else
extern atomic_int flag, other;
atomic_int flag, other;
#endif

static void *spins(void *unused)
{
    while (!flag)
        ;
    return unused;
}

static void *works(void *unused)
{
#ifdef SET
    flag = 1;
#endif
    other = 1;
    return unused;
}

int main(void)
{
    RUN_TWO(spins, works);
    return 0;
}
