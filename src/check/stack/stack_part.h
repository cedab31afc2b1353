/* stack_part.h - a part of a stack's input, as an input of its own. */
#ifndef PLUMB_CHECK_STACK_STACK_PART_H
#define PLUMB_CHECK_STACK_STACK_PART_H

#include "check/input/monitor.h"
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
    struct plumb_check_input input;
    struct plumb_check_input_op *op; /* the same as input.op, to be changed */
    uint32_t *of; /* by operation: in the input it is a part of */
    struct plumb_base_arena arena;
};

/* False when memory is used up; to be released in any case. */
bool plumb_check_stack_part_make(struct plumb_check_stack_part *part,
                                 const struct plumb_check_input *from,
                                 const struct plumb_check_stack_cut *cut,
                                 struct plumb_budget *budget);
void plumb_check_stack_part_release(struct plumb_check_stack_part *part);

/* ---- stack_takers.c: pops that never returned ---- */

/* An input that cannot be peeled while its pending pops take nothing (`s` is what
 * was left).  LINEARIZABLE: in `part` pending pops have the values that they
 * may have taken.  UNDECIDED: that would take too long; s->why is set if the
 * budget is used up.  `part` is to be released in any case. */
enum plumb_verdict plumb_check_stack_find_takers(
    struct plumb_check_stack *s, struct plumb_check_stack_part *part);

/* Any input: the verdict alone.  UNDECIDED, too, when the budget is used up. */
enum plumb_verdict plumb_check_stack_decide(
    const struct plumb_check_input *input, struct plumb_budget *budget);

/* ---- what is wrong with a stack's history, and since when ---- */

/* `s` cannot be peeled, and the input is a violation: m->blame.  Releases
 * `s`.  False when memory is used up. */
bool plumb_check_stack_blame(struct plumb_check_monitoring *m,
                             struct plumb_check_stack *s);

/* m->blame from marks by operation of `input`; `of` is where each of them is on
 * m->input, or NULL.  False when memory is used up. */
bool plumb_check_stack_report(struct plumb_check_monitoring *m,
                              const struct plumb_check_input *input,
                              bool *blamed, const uint32_t *of);

/* stack_earliest.c: m->maybe and m->sure, from what is blamed.  False when
 * memory is used up. */
bool plumb_check_stack_earliest(struct plumb_check_monitoring *m);

#endif
