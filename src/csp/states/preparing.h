/* preparing.h - the successors of a state, found but not numbered.
 *
 * What can be done ahead of time, in any order and by any thread: it depends on
 * no number.  Whether a component that may go alone leads on does; so the first
 * that may is prepared, and who numbers its successors asks for the next one
 * if they all lead back. */
#ifndef PLUMB_MODEL_PREPARING_H
#define PLUMB_MODEL_PREPARING_H

#include "reduction.h"
#include "successors.h"

struct plumb_prepared {
    uint32_t first, count; /* of the successors                          */
    uint32_t component;    /* that may go alone, if one of them leads on */
    bool alone;
    bool slow;    /* it cannot be done here: nothing is prepared */
    bool refused; /* memory was                                  */
    bool numbers; /* of successors were looked up                */
};

/* One for each thread. */
struct plumb_preparer {
    struct plumb_quick *quick;
    struct plumb_cursor *cursor;
    struct plumb_reducer *reducer; /* NULL: no reduction */
    uint32_t components;
    bool learns; /* else: what is not known already is slow */
};

/* One that learns nothing, and so may work beside others.  False when memory is
 * refused; to be closed in any case. */
bool plumb_preparer_fork(struct plumb_preparer *p,
                         const struct plumb_preparer *from,
                         struct plumb_vectors *vectors);
void plumb_preparer_close_fork(struct plumb_preparer *p);

/* The state with that root.  Components before `from` do not go alone.
 * Successors are added to `out`. */
void plumb_prepare(struct plumb_preparer *p, uint64_t root, uint32_t from,
                   struct plumb_prepared *state, struct plumb_successors *out);

#endif
