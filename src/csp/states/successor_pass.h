/* successor_pass.h - the successors of a state, found but not numbered.
 *
 * What can be done ahead of time, in any order and by any thread: it depends on
 * no number.  Whether a component that may go alone leads on does; so the first
 * that may is prepared, and who numbers its successors asks for the next one
 * if they all lead back. */
#ifndef PLUMB_CSP_STATES_SUCCESSOR_PASS_H
#define PLUMB_CSP_STATES_SUCCESSOR_PASS_H

#include "partial_order_reduction.h"
#include "successors.h"

struct plumb_csp_successors_found {
    uint32_t first, count; /* of the successors                          */
    uint32_t component;    /* that may go alone, if one of them leads on */
    bool alone;
    bool slow;    /* it cannot be done here: nothing is prepared */
    bool refused; /* memory was                                  */
    bool numbers; /* of successors were looked up                */
};

/* One for each thread. */
struct plumb_csp_successor_pass {
    struct plumb_csp_quick *quick;
    struct plumb_csp_cursor *cursor;
    struct plumb_csp_reducer *reducer; /* NULL: no reduction */
    uint32_t components;
    bool learns; /* else: what is not known already is slow */
};

/* One that learns nothing, and so may work beside others.  False when memory is
 * refused; to be closed in any case. */
bool plumb_csp_successor_pass_fork(struct plumb_csp_successor_pass *p,
                                   const struct plumb_csp_successor_pass *from,
                                   struct plumb_csp_vectors *vectors);
void plumb_csp_successor_pass_close_fork(struct plumb_csp_successor_pass *p);

/* The state with that root.  Components before `from` do not go alone.
 * Successors are added to `out`. */
void plumb_csp_successor_pass_run(struct plumb_csp_successor_pass *p,
                                  uint64_t root, uint32_t from,
                                  struct plumb_csp_successors_found *state,
                                  struct plumb_csp_successors *out);

#endif
