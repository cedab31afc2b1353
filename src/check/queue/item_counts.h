/* item_counts.h - how many items came and left by when, if their order is
 * known.
 *
 * Items are numbered 1 ... n in the order in which a queue holds them.  At
 * every moment e of them have come and d have left, 0 <= e - d <= cap, and
 * whether `empty` or `full` may be answered depends on e, d and on which
 * additions and removals are open (docs/weak-answers.md).  So an order of
 * effects is a path of pairs (e, d) that visits, in the interval of every such
 * answer, a pair that allows it.
 *
 * Nothing is gained by taking effect earlier than just before the next
 * return: calls only make more possible, returns less.  The pairs that can be
 * reached by then are closed under more items coming, and leaving, as far as
 * calls allow: for each d, they are all e from some least one on.  Those least
 * ones are kept, for each number of answers that have been explained by now: of
 * the open ones that answered `empty` (or `full`) a visit explains all, and so
 * those that were called first. */
#ifndef PLUMB_CHECK_QUEUE_ITEM_COUNTS_H
#define PLUMB_CHECK_QUEUE_ITEM_COUNTS_H

#include "check/input/monitor.h"

enum plumb_check_count_rule {
    PLUMB_COUNT_STRICT,
    PLUMB_COUNT_CLAIM,
    PLUMB_COUNT_GAP
};

/* An item: when its addition and its removal were called and returned, and
 * which operations they are.  PLUMB_NEVER: they were not, did not, there is
 * none. */
struct plumb_check_counted {
    uint32_t add_call, add_ret, rem_call, rem_ret;
    uint32_t add, rem;
};

struct plumb_check_counting {
    const struct plumb_check_input *input;
    struct plumb_budget *budget;
    enum plumb_check_count_rule rule;
    bool told; /* the order lists the returns as well */
    uint32_t cap;
    struct plumb_check_counted *item; /* from 1 on */
    uint32_t items, removed;          /* those removed are the first */
    uint32_t *number; /* of an addition's, or removal's, item; or 0 */
};

enum plumb_check_count_word {
    PLUMB_COUNT_FINE,
    PLUMB_COUNT_WRONG,    /* in this order: at the return *at of input->event */
    PLUMB_COUNT_TOO_MANY, /* overlap there */
    PLUMB_COUNT_ENDED
};

/* Is there a path?  The order of the items may be changed on the way, where
 * real time leaves it open.  FINE: m->order is an order. */
enum plumb_check_count_word plumb_check_count(struct plumb_check_counting *c,
                                              struct plumb_check_monitoring *m,
                                              uint32_t *at);

#endif
