/* rank_search.h - the best linearization of one object's operations. */
#ifndef PLUMB_CHECK_RANKS_RANK_SEARCH_H
#define PLUMB_CHECK_RANKS_RANK_SEARCH_H

#include <plumb/budget.h>
#include <plumb/error.h>
#include <stdbool.h>
#include <stdint.h>

enum plumb_check_rank_kind {
    PLUMB_RANK_ADD,
    PLUMB_RANK_REMOVE, /* of an item; of any, if its answer is not known */
    PLUMB_RANK_FRONT,  /* the first item was seen                         */
    PLUMB_RANK_EMPTY,
    PLUMB_RANK_NOTHING
};

/* An operation; ranks of its call and return as in a history. */
struct plumb_check_rank_op {
    enum plumb_check_rank_kind kind;
    uint32_t call, ret;
    bool pending;
    uint32_t item; /* UINT32_MAX: not known */
};

enum plumb_check_rank_order {
    PLUMB_RANK_OLDEST_FIRST,
    PLUMB_RANK_NEWEST_FIRST,
    PLUMB_RANK_SMALLEST_FIRST /* by `priority` */
};

struct plumb_check_rank_search {
    const struct plumb_check_rank_op *op; /* by call */
    uint32_t count;
    enum plumb_check_rank_order order;
    const uint32_t *priority; /* by item */
    struct plumb_budget *budget;
};

/* error[i]: the rank error of op[i], where it removed an item and answered, in a
 * linearization with the smallest maximum and then the smallest sum; else
 * UINT32_MAX.  *found is false if there is no linearization.  Not PLUMB_OK:
 * time or memory is used up, or more than 64 operations are open at once. */
enum plumb_status plumb_check_rank_search(
    const struct plumb_check_rank_search *s, uint32_t *error, bool *found);

#endif
