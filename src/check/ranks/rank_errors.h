/* rank_errors.h - how far out of order items leave.
 *
 * The *rank error* of a removal is how many items should have left before its
 * own: older ones in a queue, those above in a stack, smaller ones in a priority
 * queue.  That depends on the linearization.  What is counted is the one whose
 * largest rank error is smallest, and of those one with the smallest sum. */
#ifndef PLUMB_CHECK_RANKS_RANK_ERRORS_H
#define PLUMB_CHECK_RANKS_RANK_ERRORS_H

#include <plumb/error.h>
#include <plumb/history.h>
#include <plumb/spec.h>

struct plumb_check_rank_errors {
    uint64_t *count;         /* removals, by their rank error */
    size_t errors, capacity; /* the largest rank error and 1  */
    uint64_t removals, sum;
    uint64_t histories; /* that were counted; and those that were not: */
    uint64_t unordered; /* no order of the items explains them         */
    uint64_t undecided; /* time or memory was not enough               */
};

/* Has it items that leave in an order?  queue, stack and priority-queue. */
bool plumb_check_has_ranks(const struct plumb_spec *spec);

/* Count the removals of one more history.  What is not decided within the budget
 * is counted as such. */
enum plumb_status plumb_check_rank_errors_add(struct plumb_check_rank_errors *r,
                                              const struct plumb_history *h,
                                              const struct plumb_spec *spec,
                                              struct plumb_budget *budget,
                                              struct plumb_error *err);

void plumb_check_rank_errors_release(struct plumb_check_rank_errors *r);

#endif
