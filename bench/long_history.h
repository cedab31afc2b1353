/* long_history.h - long histories of correct objects, for measuring monitors.
 *
 * Threads take turns at random: one that is idle calls, one that has called
 * takes effect, one that has taken effect returns.  So two in three are at work
 * at any time.  What is stored is never stored again. */
#ifndef PLUMB_BENCH_LONG_HISTORY_H
#define PLUMB_BENCH_LONG_HISTORY_H

#include <plumb/history.h>
#include <stdbool.h>

struct long_history_plan {
    const char *type; /* queue, stack, priority-queue, set, multiset, register
                         or map */
    uint32_t operations;
    unsigned threads;
    uint64_t seed;
    /* The first that answers a value after so many were called answers one of
     * long ago; 0: none does. */
    uint32_t wrong_at;
    /* After so many operations all return, and containers (sets and multisets,
     * too) are emptied; 0: never. */
    uint32_t rest;
    /* About so many items in a container, so many keys; 0: 1000. */
    uint32_t resident, keys;
};

/* False: no such type, or no memory. */
bool long_history(const struct long_history_plan *plan,
                  struct plumb_history *h);

#endif
