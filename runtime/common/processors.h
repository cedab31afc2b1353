/* processors.h - sharing out threads among the processors.
 *
 * Left alone, two threads may well end up on one processor, where they take
 * turns and never meet. */
#ifndef PLUMB_RUNTIME_COMMON_PROCESSORS_H
#define PLUMB_RUNTIME_COMMON_PROCESSORS_H

#include <sched.h>

/* Those that may be used; none if that is not known. */
static inline cpu_set_t runtime_processors_here(void)
{
    cpu_set_t all;
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        CPU_ZERO(&all);
    return all;
}

/* Bind this thread, number `number`, to the processor whose turn it is. */
static inline void runtime_processors_take(const cpu_set_t *all,
                                           unsigned number)
{
    const unsigned count = (unsigned)CPU_COUNT(all);
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (count == 0)
        return;
    size_t cpu = 0;
    for (unsigned left = number % count; !CPU_ISSET(cpu, all) || left > 0;
         cpu++)
        if (CPU_ISSET(cpu, all))
            left--;
    CPU_SET(cpu, &mine);
    sched_setaffinity(0, sizeof mine, &mine); /* no harm if it fails */
}

#endif
