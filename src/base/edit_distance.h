/* edit_distance.h - how far two short words are from each other. */
#ifndef PLUMB_BASE_EDIT_DISTANCE_H
#define PLUMB_BASE_EDIT_DISTANCE_H

#include <stddef.h>

/* How many letters have to be put in, left out, changed or swapped with their
 * neighbour to turn the n letters of `a` into the m of `b`.  Long words are far
 * from everything: n + m. */
size_t plumb_base_edit_distance(const char *a, size_t n, const char *b,
                                size_t m);

#endif
