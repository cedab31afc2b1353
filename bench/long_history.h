/* long_history.h - long histories of correct objects, for measuring monitors.
 *
 * Threads take turns at random: one that is idle calls, one that has called
 * takes effect, one that has taken effect returns.  So two in three are at work
 * at any time.  What is stored is never stored again. */
#ifndef PLUMB_BENCH_LONG_HISTORY_H
#define PLUMB_BENCH_LONG_HISTORY_H

#include <plumb/history.h>
#include <stdbool.h>

/* `type` is queue, stack, priority-queue, set, multiset, register or map; NULL:
 * no.  With `wrong`, an operation near the end answers what it cannot.  False:
 * no such type, or no memory. */
bool long_history(const char *type, uint32_t operations, unsigned threads,
                  uint64_t seed, bool wrong, struct plumb_history *h);

#endif
