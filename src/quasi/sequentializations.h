/* sequentializations.h - all orders of the calls of a history (Round-Up,
 * Algorithm 1).
 *
 * The paper replaces a history whose first two overlapping calls are a and b by
 * two: in one a returns before b is called, in the other b before a.  As
 * printed, with events that are moved, the calls between them are moved along,
 * and where three calls overlap orders are lost.  So what is split here is the
 * order itself: a precedes b, or b precedes a, and what follows from it. */
#ifndef PLUMB_QUASI_SEQUENTIALIZATIONS_H
#define PLUMB_QUASI_SEQUENTIALIZATIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { PLUMB_QUASI_CALLS = 64 };

/* An order of so many things.  False: it is enough. */
typedef bool plumb_quasi_visit(void *context, const uint8_t *order,
                               unsigned count);

/* before[i]: the calls that returned before call i was made.  It is closed
 * under that, and calls are numbered so that these have smaller numbers. */
struct plumb_quasi_history {
    unsigned count;
    uint64_t before[PLUMB_QUASI_CALLS];
};

/* Every order, once.  False: the visitor had enough. */
bool plumb_quasi_sequentialize(const struct plumb_quasi_history *h,
                               plumb_quasi_visit *visit, void *context);

#endif
