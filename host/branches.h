/* branches.h - hands for dpor: a crew that is given pieces of branches.
 *
 * What came of a branch is kept until it is joined to another or dropped. */
#ifndef PLUMB_HOST_BRANCHES_H
#define PLUMB_HOST_BRANCHES_H

#include "sharing.h"

/* As in struct plumb_strategies_hands. */
enum plumb_strategies_hand host_branches_begin(struct host_sharing *s,
                                               uint64_t executions);
bool host_branches_go_on(struct host_sharing *s, uint64_t executions);
enum plumb_strategies_hand host_branches_give(struct host_sharing *s,
                                              unsigned branch,
                                              const void *piece, size_t size);
enum plumb_strategies_piece_end host_branches_wait(struct host_sharing *s,
                                                   unsigned *branch,
                                                   const void **piece,
                                                   size_t *size);
bool host_branches_take(struct host_sharing *s, unsigned branch);
bool host_branches_join(struct host_sharing *s, unsigned to, unsigned from);
void host_branches_drop(unsigned branch);
bool host_branches_next(struct host_sharing *s, const void **piece,
                        size_t *size);

#endif
