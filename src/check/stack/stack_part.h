/* stack_part.h - a part of a stack's tape, as a tape of its own. */
#ifndef PLUMB_CHECK_STACK_STACK_PART_H
#define PLUMB_CHECK_STACK_STACK_PART_H

#include "stack_peel.h"

/* Which part.  What is open at the cut has no result; pending peeks are left
 * out; pops that are open at the cut are there in any case, since they may have
 * taken any value. */
struct plumb_check_stack_cut {
    const bool *keep; /* by operation; NULL: all */
    uint32_t rank;    /* only events before it; PLUMB_NEVER: all */
    /* Open pops take what they took in the end, but for operation `doubted`. */
    bool believe;
    uint32_t doubted;
};

struct plumb_check_stack_part {
    struct plumb_check_input tape;
    struct plumb_check_input_op *op; /* the same as tape.op, to be changed */
    uint32_t *of; /* by operation: in the tape it is a part of */
    struct plumb_base_arena arena;
};

/* False when memory is used up; to be released in any case. */
bool plumb_check_stack_part_make(struct plumb_check_stack_part *part,
                                 const struct plumb_check_input *from,
                                 const struct plumb_check_stack_cut *cut,
                                 struct plumb_budget *budget);
void plumb_check_stack_part_release(struct plumb_check_stack_part *part);

#endif
