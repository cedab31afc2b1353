/* refinement.h - what refinement is asked, and what the answer is made of.
 *
 * Engines make it, reports tell it, accept.h accepts it. */
#ifndef PLUMB_REFINE_REFINEMENT_H
#define PLUMB_REFINE_REFINEMENT_H

#include "csp/states/graph.h"

enum plumb_refine_semantics {
    PLUMB_TRACES,
    PLUMB_FAILURES,
    PLUMB_FAILURES_DIVERGENCES
};

enum plumb_refine_engine {
    PLUMB_ENGINE_AUTO, /* a bounded product, then bisimilar, then product */
    PLUMB_ENGINE_PRODUCT,
    PLUMB_ENGINE_ANTICHAIN,
    PLUMB_ENGINE_BISIMILAR
};

/* How the implementation goes wrong after `path`. */
enum plumb_refine_offence {
    PLUMB_OFFENCE_NONE,
    PLUMB_OFFENCE_EVENT,     /* the last edge's event is not possible    */
    PLUMB_OFFENCE_REFUSAL,   /* it refuses what must not be refused      */
    PLUMB_OFFENCE_DIVERGENCE /* it goes on without being seen, for ever   */
};

/* A step of a counterexample: the index-th edge of `state`. */
struct plumb_refine_hop {
    uint32_t state, index;
};

/* The states of a graph in blocks. */
struct plumb_refine_partition {
    uint32_t *block; /* of each state, numbered from 0 */
    uint32_t states, blocks;
};

/* Why it refines (accept.h), in the arena, if options->certificate asks for
 * it and memory and time lasted; else all NULL.  Both ways: one partition of the
 * disjoint union (states of the specification come after all of the
 * implementation), and the initial states in one block.  Otherwise a relation
 * of states, or of blocks if there are partitions. */
struct plumb_refine_certificate {
    const struct plumb_refine_partition *both;
    const struct plumb_refine_partition *impl, *spec;
    const struct plumb_refine_relation *relation;
};

struct plumb_refinement {
    bool decided, refines;
    bool both_ways; /* the specification refines it, too      */
    enum plumb_refine_offence
        offence; /* unless it refines                      */
    const struct plumb_refine_hop
        *path; /* from state 0 of the implementation; its
                                     last hop is the offending event      */
    uint32_t length;
    uint32_t cycle; /* a divergence: path[cycle..] goes round              */
    enum plumb_refine_engine
        engine;           /* which one decided                        */
    uint64_t pairs;       /* distinct pairs visited                       */
    uint64_t transitions; /* successors of all pairs that were expanded   */
    uint32_t sets;        /* distinct sets of specification states        */
    uint32_t impl_states, spec_states; /* made                            */
    uint32_t impl_blocks, spec_blocks; /* of the quotients, if there were */
    struct plumb_refine_certificate certificate;
};

#endif
