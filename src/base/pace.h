/* pace.h - loops that look at the clock now and then.
 *
 * A run ends when its budget says so (plumb/budget.h), so every loop that may
 * take long has to ask.  The clock costs as much as some tens of small steps:
 * these ask once in PLUMB_PACE of them, which is a few milliseconds even if
 * each step waits for memory.
 *
 * tests/limits counts what is done between two questions. */
#ifndef PLUMB_BASE_PACE_H
#define PLUMB_BASE_PACE_H

#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLUMB_PACE = 1 << 13 };

/* May a loop of small steps go on with this one?  Counted from 0. */
static inline bool plumb_base_in_time(const struct plumb_budget *budget,
                                      uint64_t step)
{
    return step % PLUMB_PACE != PLUMB_PACE - 1 ||
           plumb_budget_state(budget) == PLUMB_OK;
}

/* Small steps since the last question, over loops inside loops. */
struct plumb_base_pace {
    struct plumb_budget *budget;
    uint64_t steps;
};

/* So many steps were done; who asks next will know. */
static inline void plumb_base_pace_spend(struct plumb_base_pace *p,
                                         uint64_t steps)
{
    p->steps += steps;
}

/* May it go on with so many steps more? */
static inline bool plumb_base_pace_allows(struct plumb_base_pace *p,
                                          uint64_t steps)
{
    p->steps += steps;
    if (p->steps < PLUMB_PACE)
        return true;
    p->steps = 0;
    return plumb_budget_state(p->budget) == PLUMB_OK;
}

/* memset() and memcpy() of much memory: false if there is no time for it. */
bool plumb_base_paced_set(const struct plumb_budget *budget, void *block,
                          int byte, size_t size);
bool plumb_base_paced_copy(const struct plumb_budget *budget, void *to,
                           const void *from, size_t size);

#endif
