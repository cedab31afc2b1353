/* decide_parts.h - deciding the parts of a history, several at a time. */
#ifndef PLUMB_CHECK_DECIDE_PARTS_H
#define PLUMB_CHECK_DECIDE_PARTS_H

#include "check/input/monitor.h"
#include "check/search/part.h"
#include "check/search/search.h"
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
    bool interrupted;  /* undecided: it takes more than `most` steps */
    bool unverified;   /* undecided: some part is not linearizable */
    uint32_t violated; /* the part that is not linearizable */
    uint32_t *order;   /* linearizable: of the whole history, in `arena` */
    uint32_t order_count;
    uint64_t configurations, steps;
    uint32_t prefix;
    uint32_t others; /* violated: those before this rank are, but for that
                        part, linearizable; PLUMB_NEVER: all of them */
    bool unknown;    /* it took steps that the specification does not know */
};

/* A part is a violation: prove it.  PLUMB_OK: that is the answer.  PLUMB_END: not
 * with so much effort (steps of the specification; 0: any), so others are to have
 * their turns first.  PLUMB_EMEMORY: it may be tried again.  Anything else ends
 * the run. */
typedef enum plumb_status plumb_check_certify(
    void *context, uint32_t part, const struct plumb_check_finding *found,
    uint64_t effort);

struct plumb_check_turn_rules {
    unsigned jobs;
    uint64_t first;               /* steps of the first turn; 0: the usual */
    uint64_t most;                /* steps for each part; 0: any number */
    plumb_check_certify *certify; /* NULL: any violation is the answer */
    void *context;
};

/* The result does not depend on `jobs`, unless the budget is used up.  False
 * when there is no memory even to say so. */
bool plumb_check_decide_parts(const struct plumb_check_case *c,
                              const struct plumb_check_turn_rules *rules,
                              struct plumb_base_arena *arena,
                              struct plumb_check_outcome_of_parts *out);

#endif
