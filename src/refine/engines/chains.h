/* chains.h - for each state the smallest sets it was met with.
 *
 * No set of a chain contains another one.  The entries of a chain are side by
 * side in a pool, with room for a power of two of them; what a chain leaves
 * behind when it moves is used again. */
#ifndef PLUMB_REFINE_ENGINES_CHAINS_H
#define PLUMB_REFINE_ENGINES_CHAINS_H

#include "base/pace.h"
#include "pair_store.h"
#include "spec_sets.h"

struct plumb_refine_chain {
    uint32_t first; /* in the pool */
    uint32_t count;
    uint8_t power; /* there is room for 2^power entries... */
    bool has_room; /* ...or for none                      */
};

struct plumb_refine_chains {
    struct plumb_budget *budget;
    const struct plumb_refine_spec_sets *sets;
    struct plumb_refine_pairs
        pairs; /* all that ever were in a chain, in order */
    struct plumb_refine_chain *chain; /* of states */
    size_t chains;
    uint64_t *entry; /* the pool: a set and the number of the pair */
    size_t entry_room, entries;
    uint32_t free[32]; /* places left behind, by power */
    uint64_t *answer;  /* to questions asked before */
    uint64_t alive;    /* entries in all chains */
    struct plumb_base_pace pace;
};

bool plumb_refine_chains_init(struct plumb_refine_chains *c,
                              const struct plumb_refine_spec_sets *sets,
                              struct plumb_budget *budget);
void plumb_refine_chains_release(struct plumb_refine_chains *c);

enum plumb_refine_chained { PLUMB_CHAINED, PLUMB_COVERED, PLUMB_CHAIN_REFUSED };

/* Put in the pair unless a set of the state's chain is within this one.  Sets
 * that contain it leave the chain; their pairs, if numbered `killable` or
 * higher, get PLUMB_NO_SET for their sets. */
enum plumb_refine_chained plumb_refine_chains_put(struct plumb_refine_chains *c,
                                                  uint32_t state, uint32_t set,
                                                  uint32_t killable);

#endif
