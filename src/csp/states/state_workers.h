/* state_workers.h - threads that prepare states ahead of the one that numbers them.
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
 * Nobody here learns anything (successor_pass.h): a state with something new in it
 * is left to the owner, who closes the gate and works it out when its turn
 * comes.  So terms, moves and events are made by the owner alone, in the order
 * in which it would make them without workers. */
#ifndef PLUMB_CSP_STATES_STATE_WORKERS_H
#define PLUMB_CSP_STATES_STATE_WORKERS_H

#include "base/read_gate.h"
#include "successor_pass.h"

struct plumb_csp_workers;

struct plumb_csp_workers_plan {
    struct plumb_csp_successor_pass
        *own; /* of the owner; it learns nothing     */
    struct plumb_csp_vectors *vectors;
    struct plumb_base_gate *gate; /* of what preparing looks at          */
    struct plumb_budget *budget;
    unsigned threads; /* with the owner's */
    uint32_t block;   /* states of a block; 0: as many as are good */
};

/* NULL when memory or threads are refused.  From then on other threads read
 * what the gate is of. */
struct plumb_csp_workers *plumb_csp_workers_new(
    const struct plumb_csp_workers_plan *plan);
/* Its threads end. */
void plumb_csp_workers_free(struct plumb_csp_workers *c);

/* Edges of `state`, then of those after it, will be asked for. */
void plumb_csp_workers_expect(struct plumb_csp_workers *c, uint32_t state);

/* What was prepared of `state`: `*at` are its successors, until a state of a
 * later block is expected.  False if it was not. */
bool plumb_csp_workers_take(struct plumb_csp_workers *c, uint32_t state,
                            struct plumb_csp_successors_found *p,
                            const struct plumb_csp_successor **at);

/* So much was left to the owner that workers are of no use. */
bool plumb_csp_workers_is_idle(const struct plumb_csp_workers *c);

#endif
