/* branches.h - hands for dpor: a crew that is given pieces of branches.
 *
 * What came of a branch is kept until it is joined to another or dropped. */
#ifndef PLUMB_HOST_BRANCHES_H
#define PLUMB_HOST_BRANCHES_H

#include "sharing.h"

/* As in struct plumb_hands. */
enum plumb_hand branches_begin(struct sharing *s, uint64_t executions);
bool branches_go_on(struct sharing *s, uint64_t executions);
enum plumb_hand branches_give(struct sharing *s, unsigned branch,
                              const void *piece, size_t size);
enum plumb_piece_end branches_wait(struct sharing *s, unsigned *branch,
                                   const void **piece, size_t *size);
bool branches_take(struct sharing *s, unsigned branch);
bool branches_join(struct sharing *s, unsigned to, unsigned from);
void branches_drop(unsigned branch);
bool branches_next(struct sharing *s, const void **piece, size_t *size);

#endif
