/* fiber_switch.h - the part of a fiber that is written for each processor. */
#ifndef PLUMB_RUNTIME_EXPLORE_SCHEDULER_FIBER_SWITCH_H
#define PLUMB_RUNTIME_EXPLORE_SCHEDULER_FIBER_SWITCH_H

#include <stdint.h>

/* Save what a function must preserve on this stack, its pointer in *from, and
 * go on where the stack `to` was left.  Other registers are cleared. */
void scheduler_fiber_swap_stacks(void **from, void *to);

/* Clear those that arguments come in, and others that functions may change.
 * One with a variable number of arguments keeps all in which there could be any,
 * and what it has on its stack must not depend on who ran before. */
void scheduler_fiber_clear_registers(void);

/* A stack that scheduler_fiber_swap_stacks() begins entry() on; the bytes written are
 * above the result. */
void *scheduler_fiber_first_frame(char *stack_end, void (*entry)(void));

/* Clear the next FIBER_CLEARED bytes of this stack, where functions that are
 * called next have their frames.  Only where nothing of our own is there: in a
 * function that has no frame yet. */
#define FIBER_CLEARED 320
#if defined(__x86_64__)
#define FIBER_CLEAR_STACK()                                                    \
    __asm__ volatile("pxor %%xmm0, %%xmm0\n"                                   \
                     ".set plumb_below, 16\n"                                  \
                     ".rept 20\n"                                              \
                     "movups %%xmm0, -plumb_below(%%rsp)\n"                    \
                     ".set plumb_below, plumb_below + 16\n"                    \
                     ".endr\n"                                                 \
                     :                                                         \
                     :                                                         \
                     : "xmm0", "memory")
#elif defined(__aarch64__)
#define FIBER_CLEAR_STACK()                                                    \
    __asm__ volatile(".set plumb_below, 16\n"                                  \
                     ".rept 20\n"                                              \
                     "stp xzr, xzr, [sp, #-plumb_below]\n"                     \
                     ".set plumb_below, plumb_below + 16\n"                    \
                     ".endr\n"                                                 \
                     :                                                         \
                     :                                                         \
                     : "memory")
#else
#define FIBER_CLEAR_STACK() (void)0 /* one state may look like several */
#endif

uintptr_t scheduler_fiber_thread_pointer(void);
void scheduler_fiber_set_thread_pointer(uintptr_t p);

#endif
