/* live_configurations.h - what an object may be, while its history unfolds.
 *
 * A *configuration* is a state of the specification and, for each operation
 * that is open, whether it has taken effect yet.  A *set* is that of all
 * configurations that the events so far allow; when it is empty they are not
 * linearizable, whatever follows.  Sets are numbered, equal ones alike, and
 * what an event makes of one is remembered: following a history that was
 * followed before costs a lookup per event.
 *
 * Two histories with the same set have the same future, so an explorer need
 * not tell them apart.  That is why only what matters is kept: operations that
 * have returned are in the state. */
#ifndef PLUMB_CHECK_SEARCH_LIVE_CONFIGURATIONS_H
#define PLUMB_CHECK_SEARCH_LIVE_CONFIGURATIONS_H

#include "spec/spec.h"

typedef uint32_t plumb_check_configuration_set;
#define PLUMB_CONFIGURATIONS_NONE UINT32_MAX /* not linearizable       */
#define PLUMB_CONFIGURATIONS_FAILED                                            \
    (UINT32_MAX - 1) /* memory, or bad operands */

struct plumb_check_configurations;

/* NULL when memory is refused. */
struct plumb_check_configurations *plumb_check_configurations_open(
    const struct plumb_spec *spec, struct plumb_budget *budget);
void plumb_check_configurations_free(struct plumb_check_configurations *f);

/* Where every history begins. */
plumb_check_configuration_set plumb_check_configurations_start(
    struct plumb_check_configurations *f);

/* An operation that may be called: the same number for the same thread, name
 * and arguments.  A value of tag PLUMB_STR is the text that stands with it;
 * its bits do not matter.  UINT32_MAX: see plumb_check_configurations_error(). */
struct plumb_check_configurations_word {
    struct plumb_value value;
    const char *text; /* of a string, else NULL */
};
uint32_t plumb_check_configurations_operation(
    struct plumb_check_configurations *f, unsigned thread, const char *name,
    const struct plumb_check_configurations_word *arg, unsigned nargs);

/* An answer of that operation: term and results, likewise numbered.  Operations
 * and answers are numbered together, from 0. */
uint32_t plumb_check_configurations_answer(
    struct plumb_check_configurations *f, uint32_t operation, const char *term,
    const struct plumb_check_configurations_word *result, unsigned nresults);

/* The thread calls; at most one operation of a thread is open.  From a set
 * that is PLUMB_CONFIGURATIONS_NONE or _FAILED nothing leads away.  What failed may be
 * tried again. */
plumb_check_configuration_set plumb_check_configurations_call(
    struct plumb_check_configurations *f, plumb_check_configuration_set set,
    uint32_t operation);
/* It returns with this answer. */
plumb_check_configuration_set plumb_check_configurations_return(
    struct plumb_check_configurations *f, plumb_check_configuration_set set,
    uint32_t operation, uint32_t answer);

/* Does the specification know any of its states?  If not, nobody can say whether
 * the history is linearizable (plumb_reply_unknown). */
bool plumb_check_configurations_know(const struct plumb_check_configurations *f,
                                     plumb_check_configuration_set set);

/* Is everything that can become of `narrow` possible for `wide`, too?  Then a
 * violation that follows from `wide` follows from `narrow`. */
bool plumb_check_configurations_covers(struct plumb_check_configurations *f,
                                       plumb_check_configuration_set narrow,
                                       plumb_check_configuration_set wide);

/* Of PLUMB_CONFIGURATIONS_FAILED or UINT32_MAX: why. */
const struct plumb_error *plumb_check_configurations_error(
    const struct plumb_check_configurations *f);

#endif
