/* trace_frames.h - for trace_names.c: the functions that threads are in. */
#ifndef PLUMB_APP_EXPLORE_TRACE_TRACE_FRAMES_H
#define PLUMB_APP_EXPLORE_TRACE_TRACE_FRAMES_H

#include "trace_names.h"

/* Fill n->frame.  False when memory is used up; to be released all the same. */
bool explore_trace_frames_init(struct explore_trace_names *n);
void explore_trace_frames_release(struct explore_trace_names *n);

/* The variable of a function that is on the thread's stack at that address at
 * record i; NULL if it is not known, or none.  Valid until the next is asked
 * for. */
const struct binary_symbol_variable *explore_trace_variable_at(
    const struct explore_trace_names *n, uint32_t i, uint64_t at,
    unsigned thread);

#endif
