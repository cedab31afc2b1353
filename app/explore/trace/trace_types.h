/* trace_types.h - for trace_names.c: what lies in the memory of a trace. */
#ifndef PLUMB_APP_EXPLORE_TRACE_TRACE_TYPES_H
#define PLUMB_APP_EXPLORE_TRACE_TRACE_TYPES_H

#include "trace_names.h"

/* Find the types of the blocks, by the pointers to them, and what lies on the
 * stacks.  Blocks are listed, with the types that their allocation tells. */
void explore_trace_find_types(struct explore_trace_names *n);

/* What was there on a stack at record i; NULL if that is not known. */
const struct explore_trace_local *explore_trace_local_at(
    const struct explore_trace_names *n, uint32_t i, uint64_t at);

/* Whose stack it is in; PLUMB_MAX_THREADS: nobody's. */
unsigned explore_trace_stack_of(const struct explore_trace_names *n,
                                uint64_t at);

#endif
