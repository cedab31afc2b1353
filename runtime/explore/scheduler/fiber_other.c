/* fiber_other.c - see fiber_switch.h; by <ucontext.h>, for other processors.
 *
 * Slower, for it changes the signal mask each time, and asks the system to.
 * The one thing that has to be known of a processor is where it keeps the
 * thread pointer: without its own a fiber would share all thread-locals. */
#if !defined(__x86_64__) && !defined(__aarch64__)
#include "fiber_switch.h"

#include <string.h>
#include <ucontext.h>

/* The stack that swapcontext() leaves reaches down below the context. */
enum { BELOW = 1024 };

static ucontext_t *context_above(void *sp)
{
    return (ucontext_t *)(void *)((char *)sp + BELOW);
}

void scheduler_fiber_swap_stacks(void **from, void *to)
{
    ucontext_t here;
    memset(&here, 0, sizeof here); /* gaps in it make no difference */
    *from = (void *)((uintptr_t)&here - BELOW);
    swapcontext(&here, context_above(to));
}

void scheduler_fiber_clear_registers(void)
{
}

void *scheduler_fiber_first_frame(char *stack_end, void (*entry)(void))
{
    const size_t size = (sizeof(ucontext_t) + 63) & ~(size_t)63;
    ucontext_t *const first = (ucontext_t *)(void *)(stack_end - size);
    memset(first, 0, sizeof *first);
    getcontext(first);
    first->uc_stack.ss_sp = stack_end - 8 * size; /* only its end matters */
    first->uc_stack.ss_size = 7 * size;
    makecontext(first, entry, 0);
    return (char *)first - BELOW;
}

#if defined(__riscv) && __riscv_xlen == 64

uintptr_t scheduler_fiber_thread_pointer(void)
{
    uintptr_t p;
    __asm__ volatile("mv %0, tp" : "=r"(p));
    return p;
}

void scheduler_fiber_set_thread_pointer(uintptr_t p)
{
    __asm__ volatile("mv tp, %0" : : "r"(p) : "memory");
}

#else
#error "the explorer does not know the thread pointer of this processor"
#endif

#else
typedef int fiber_other_is_not_for_this_processor;
#endif
