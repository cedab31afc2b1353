/* stack_takers.h - histories of a stack with pops that never returned. */
#ifndef PLUMB_CHECK_STACK_STACK_TAKERS_H
#define PLUMB_CHECK_STACK_STACK_TAKERS_H

#include "stack_part.h"
#include <plumb/check.h>

/* A tape that cannot be peeled while its pending pops take nothing (`s` is what
 * was left).  LINEARIZABLE: in `part` pending pops have the values that they
 * may have taken.  UNDECIDED: that would take too long; s->why is set if the
 * budget is used up.  `part` is to be released in any case. */
enum plumb_verdict plumb_check_stack_find_takers(
    struct plumb_check_stack *s, struct plumb_check_stack_part *part);

/* Any tape: the verdict alone.  UNDECIDED, too, when the budget is used up. */
enum plumb_verdict plumb_check_stack_decide(
    const struct plumb_check_input *tape, struct plumb_budget *budget);

#endif
