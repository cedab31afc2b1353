/* fiber_switch.h - the part of a fiber that is written for each processor. */
#ifndef PLUMB_EXPLORE_FIBER_SWITCH_H
#define PLUMB_EXPLORE_FIBER_SWITCH_H

#include <stdint.h>

/* Save what a function must preserve on this stack, its pointer in *from, and
 * go on where the stack `to` was left. */
void fiber_swap_stacks(void **from, void *to);

/* A stack that fiber_swap_stacks() begins entry() on; the bytes written are
 * above the result. */
void *fiber_first_frame(char *stack_end, void (*entry)(void));

uintptr_t fiber_thread_pointer(void);
void fiber_set_thread_pointer(uintptr_t p);

#endif
