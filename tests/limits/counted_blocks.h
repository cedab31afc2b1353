/* counted_blocks.h - what is done between two questions to the budget.
 *
 * A limit holds if everything asks for time often enough.  How often cannot be
 * told by a clock, on a machine that others use; so the tests count: the library
 * is compiled such that it calls a function at the beginning of each basic block
 * (CMakeLists.txt), and blocks are the same in every run.  A processor does some
 * two hundred million of them in a second. */
#ifndef PLUMB_TESTS_COUNTED_BLOCKS_H
#define PLUMB_TESTS_COUNTED_BLOCKS_H

#include <plumb/budget.h>
#include <stdint.h>

/* From now on, with nothing done so far. */
void blocks_begin(void);

/* As blocks_begin(); and after so many questions `budget` is stopped. */
void blocks_begin_to_stop(struct plumb_budget *budget, uint64_t questions);

/* Questions so far; the most blocks between two of them, or before the first,
 * or since the last. */
uint64_t blocks_questions(void);
uint64_t blocks_most(void);

/* Blocks since the budget was stopped; 0 if it was not. */
uint64_t blocks_since_stop(void);

#endif
