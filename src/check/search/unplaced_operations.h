/* unplaced_operations.h - the operations that have not taken effect yet.
 *
 * Those that returned form a list by call, from which one is lifted in O(1)
 * and put back in O(1), in reverse order (Wing & Gong's lift and unlift).  The
 * *horizon* is the smallest return in it: exactly the operations called before
 * the horizon may take effect next.
 *
 * Pending ones never return.  Twins among them are interchangeable, so they
 * form groups, of which only the first member left can be taken.
 *
 * The fingerprint of the operations lifted so far is the exclusive or of one
 * random word pair each, so lifting costs O(1) whatever the window. */
#ifndef PLUMB_CHECK_SEARCH_UNPLACED_OPERATIONS_H
#define PLUMB_CHECK_SEARCH_UNPLACED_OPERATIONS_H

#include "base/hash.h"
#include "part.h"
#include "queue_deadlines.h"
#include "sequence_ends.h"
#include "traits.h"

/* An entry of the list; entry 0 is its head and end. */
struct plumb_check_entry {
    const struct plumb_spec_action *action;
    uint32_t next, prev;
    uint32_t call, ret;
    uint32_t op;
    uint32_t twins; /* class, or UINT32_MAX if it has no twin in the part */
    uint32_t lane;  /* of the deadlines or ends, or PLUMB_NO_LANE */
    bool reads;
};

struct plumb_check_group {
    uint32_t first, count, taken; /* of the members */
};

struct plumb_check_member {
    const struct plumb_spec_action *action;
    uint32_t op, call;
    uint32_t group;
    uint32_t lane;
};

struct plumb_check_agenda {
    struct plumb_budget *budget;
    struct plumb_check_entry *entry;
    uint32_t entries; /* 1 .. entries */
    struct plumb_check_group *group;
    uint32_t groups; /* by the call of their first member */
    struct plumb_check_member *member;
    uint32_t members;
    struct plumb_check_deadlines deadlines;
    struct plumb_check_ends ends; /* if it has items, lanes are of these */
    struct plumb_base_hash128 lifted;
    /* what was lifted, in order: an entry, or entries + 1 + a member */
    uint32_t *trail;
    uint32_t depth;
    uint32_t *taken; /* the pending ones among them: members, in order */
    uint32_t takens;
    size_t taken_capacity;
    size_t entry_capacity, group_capacity, member_capacity, trail_capacity;
    uint32_t *class_table; /* by class, scratch of loading; kept all zero */
    size_t class_capacity;
    uint32_t *lane; /* by item, scratch of loading */
    size_t lane_capacity;
};

void plumb_check_agenda_init(struct plumb_check_agenda *a,
                             struct plumb_budget *budget);
void plumb_check_agenda_release(struct plumb_check_agenda *a);

/* Put all of `part` on the agenda, but for pending operations that only read:
 * they never matter.  `plain`: without the rules that no verifier knows.  False
 * when memory is used up. */
bool plumb_check_agenda_load(struct plumb_check_agenda *a,
                             const struct plumb_spec_bound *bound,
                             const struct plumb_check_part *part,
                             const struct plumb_check_traits *traits,
                             bool plain);

static inline uint32_t plumb_check_agenda_first(
    const struct plumb_check_agenda *a)
{
    return a->entry[0].next;
}

static inline bool plumb_check_agenda_is_done(
    const struct plumb_check_agenda *a)
{
    return a->entry[0].next == 0;
}

/* Can an order be legal that goes on with an operation of this lane? */
static inline bool plumb_check_agenda_allows(const struct plumb_check_agenda *a,
                                             uint32_t lane)
{
    return lane == PLUMB_NO_LANE ||
           (a->ends.items ? plumb_check_ends_allow(&a->ends, lane)
                          : plumb_check_deadlines_allows(&a->deadlines, lane));
}

void plumb_check_agenda_lift(struct plumb_check_agenda *a, uint32_t entry);
void plumb_check_agenda_take(struct plumb_check_agenda *a, uint32_t group);

/* The fingerprint without the i-th pending operation that was taken; false if
 * a twin was taken after it, so that it was not the one to spare. */
bool plumb_check_agenda_without(const struct plumb_check_agenda *a, uint32_t i,
                                struct plumb_base_hash128 *lifted);

/* Put back until `depth` operations are lifted. */
void plumb_check_agenda_undo(struct plumb_check_agenda *a, uint32_t depth);

/* The operation of the history behind one element of the trail. */
uint32_t plumb_check_agenda_op(const struct plumb_check_agenda *a,
                               uint32_t lifted);

#endif
