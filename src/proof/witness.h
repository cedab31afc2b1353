/* witness.h - the steps of checking an order, for one thread or several. */
#ifndef PLUMB_PROOF_WITNESS_H
#define PLUMB_PROOF_WITNESS_H

#include "plain.h"

struct plumb_proof_witness {
    const struct plumb_history *h;
    const uint32_t *order;
    uint32_t count;
    struct plumb_budget *budget;
    struct plumb_error *err;
};

/* The operations are the right ones.  The others may be asked only then.
 * `p` knows in how many steps they take effect; NULL: in one. */
enum plumb_status plumb_proof_witness_operations(
    const struct plumb_proof_witness *w, struct plumb_proof_plain *p);
/* The order respects real time. */
enum plumb_status plumb_proof_witness_real_time(
    const struct plumb_proof_witness *w);

/* The places from ... to - 1; of them, if there are several shares, the objects
 * and (where the type allows it) the keys of one share. */
struct plumb_proof_witness_share {
    uint32_t from, to;
    unsigned share, shares;
    bool returns; /* ask if every object ends as it began */
};

/* Is it legal, if all objects are as they are at first? */
enum plumb_status plumb_proof_witness_replay(
    const struct plumb_proof_witness *w, struct plumb_proof_plain *p,
    const struct plumb_proof_witness_share *s, bool *ends_as_it_began);

#endif
