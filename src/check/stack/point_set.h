/* point_set.h - a set of points that grows, with the nearest ones.
 *
 * A bit for each point, a bit for each word that has one, and so on: the
 * nearest member on either side is found in a few steps. */
#ifndef PLUMB_CHECK_STACK_POINT_SET_H
#define PLUMB_CHECK_STACK_POINT_SET_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

enum { PLUMB_POINT_SET_LEVELS = 6 };

struct plumb_check_point_set {
    uint64_t *level[PLUMB_POINT_SET_LEVELS];
    uint32_t words[PLUMB_POINT_SET_LEVELS];
    unsigned levels;
};

/* Empty, for points below `points`.  False when memory is used up. */
bool plumb_check_point_set_init(struct plumb_check_point_set *s,
                                struct plumb_base_arena *arena,
                                uint32_t points);
void plumb_check_point_set_add(struct plumb_check_point_set *s, uint32_t p);

/* The first member from `p` on, and the last up to `p`; or UINT32_MAX. */
uint32_t plumb_check_point_set_next(const struct plumb_check_point_set *s,
                                    uint32_t p);
uint32_t plumb_check_point_set_last(const struct plumb_check_point_set *s,
                                    uint32_t p);

#endif
