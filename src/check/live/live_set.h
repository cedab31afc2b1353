/* live_set.h - a set, event by event.
 *
 * Feed it the calls and returns of one set in the order of time; it says at
 * which return the events so far stop being linearizable, exactly.  Values may
 * repeat.  Memory follows the number of open operations and of keys. */
#ifndef PLUMB_CHECK_LIVE_LIVE_SET_H
#define PLUMB_CHECK_LIVE_LIVE_SET_H

#include "spec/spec.h"

/* A change that is under way, or one that has taken effect and is nobody's yet:
 * a node in the list of its key, in the order of time. */
struct plumb_check_set_node {
    uint32_t before, after; /* nodes; `after` is the next free one too */
    uint32_t what;          /* the caller's name for it; or OWED | the flip */
    uint64_t moment;        /* of the call, or of the effect */
};

/* The changes of one key to one state. */
struct plumb_check_set_side {
    uint32_t last;  /* node */
    uint32_t spare; /* open ones, less those that are owed */
    uint64_t tight; /* all that were called before this moment are owed */
};

struct plumb_check_set_key {
    struct plumb_check_set_side to[2]; /* absent, present */
    uint64_t moment;                   /* of the last flip; 0: none */
    uint32_t flip;                     /* 2 * its number, plus 1 if present */
};

struct plumb_check_live_set {
    struct plumb_budget *budget;
    struct plumb_check_set_key *key; /* by number, the caller's */
    struct plumb_check_set_node *node;
    size_t capacity;
    uint32_t nodes, free;
    uint32_t flips; /* so far, of all keys */
};

#define PLUMB_SET_OWED  ((uint32_t)1 << 31)
#define PLUMB_SET_FLIPS (((uint32_t)1 << 30) - 1) /* then from 0 again */

/* `key` is zeroed, and outlives the set. */
bool plumb_check_live_set_init(struct plumb_check_live_set *s,
                               struct plumb_budget *budget,
                               struct plumb_check_set_key *key);
void plumb_check_live_set_release(struct plumb_check_live_set *s);

/* As after init; `key` is the only one that there will be any event of. */
void plumb_check_live_set_forget(struct plumb_check_live_set *s, uint32_t key);

/* Where an operation may stand: at 2 * f + 1 it is flip f, at 2 * f before that
 * and after flip f - 1, of all keys. */
#define PLUMB_SET_NOWHERE UINT32_MAX       /* a violation */
#define PLUMB_SET_NO_ROOM (UINT32_MAX - 1) /* memory is used up */

/* An insert or delete that answered false. */
uint32_t plumb_check_live_set_refused(struct plumb_check_live_set *s,
                                      uint32_t key, uint32_t to,
                                      uint32_t ticket, uint64_t moment);

/* An insert or delete has not taken effect, and never will.  False: it must
 * have. */
bool plumb_check_live_set_withdraw(struct plumb_check_live_set *s, uint32_t key,
                                   uint32_t to, uint32_t ticket);

/* The open operations of a key that have taken effect: at[what] is set. */
void plumb_check_live_set_settle(const struct plumb_check_live_set *s,
                                 uint32_t key, uint32_t *at);

/* ---- the usual cases, in line ---- */

uint32_t plumb_check_live_set_append(struct plumb_check_live_set *s,
                                     struct plumb_check_set_side *side,
                                     uint64_t moment, uint32_t what);
uint32_t plumb_check_live_set_changed_amid(struct plumb_check_live_set *s,
                                           uint32_t key, uint32_t to,
                                           uint32_t ticket, uint64_t moment);
uint32_t plumb_check_live_set_saw_other(struct plumb_check_live_set *s,
                                        uint32_t key, uint64_t call,
                                        uint64_t moment);

/* Moments start at 1 and grow from event to event.  `to` is 1 for an insert, 0
 * for a delete.  `what` is below 2^31 and comes back if the operation has taken
 * effect and never returns.  A member() need not be told of.  Its ticket, or
 * NO_ROOM. */
static inline uint32_t plumb_check_live_set_call(struct plumb_check_live_set *s,
                                                 uint32_t key, uint32_t to,
                                                 uint64_t moment, uint32_t what)
{
    struct plumb_check_set_side *const side = &s->key[key].to[to];
    const uint32_t n = s->free;
    side->spare++;
    if (!n)
        return plumb_check_live_set_append(s, side, moment, what);
    s->free = s->node[n].after;
    s->node[n] = (struct plumb_check_set_node){ side->last, 0, what, moment };
    s->node[side->last].after = n; /* of node 0: nobody looks */
    side->last = n;
    return n;
}

/* The number of the flip. */
static inline uint32_t plumb_check_live_set_flip(struct plumb_check_live_set *s,
                                                 struct plumb_check_set_key *k,
                                                 uint64_t moment)
{
    const uint32_t number = s->flips;
    k->moment = moment;
    k->flip = 2 * number + !(k->flip & 1);
    s->flips = (number + 1) & PLUMB_SET_FLIPS;
    return number;
}

/* An insert or delete that answered true. */
static inline uint32_t plumb_check_live_set_changed(
    struct plumb_check_live_set *s, uint32_t key, uint32_t to, uint32_t ticket,
    uint64_t moment)
{
    struct plumb_check_set_key *const k = s->key + key;
    struct plumb_check_set_node *const x = s->node + ticket;
    if ((k->flip & 1) == to || k->to[to].last != ticket)
        return plumb_check_live_set_changed_amid(s, key, to, ticket, moment);
    k->to[to].last = x->before;
    k->to[to].spare--;
    s->node[x->before].after = 0;
    x->after = s->free;
    s->free = ticket;
    return 2 * plumb_check_live_set_flip(s, k, moment) + 1;
}

/* A member() that was called at `call` and found it so. */
static inline uint32_t plumb_check_live_set_saw(struct plumb_check_live_set *s,
                                                uint32_t key, uint32_t present,
                                                uint64_t call, uint64_t moment)
{
    return (s->key[key].flip & 1) == present
               ? 2 * s->flips
               : plumb_check_live_set_saw_other(s, key, call, moment);
}

#endif
