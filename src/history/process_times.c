/* process_times.c - see process_times.h. */
#include "process_times.h"

#include "base/hash.h"
#include "base/memory.h"

enum { MOST = 1 << 16 };

void plumb_history_process_times_release(struct plumb_history_process_times *t,
                                         struct plumb_budget *budget)
{
    if (t->times)
        plumb_base_pairs_release(&t->process);
    PLUMB_RELEASE(budget, t->time, t->times);
    *t = (struct plumb_history_process_times){ .time = NULL };
}

int64_t *plumb_history_process_time(struct plumb_history_process_times *t,
                                    struct plumb_budget *budget,
                                    const char *process, size_t length,
                                    bool *known)
{
    const uint64_t hash = plumb_base_hash_bytes(process, length);
    const struct plumb_base_pair p = { (uint32_t)(hash >> 32), (uint32_t)hash };
    if (t->process.count == MOST)
        plumb_history_process_times_release(t, budget);
    if (!t->times)
        plumb_base_pairs_init(&t->process, budget);
    const uint32_t before = t->process.count;
    if (!PLUMB_GROW(budget, t->time, t->times, (size_t)before + 1))
        return NULL;
    const uint32_t number = plumb_base_pairs_number(&t->process, p);
    *known = number < before;
    return number == UINT32_MAX ? NULL : t->time + number;
}
