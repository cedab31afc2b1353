// explore: --strategy states
// expect: livelock
// explore: --strategy states -- -DSET
// expect: no violation

/* Two spin on a flag that nobody raises, unless SET, in functions with a
 * variable number of arguments.  They keep on their stacks all registers that
 * arguments could be in, also those that nobody has passed any in. */
#include <stdarg.h>
#include <stdatomic.h>

#include "threads.h"

extern atomic_int flag, other; /* as in never_set.c */
atomic_int flag, other;

static long shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double sum(int count, va_list list)
{
    double s = 0;
    for (int i = 0; i < count; i++)
        s += va_arg(list, double);
    return s;
}

__attribute__((noinline)) static int is_above(int count, ...)
{
    va_list list;
    va_start(list, count);
    const double now = flag, least = sum(count, list);
    va_end(list);
    return now > least;
}

__attribute__((noinline)) static double wait_for(int count, ...)
{
    va_list list;
    va_start(list, count);
    while (!flag)
        ;
    const double s = sum(count, list);
    va_end(list);
    return s;
}

static void *spins(void *unused)
{
    while (!is_above(1, 0.5)) {
        pthread_mutex_lock(&lock);
        shared ^= shared;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *waits(void *unused)
{
    other = 1;
    return wait_for(1, 0.5) > 0 ? unused : NULL;
}

static void *works(void *unused)
{
    pthread_mutex_lock(&lock);
    shared = 0;
    pthread_mutex_unlock(&lock);
#ifdef SET
    flag = 1;
#endif
    return unused;
}

int main(void)
{
    RUN_THREE(spins, waits, works);
    return 0;
}
