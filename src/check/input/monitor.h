/* monitor.h - deciders for one type each, in near-linear time.
 *
 * A monitor is right about what it decides, and declines what it cannot decide:
 * the search takes over.  docs/how-monitors-work.md has an argument for
 * each. */
#ifndef PLUMB_CHECK_INPUT_MONITOR_H
#define PLUMB_CHECK_INPUT_MONITOR_H

#include "monitor_input.h"
#include <plumb/check.h>

/* What a monitor is given, and what it finds.  What it finds lives in `arena`;
 * `scratch` is released when it returns. */
struct plumb_check_monitoring {
    const struct plumb_check_input *input;
    const struct plumb_spec *spec;
    struct plumb_budget *budget;
    struct plumb_base_arena *arena, *scratch;
    unsigned jobs;  /* threads that it may use; 0 is 1 */
    uint32_t least; /* operations that are worth a thread */

    /* UNDECIDED: it declines the whole input, `declined` says why in a few words
     * ("values repeat"); or the budget is used up, and `why` says how. */
    enum plumb_verdict verdict;
    enum plumb_status why;
    const char *declined;

    /* LINEARIZABLE: indexes into input->op, in an order in which they may have
     * taken effect.  Pending ones that are not there did not.  Types that are
     * split by key (word[0] of each operation): the orders of the keys one after
     * the other, each key at key_start[i], ascending, i below keys; else keys
     * is 0. */
    uint32_t *order;
    uint32_t order_count;
    uint32_t *key_start;
    uint32_t keys;

    /* ... of types that are split by key: the keys that it declined, by number,
     * or NULL if it did not; `declined` says why.  Their operations are not in
     * the order. */
    const bool *left;
    uint32_t lefts; /* how many keys */

    /* NOT_LINEARIZABLE: operations that are a violation by themselves, indexes
     * into input->op, ascending: all others can be left out because they are of
     * values (or keys) that none of these is of, or only read.  Few, and where
     * the type allows it the fewest. */
    uint32_t *blame;
    uint32_t blames;
    /* The events of ranks 0 ... `sure` are a violation; those before rank
     * `maybe` are not.  Equal but for a 1 if it is known exactly:
     * the earliest is the event of rank r with maybe <= r <= sure. */
    uint32_t maybe, sure;
};

/* False when memory is used up or the budget is (`why` says which). */
typedef bool plumb_check_monitor(struct plumb_check_monitoring *m);

plumb_check_monitor plumb_check_monitor_queue;          /* monitor_queue.c    */
plumb_check_monitor plumb_check_monitor_bounded_queue;  /* bounded_queue.c    */
plumb_check_monitor plumb_check_monitor_stack;          /* monitor_stack.c    */
plumb_check_monitor plumb_check_monitor_priority_queue; /* monitor_priority.c */
plumb_check_monitor plumb_check_monitor_set;            /* monitor_set.c      */
plumb_check_monitor plumb_check_monitor_multiset;       /* monitor_multiset.c */
plumb_check_monitor plumb_check_monitor_register;       /* monitor_register.c */
plumb_check_monitor plumb_check_monitor_map;            /* monitor_map.c      */

/* The monitor of a specification with its parameters; NULL if there is none. */
plumb_check_monitor *plumb_check_monitor_of(const struct plumb_spec *spec);

/* ---- of a whole history ---- */

struct plumb_check_monitored {
    /* LINEARIZABLE: all of it.  NOT: some object or key.  UNDECIDED: the search
     * has to decide what is left; or the budget is used up. */
    enum plumb_verdict verdict;
    enum plumb_status why; /* the budget is used up */
    const char *declined;  /* why something is left, if it is */
    bool nothing;          /* was decided, all is left */
    const bool *left;      /* by operation of the history; NULL: none is */
    uint32_t parts;        /* objects or keys that were found linearizable */
    const uint32_t *order; /* of those: indexes of the history */
    uint32_t order_count;
    /* Places in the order before which the object is as it was at first, as it
     * was decided in pieces; ascending. */
    uint32_t *cut;
    uint32_t cuts;
    uint32_t *blame; /* indexes of the history, ascending */
    uint32_t blames;
    uint32_t maybe, sure;
};

/* There is a monitor for `spec`.  Objects, pieces of one (cuts.h), or keys
 * (keyed/key_shares.h) are decided by up to `jobs` threads, which makes no
 * difference; in pieces of `least` operations or more, for each thread as well
 * (usually PLUMB_LEAST_PIECE; UINT32_MAX: undivided).  Results live in `arena`;
 * false when the budget is used up. */
bool plumb_check_monitor_history(const struct plumb_history *h,
                                 const struct plumb_spec *spec, unsigned jobs,
                                 uint32_t least, struct plumb_base_arena *arena,
                                 struct plumb_check_monitored *out);

/* ---- over the pieces of a long history (monitor_pieces.c) ---- */

/* As plumb_check_monitor_history(), unless *declined is set: then it has to be decided as
 * a whole, because there are no cuts in it, or a monitor declines a piece
 * before any that is a violation.  `out` is empty at first. */
bool plumb_check_monitor_pieces(const struct plumb_history *h,
                                const struct plumb_spec *spec, unsigned jobs,
                                uint32_t least, struct plumb_base_arena *arena,
                                struct plumb_check_monitored *out,
                                bool *declined);

#endif
