/* sequence_ends.h - telling early that a push has the wrong place.
 *
 * In stacks and deques an item is only seen at an end when all items between it
 * and the end are gone.  Say that v would be pushed at the front of what is
 * inside, and call what shows an item at an end (a pop, a peek) a sight of it.
 * Let v be pushed once and popped once; then
 *
 *   - if v leaves at the front, it leaves before every sight at the front that
 *     items inside are still to have: all its own sights come before, so the last
 *     of them is called before each of those returns;
 *   - if it leaves at the back, or never, they are to have none;
 *   - if v is to be seen at the back, all that are inside leave there before:
 *     none stays, none leaves at the front, and the last sight of each is called
 *     before the first such sight of v returns;
 *   - an answer `empty` that is still to come waits for v, too.
 *
 * The same at the back, the other way round.  And v is popped after its peeks.  A
 * push or pop for which this is not so need not be tried: no legal order goes on
 * with it.  Without the rule two
 * overlapping pushes make two states, which only pops much later tell apart.
 *
 * Values that are pushed or popped more than once, and in part those that a
 * pending pop may take, are not looked at.  The verifier does not know the rule:
 * a search that lists its configurations does without. */
#ifndef PLUMB_CHECK_SEARCH_SEQUENCE_ENDS_H
#define PLUMB_CHECK_SEARCH_SEQUENCE_ENDS_H

#include "check/bit_tree.h"
#include "part.h"

/* A value that is pushed once. */
struct plumb_check_end_item {
    uint32_t sight, sights; /* in sight_of[]                         */
    uint32_t last;          /* of its sights by call, in the part    */
    uint32_t first[2];      /* return of its first sight at that end */
    uint8_t leaves;
};

/* A sight, or an answer that there is nothing. */
struct plumb_check_sight {
    uint32_t ret, item;
    uint32_t index; /* in the part */
};

struct plumb_check_ends {
    struct plumb_budget *budget;
    struct plumb_base_arena arena; /* of the bits */
    struct plumb_check_end_item *item;
    uint32_t items;                  /* 0: nothing to look out for */
    struct plumb_check_sight *sight; /* by return */
    uint32_t sights;
    uint32_t *sight_of; /* by item */
    uint32_t *call;     /* by item of the part, ascending */
    uint8_t *end;       /* by sight */
    /* of the items inside: sights to come at each end, last ones by the end at
     * which they leave */
    struct plumb_check_bits seen[2], leaving[2];
    struct plumb_check_bits nothing; /* answers `empty` to come */
    uint32_t staying, room;
    uint32_t *of; /* by value: item + 1; all 0 between loads */
    size_t item_capacity, sight_capacity, sight_of_capacity, call_capacity;
    size_t end_capacity, of_capacity;
};

void plumb_check_ends_init(struct plumb_check_ends *o,
                           struct plumb_budget *budget);
void plumb_check_ends_release(struct plumb_check_ends *o);

/* Look through `part`; `lane[i]` becomes what the functions below are told of
 * item i, or PLUMB_NO_LANE.  False when the budget is used up. */
bool plumb_check_ends_load(struct plumb_check_ends *o,
                           const struct plumb_spec_bound *bound,
                           const struct plumb_check_part *part, uint32_t *lane);

/* Can an order that goes on with this operation be legal? */
bool plumb_check_ends_allow(const struct plumb_check_ends *o, uint32_t lane);

/* It takes effect; and the last one is taken back. */
void plumb_check_ends_add(struct plumb_check_ends *o, uint32_t lane);
void plumb_check_ends_undo(struct plumb_check_ends *o, uint32_t lane);

#endif
