/* vector_tree.h - how the slots of a vector are folded into a pair.
 *
 * Slots are on two sides.  On each, `width` neighbours become one number, and so
 * on level by level until one is left; the numbers of both sides are the *root*.
 *
 *     level 0    x   H   L0  t0  |  L1  t1  L2  t2
 *     root             a         |        b
 *
 * A vector on its way up is an array of all levels, one behind the other: a
 * *place* is an index of it.  Both sides are as large; places of level 0 that no
 * slot stands at are always 0. */
#ifndef PLUMB_CSP_STATES_VECTOR_TREE_H
#define PLUMB_CSP_STATES_VECTOR_TREE_H

#include <plumb/budget.h>
#include <stdbool.h>
#include <stdint.h>

enum { PLUMB_WIDEST = 16, PLUMB_MOST_LEVELS = 9 };

#define PLUMB_NO_SLOT UINT32_MAX

struct plumb_csp_tree {
    struct plumb_budget *budget;
    uint32_t slots;
    unsigned levels;                   /* below the root */
    uint32_t width[PLUMB_MOST_LEVELS]; /* of each level below the root; fours */
    uint32_t side[PLUMB_MOST_LEVELS];  /* places of a level on a side */
    uint32_t top;                      /* the first of the two of the root */
    uint32_t places;
    uint32_t *place; /* of each slot                                 */
    uint32_t *slot;  /* at each place of level 0, or PLUMB_NO_SLOT    */
    uint32_t *above; /* of each place: what it becomes a part of      */
    uint32_t *below; /* of each place: the first that it is made of   */
};

/* Slots stand as in `order` (NULL: as they are numbered), the first `cut` of
 * them on the left.  To be released in any case; false when memory is refused. */
bool plumb_csp_tree_init(struct plumb_csp_tree *t, uint32_t slots,
                         const uint32_t *order, uint32_t cut,
                         struct plumb_budget *budget);
void plumb_csp_tree_release(struct plumb_csp_tree *t);

#endif
