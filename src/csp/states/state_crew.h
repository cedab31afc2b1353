/* state_crew.h - threads that prepare states ahead of the one that numbers them.
 *
 * States are prepared in blocks, of which some are open at a time: a ring.
 *
 *     begin                      claimed             end
 *       | prepared, or being so    | nobody is at it   | not opened yet
 *
 * The *owner*, the thread that asks for edges, opens a block when the numbers
 * of all its states are known, and numbers the successors of states strictly in
 * order.  It waits for nobody: where a block is not prepared yet, it takes one
 * itself, or if there is none prepares the state alone.
 *
 * Nobody here learns anything (preparing.h): a state with something new in it
 * is left to the owner, who closes the gate and works it out when its turn
 * comes.  So terms, moves and events are made by the owner alone, in the order
 * in which it would make them without a crew. */
#ifndef PLUMB_MODEL_STATE_CREW_H
#define PLUMB_MODEL_STATE_CREW_H

#include "base/read_gate.h"
#include "preparing.h"

struct plumb_crew;

struct plumb_crew_plan {
    struct plumb_preparer *own; /* of the owner; it learns nothing     */
    struct plumb_vectors *vectors;
    struct plumb_gate *gate; /* of what preparing looks at          */
    struct plumb_budget *budget;
    unsigned threads; /* with the owner's */
    uint32_t block;   /* states of a block; 0: as many as are good */
};

/* NULL when memory or threads are refused.  From then on other threads read
 * what the gate is of. */
struct plumb_crew *plumb_crew_new(const struct plumb_crew_plan *plan);
/* Its threads end. */
void plumb_crew_free(struct plumb_crew *c);

/* Edges of `state`, then of those after it, will be asked for. */
void plumb_crew_expect(struct plumb_crew *c, uint32_t state);

/* What was prepared of `state`: `*at` are its successors, until a state of a
 * later block is expected.  False if it was not. */
bool plumb_crew_take(struct plumb_crew *c, uint32_t state,
                     struct plumb_prepared *p,
                     const struct plumb_successor **at);

/* So much was left to the owner that a crew is of no use. */
bool plumb_crew_is_idle(const struct plumb_crew *c);

#endif
