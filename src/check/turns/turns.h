/* turns.h - parts that are decided a few steps at a time.
 *
 * A part whose turn ends undecided keeps its table, and goes on from there.  If
 * memory gets scarce, the largest tables are given up first; such a part begins
 * again at its next turn, and gets as far as it would have.  So what a part
 * finds by some number of steps does not depend on what it had to give up, nor
 * on the threads that ran it. */
#ifndef PLUMB_CHECK_TURNS_TURNS_H
#define PLUMB_CHECK_TURNS_TURNS_H

#include "check/decide_parts.h"
#include "check/search/search.h"
#include <stdatomic.h>

struct plumb_check_turns {
    const struct plumb_check_case *c;
    struct plumb_check_searcher **waiting; /* by part; NULL: it has no table */
    atomic_uint kept;                      /* of those */
    atomic_bool unknown; /* steps were taken that the specification does not
                            know */
};

/* One thread's: it keeps the orders that it found, and a searcher for the next
 * part that has none. */
struct plumb_check_turner {
    struct plumb_base_arena arena;
    struct plumb_check_searcher *spare;
};

/* False when memory is used up. */
bool plumb_check_turns_open(struct plumb_check_turns *t,
                            const struct plumb_check_case *c);
void plumb_check_turns_close(struct plumb_check_turns *t);

void plumb_check_turner_init(struct plumb_check_turner *w,
                             struct plumb_budget *budget);
void plumb_check_turner_release(struct plumb_check_turns *t,
                                struct plumb_check_turner *w);

/* Go on with a part until it has taken `until` steps since it began; 0: until
 * it is decided. */
void plumb_check_turn(struct plumb_check_turns *t, struct plumb_check_turner *w,
                      uint32_t part, uint64_t until,
                      struct plumb_check_finding *found);

/* While no turn is under way: give up tables until no more than half of the
 * memory is used, or, with `all`, every table that waits. */
void plumb_check_turns_make_room(struct plumb_check_turns *t, bool all);

#endif
