/* permutations.h - quasi permutations (Round-Up, Algorithm 2).
 *
 * All orders of a sequence in which nothing is more than K places from where it
 * was.  None is made that would be thrown away: depth first over the states of
 * the sequence, each with the events that may come next.  An event may come K
 * states early; what is K states late has to come now. */
#ifndef PLUMB_QUASI_PERMUTATIONS_H
#define PLUMB_QUASI_PERMUTATIONS_H

#include "sequentializations.h"

/* Every order of 0 ... count - 1, once, the sequence as it is first.  False:
 * the visitor had enough. */
bool plumb_quasi_permute(unsigned count, unsigned k, plumb_quasi_visit *visit,
                         void *context);

#endif
