/* stack_blame.h - what is wrong with a stack's history, and since when. */
#ifndef PLUMB_CHECK_STACK_STACK_BLAME_H
#define PLUMB_CHECK_STACK_STACK_BLAME_H

#include "check/input/monitor.h"
#include "stack_takers.h"

/* `s` cannot be peeled, and the tape is a violation: m->blame.  Releases
 * `s`.  False when memory is used up. */
bool plumb_check_stack_blame(struct plumb_check_monitoring *m,
                             struct plumb_check_stack *s);

/* m->blame from marks by operation of `tape`; `of` is where each of them is on
 * m->tape, or NULL.  False when memory is used up. */
bool plumb_check_stack_report(struct plumb_check_monitoring *m,
                              const struct plumb_check_input *tape,
                              bool *blamed, const uint32_t *of);

/* stack_earliest.c: m->maybe and m->sure, from what is blamed.  False when
 * memory is used up. */
bool plumb_check_stack_earliest(struct plumb_check_monitoring *m);

#endif
