/* frontier.h - what an object may be, while its history unfolds.
 *
 * A *configuration* is a state of the specification and, for each operation
 * that is open, whether it has taken effect yet.  A *front* is the set of all
 * configurations that the events so far allow; when it is empty they are not
 * linearizable, whatever follows.  Fronts are numbered, equal ones alike, and
 * what an event makes of one is remembered: following a history that was
 * followed before costs a lookup per event.
 *
 * Two histories with the same front have the same future, so an explorer need
 * not tell them apart.  That is why only what matters is kept: operations that
 * have returned are in the state. */
#ifndef PLUMB_CHECK_FRONTIER_H
#define PLUMB_CHECK_FRONTIER_H

#include "spec/spec.h"

typedef uint32_t plumb_front;
#define PLUMB_FRONT_NONE   UINT32_MAX       /* not linearizable       */
#define PLUMB_FRONT_FAILED (UINT32_MAX - 1) /* memory, or bad operands */

struct plumb_frontier;

/* NULL when memory is refused. */
struct plumb_frontier *plumb_frontier_open(const struct plumb_spec *spec,
                                           struct plumb_budget *budget);
void plumb_frontier_free(struct plumb_frontier *f);

/* Where every history begins. */
plumb_front plumb_frontier_start(struct plumb_frontier *f);

/* An operation that may be called: the same number for the same thread, name
 * and arguments.  A value of tag PLUMB_STR is the text that stands with it;
 * its bits do not matter.  UINT32_MAX: see plumb_frontier_error(). */
struct plumb_frontier_word {
    struct plumb_value value;
    const char *text; /* of a string, else NULL */
};
uint32_t plumb_frontier_operation(struct plumb_frontier *f, unsigned thread,
                                  const char *name,
                                  const struct plumb_frontier_word *arg,
                                  unsigned nargs);

/* An answer of that operation: term and results, likewise numbered.  Operations
 * and answers are numbered together, from 0. */
uint32_t plumb_frontier_answer(struct plumb_frontier *f, uint32_t operation,
                               const char *term,
                               const struct plumb_frontier_word *result,
                               unsigned nresults);

/* The thread calls; at most one operation of a thread is open.  From a front
 * that is PLUMB_FRONT_NONE or _FAILED nothing leads away.  What failed may be
 * tried again. */
plumb_front plumb_frontier_call(struct plumb_frontier *f, plumb_front front,
                                uint32_t operation);
/* It returns with this answer. */
plumb_front plumb_frontier_return(struct plumb_frontier *f, plumb_front front,
                                  uint32_t operation, uint32_t answer);

/* Is everything that can become of `narrow` possible for `wide`, too?  Then a
 * violation that follows from `wide` follows from `narrow`. */
bool plumb_frontier_covers(struct plumb_frontier *f, plumb_front narrow,
                           plumb_front wide);

/* Of PLUMB_FRONT_FAILED or UINT32_MAX: why. */
const struct plumb_error *plumb_frontier_error(const struct plumb_frontier *f);

#endif
