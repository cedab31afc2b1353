/* live_set.h - a set, event by event.
 *
 * Feed it the calls and returns of one set in the order of time; it says at
 * which return the events so far stop being linearizable, exactly.  Values may
 * repeat.  Memory follows the number of open operations and of keys. */
#ifndef PLUMB_CHECK_LIVE_SET_H
#define PLUMB_CHECK_LIVE_SET_H

#include "spec/spec.h"

/* A change that is under way, or one that has taken effect and is nobody's yet:
 * a node in the list of its key, in the order of time. */
struct plumb_set_node {
    uint32_t before, after; /* nodes; `after` is the next free one too */
    uint32_t moment;        /* of the call, or of the effect */
    uint32_t what;          /* the caller's name for it; or OWED | the flip */
};

/* The changes of one key to one state. */
struct plumb_set_side {
    uint32_t last;  /* node */
    uint32_t spare; /* open ones, less those that are owed */
    uint32_t tight; /* all that were called before this moment are owed */
};

struct plumb_set_key {
    struct plumb_set_side to[2]; /* absent, present */
    uint32_t moment;             /* of the last flip; 0: none */
    uint32_t flip;               /* 2 * its number, plus 1 if present */
};

struct plumb_live_set {
    struct plumb_budget *budget;
    struct plumb_set_key *key; /* by number, the caller's */
    struct plumb_set_node *node;
    size_t capacity;
    uint32_t nodes, free;
    uint32_t flips; /* so far, of all keys */
};

#define PLUMB_SET_OWED ((uint32_t)1 << 31)

/* Of a call that needs no node, or when memory is used up. */
#define PLUMB_NO_TICKET UINT32_MAX

/* `key` is zeroed, and outlives the set. */
bool plumb_live_set_init(struct plumb_live_set *s, struct plumb_budget *budget,
                         struct plumb_set_key *key);
void plumb_live_set_release(struct plumb_live_set *s);

/* As after init; `key` is the only one that there was any event of. */
void plumb_live_set_forget(struct plumb_live_set *s, uint32_t key);

/* Moments start at 1 and grow from event to event.  `to` is 1 for an insert, 0
 * for a delete.  `what` is below 2^31 and comes back if the operation has taken
 * effect and never returns.  A member() need not be told of. */
uint32_t plumb_live_set_call(struct plumb_live_set *s, uint32_t key,
                             uint32_t to, uint32_t moment, uint32_t what);

/* Where an operation may stand: at 2 * f + 1 it is flip f, at 2 * f before that
 * and after flip f - 1, of all keys. */
#define PLUMB_SET_NOWHERE UINT32_MAX       /* a violation */
#define PLUMB_SET_NO_ROOM (UINT32_MAX - 1) /* memory is used up */

/* An insert or delete that answered true; and one that answered false. */
uint32_t plumb_live_set_changed(struct plumb_live_set *s, uint32_t key,
                                uint32_t to, uint32_t ticket, uint32_t moment);
uint32_t plumb_live_set_refused(struct plumb_live_set *s, uint32_t key,
                                uint32_t to, uint32_t ticket, uint32_t moment);

/* A member() that was called at `call` and found it so. */
uint32_t plumb_live_set_saw(struct plumb_live_set *s, uint32_t key,
                            uint32_t present, uint32_t call, uint32_t moment);

/* The open operations of a key that have taken effect: at[what] is set. */
void plumb_live_set_settle(const struct plumb_live_set *s, uint32_t key,
                           uint32_t *at);

#endif
