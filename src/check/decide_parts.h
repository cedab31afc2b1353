/* decide_parts.h - deciding the parts of a history, several at a time. */
#ifndef PLUMB_CHECK_DECIDE_PARTS_H
#define PLUMB_CHECK_DECIDE_PARTS_H

#include "check/input/monitor.h"
#include "check/search/part.h"
#include "check/search/traits.h"
#include <plumb/check.h>

/* Everything the deciders of one history share; immutable once made. */
struct plumb_check_case {
    const struct plumb_spec_bound *bound;
    struct plumb_check_traits traits;
    struct plumb_check_parts parts;
    enum plumb_algorithm algorithm; /* SEARCH or WING_GONG */
    /* What monitors have decided already, or NULL: only parts that they left
     * are decided, and their order is part of the whole. */
    const struct plumb_check_monitored *monitored;
    struct plumb_budget *budget;
};

/* Of all parts together. */
struct plumb_check_outcome_of_parts {
    enum plumb_verdict verdict;
    enum plumb_status why;
    uint32_t violated; /* the first part that is not linearizable */
    uint32_t *order;   /* linearizable: of the whole history, in `arena` */
    uint32_t order_count;
    uint64_t configurations, steps;
    uint32_t prefix;
    bool unknown; /* it took steps that the specification does not know */
};

/* The result does not depend on `jobs`, unless the budget is used up.  False
 * when there is no memory even to say so. */
bool plumb_check_decide_parts(const struct plumb_check_case *c, unsigned jobs,
                              struct plumb_base_arena *arena,
                              struct plumb_check_outcome_of_parts *out);

#endif
