/* parent_bits.h - who found whom, in two bits.
 *
 * In a breadth-first search things are numbered as they are found, and are
 * expanded in that order: the parents of 1, 2, 3, ... never go down.  So the
 * tree is a string of bits: for each thing in turn, a 1 for every child it
 * found and then a 0.  The parent of n is the number of zeros before the n-th
 * one.  A path is read from its end, going back through the string once. */
#ifndef PLUMB_REFINE_ENGINES_PARENT_BITS_H
#define PLUMB_REFINE_ENGINES_PARENT_BITS_H

#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plumb_refine_parents {
    struct plumb_budget *budget;
    uint64_t *word;
    size_t words; /* allocated */
    uint64_t bits, ones;
};

void plumb_refine_parents_init(struct plumb_refine_parents *p,
                               struct plumb_budget *budget);
void plumb_refine_parents_release(struct plumb_refine_parents *p);

/* False when memory is refused. */
bool plumb_refine_parents_add(struct plumb_refine_parents *p, bool child);

/* The numbers from 0 (which nobody found) to `number`, allocated: `count` of
 * them, charged to the budget as count * 4 bytes.  NULL if memory is refused.
 */
uint32_t *plumb_refine_parents_line(const struct plumb_refine_parents *p,
                                    uint32_t number, uint32_t *count);

#endif
