/* trace_places.h - where in the source the records of a trace are. */
#ifndef PLUMB_APP_EXPLORE_TRACE_TRACE_PLACES_H
#define PLUMB_APP_EXPLORE_TRACE_TRACE_PLACES_H

#include "trace_names.h"

/* False when memory is used up; released with the names. */
bool explore_trace_places_init(struct explore_trace_names *n);

/* "msq.c:44", or "push()" without lines; "" if nothing is known.  Of a record;
 * and of an address of the code. */
void explore_trace_place_text(const struct explore_trace_names *n, uint32_t i,
                              struct plumb_base_text *out);
void explore_trace_code_text(const struct explore_trace_names *n, uint64_t pc,
                             struct plumb_base_text *out);

/* The same with the place in another file that it was called from:
 * "ring.h:83 in push, queue.c:41", or "ring.h:83, queue.c:41" if that is
 * long. */
void explore_trace_call_text(const struct explore_trace_names *n, uint32_t i,
                             struct plumb_base_text *out);

/* "std::deque::push_back": the function of a library that our code called to do
 * that.  False: our code did it, or it is not known. */
bool explore_trace_library_text(const struct explore_trace_names *n, uint32_t i,
                                struct plumb_base_text *out);

/* The calls that it is in, the innermost first, a line each, what is inlined
 * among them: "push (stack.c:31)". */
void explore_trace_callers_text(const struct explore_trace_names *n, uint32_t i,
                                unsigned most, struct plumb_base_text *out);

/* The same as data; a place without a line and a function is not known.  Valid
 * until the next one is asked for. */
const struct binary_symbol_place *explore_trace_place(
    const struct explore_trace_names *n, uint32_t i);
const struct binary_symbol_place *explore_trace_code_place(
    const struct explore_trace_names *n, uint64_t pc);

#endif
