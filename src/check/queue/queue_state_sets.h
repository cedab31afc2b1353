/* queue_state_sets.h - peeked values that nobody has dequeued yet.
 *
 * Such a value is the front from the return of the peek until it leaves.  What
 * left by a deadline behind that return has either left before it became the
 * front, or after it left itself: a choice that is open until it returns. */
#ifndef PLUMB_CHECK_QUEUE_QUEUE_STATE_SETS_H
#define PLUMB_CHECK_QUEUE_QUEUE_STATE_SETS_H

#include "queue_empty_instants.h"

enum plumb_check_fits { PLUMB_FITS, PLUMB_FITS_NOT, PLUMB_FITS_PERHAPS };

/* As plumb_check_empty_instants_fits(), for some choice.  `front` are the peeked ones, in the
 * order of time.  PERHAPS: there are too many choices. */
enum plumb_check_fits plumb_check_state_sets_fit(
    const struct plumb_check_line *l, const uint32_t *front, uint32_t fronts,
    const struct plumb_check_empty_instants_point *p);

#endif
