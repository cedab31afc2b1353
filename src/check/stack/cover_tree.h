/* cover_tree.h - how many intervals cover each point.
 *
 * Points are numbered in the order of time.  Intervals only go away, and what
 * is asked is which of the points they covered are covered by no more than so
 * many others.  16 points or nodes have one parent, which knows the smallest
 * count below it; what goes for all points below a node is added to the node
 * alone.  O(log n) each. */
#ifndef PLUMB_CHECK_STACK_COVER_TREE_H
#define PLUMB_CHECK_STACK_COVER_TREE_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

#define PLUMB_NO_POINT UINT32_MAX

enum { PLUMB_COVER_LEVELS = 8 };

struct plumb_check_cover {
    /* least[0]: of each point, its count less what is added to the nodes above
     * it; the caller fills it in before the tree is built.  Others: the
     * smallest below, with what is added to the node itself. */
    int32_t *least[PLUMB_COVER_LEVELS];
    int32_t *added[PLUMB_COVER_LEVELS]; /* not of points */
    uint32_t size[PLUMB_COVER_LEVELS];  /* a multiple of 16 each */
    unsigned levels;
};

/* For `points` points, covered by none.  False when memory is used up. */
bool plumb_check_cover_init(struct plumb_check_cover *c,
                            struct plumb_base_arena *arena, uint32_t points);
bool plumb_check_cover_build(struct plumb_check_cover *c,
                             const struct plumb_budget *budget);

/* One interval less on first ... last. */
void plumb_check_cover_lower(struct plumb_check_cover *c, uint32_t first,
                             uint32_t last);

/* The first point in first ... last that is covered by at most `most`, or
 * PLUMB_NO_POINT. */
uint32_t plumb_check_cover_next(const struct plumb_check_cover *c,
                                uint32_t first, uint32_t last, int32_t most);

#endif
