/* process_times.h - the time of the last event of each process.
 *
 * A stream may have new processes for ever, so all times are forgotten when there
 * are 65,536: a clock that runs backwards just then goes unnoticed. */
#ifndef PLUMB_HISTORY_PROCESS_TIMES_H
#define PLUMB_HISTORY_PROCESS_TIMES_H

#include "base/pair_index.h"

/* Zero is an empty one. */
struct plumb_history_process_times {
    struct plumb_base_pairs process; /* both halves of a hash of its name */
    int64_t *time;
    size_t times;
};

void plumb_history_process_times_release(struct plumb_history_process_times *t,
                                         struct plumb_budget *budget);

/* The time of its last event, to be changed; `*known` is false if it had none.
 * NULL when memory is used up. */
int64_t *plumb_history_process_time(struct plumb_history_process_times *t,
                                    struct plumb_budget *budget,
                                    const char *process, size_t length,
                                    bool *known);

#endif
