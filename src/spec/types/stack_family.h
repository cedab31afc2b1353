/* stack_family.h - what stacks and relaxed stacks have in common. */
#ifndef PLUMB_SPEC_TYPES_STACK_FAMILY_H
#define PLUMB_SPEC_TYPES_STACK_FAMILY_H

#include "spec/stores/cells.h"
#include "spec/stores/container.h"

enum {
    PLUMB_STACK_PUSH,
    PLUMB_STACK_PUT,
    PLUMB_STACK_POP,
    PLUMB_STACK_TRY_POP,
    PLUMB_STACK_TAKE,
    PLUMB_STACK_PEEK,
    PLUMB_STACK_OPS
};
extern const struct plumb_spec_opdef plumb_spec_stack_ops[PLUMB_STACK_OPS];

/* After the first two: how it is relaxed, and whether answers are weak. */
enum {
    PLUMB_STACK_K = PLUMB_OWN_PARAM,
    PLUMB_STACK_LATE,
    PLUMB_STACK_EMPTY,
    PLUMB_STACK_WEAK,
    PLUMB_STACK_PARAMETERS
};
extern const struct plumb_spec_param
    plumb_spec_stack_params[PLUMB_STACK_PARAMETERS];

static inline bool plumb_spec_stack_inserts(const struct plumb_spec_action *a)
{
    return a->kind <= PLUMB_STACK_PUT;
}

/* It takes an item out, if there is one. */
static inline bool plumb_spec_stack_removes(const struct plumb_spec_action *a)
{
    return !plumb_spec_stack_inserts(a) && a->kind != PLUMB_STACK_PEEK;
}

/* As in [1 2 3], bottom to top, of a list of cells from the top: 0 if it is
 * empty, else 1 + a cell that begins with the top item, the stack below it, and
 * the height. */
void plumb_spec_stack_show(const struct plumb_spec_space *space,
                           const struct plumb_spec_cells *cells,
                           plumb_spec_state s, struct plumb_base_text *out);

#endif
