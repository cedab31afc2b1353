/* plain_weak_bag.h - bags and semiqueues that answer `empty` and `full` weakly.
 *
 * Their state: list, the removals that are open and may not answer `empty` yet,
 * in the order of their calls.  number: the items.  table, by pairs of keys:
 *
 *   v, i      so many items v are complete; the removals from place i of the
 *             list on must not overlook them, those before it may
 *   v, "w"    operation w, which is open, has added an item v
 *   w, nil    w is an open removal; by so many are the items that it must not
 *             overlook more than the removals that overlap it
 *   w, true   w is going to add an item, and has a node for it
 *   w, false  w took an item, and still has its node               */
#ifndef PLUMB_PROOF_WEAK_PLAIN_WEAK_BAG_H
#define PLUMB_PROOF_WEAK_PLAIN_WEAK_BAG_H

#include "proof/plain.h"

enum plumb_proof_bag_deed { BAG_ADDS, BAG_REMOVES, BAG_DELETES, BAG_LOOKS };

/* Of one operation: what it does, and whether it waits where it cannot. */
struct plumb_proof_bag_call {
    enum plumb_proof_bag_deed deed;
    bool waits;
};

enum plumb_proof_plain_result plumb_proof_bag_perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_bag_call b,
    struct plumb_proof_plain_reply *r);
bool plumb_proof_bag_call(struct plumb_proof_plain *p,
                          struct plumb_proof_plain_state *s,
                          const struct plumb_proof_plain_call *c,
                          enum plumb_proof_bag_deed deed);
bool plumb_proof_bag_give_back(struct plumb_proof_plain *p,
                               struct plumb_proof_plain_state *s,
                               const struct plumb_proof_plain_call *c);

/* How many items v are there? */
uint64_t plumb_proof_bag_count(const struct plumb_proof_plain_state *s,
                               struct plumb_value v);

#endif
