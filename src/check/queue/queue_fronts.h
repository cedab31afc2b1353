/* queue_fronts.h - peeked values that nobody has dequeued yet.
 *
 * Such a value is the front from the return of the peek until it leaves.  What
 * left by a deadline behind that return has either left before it became the
 * front, or after it left itself: a choice that is open until it returns. */
#ifndef PLUMB_CHECK_QUEUE_FRONTS_H
#define PLUMB_CHECK_QUEUE_FRONTS_H

#include "queue_calm.h"

enum plumb_fits { PLUMB_FITS, PLUMB_FITS_NOT, PLUMB_FITS_PERHAPS };

/* As plumb_calm_fits(), for some choice.  `front` are the peeked ones, in the
 * order of time.  PERHAPS: there are too many choices. */
enum plumb_fits plumb_fronts_fit(const struct plumb_line *l,
                                 const uint32_t *front, uint32_t fronts,
                                 const struct plumb_calm_point *p);

#endif
