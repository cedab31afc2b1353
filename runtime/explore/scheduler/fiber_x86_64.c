/* fiber_x86_64.c - see fiber_switch.h. */
#if defined(__x86_64__)
#include "fiber_switch.h"

#include <asm/prctl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The frame information ends at the first frame, so that unwinding (exceptions
 * that nobody catches, debuggers) ends there, too. */
__asm__(".text\n"
        ".globl scheduler_fiber_swap_stacks\n"
        ".type scheduler_fiber_swap_stacks, @function\n"
        "scheduler_fiber_swap_stacks:\n"
        "    push %rbp\n"
        "    push %rbx\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    mov %rsp, (%rdi)\n"
        "    mov %rsi, %rsp\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbx\n"
        "    pop %rbp\n"
        ".globl scheduler_fiber_clear_registers\n" /* and on there */
        ".type scheduler_fiber_clear_registers, @function\n"
        "scheduler_fiber_clear_registers:\n"
        "    xor %eax, %eax\n"
        "    xor %ecx, %ecx\n"
        "    xor %edx, %edx\n"
        "    xor %esi, %esi\n"
        "    xor %edi, %edi\n"
        "    xor %r8d, %r8d\n"
        "    xor %r9d, %r9d\n"
        "    xor %r10d, %r10d\n"
        "    xor %r11d, %r11d\n"
        "    pxor %xmm0, %xmm0\n"
        "    pxor %xmm1, %xmm1\n"
        "    pxor %xmm2, %xmm2\n"
        "    pxor %xmm3, %xmm3\n"
        "    pxor %xmm4, %xmm4\n"
        "    pxor %xmm5, %xmm5\n"
        "    pxor %xmm6, %xmm6\n"
        "    pxor %xmm7, %xmm7\n"
        "    ret\n"
        ".size scheduler_fiber_swap_stacks, . - scheduler_fiber_swap_stacks\n"
        ".size scheduler_fiber_clear_registers, . - "
        "scheduler_fiber_clear_registers\n"
        ".type fiber_begin, @function\n"
        "fiber_begin:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined rip\n"
        "    call *%rbx\n"
        "    ud2\n"
        "    .cfi_endproc\n"
        ".size fiber_begin, . - fiber_begin\n"
        ".section .note.GNU-stack, \"\", @progbits\n"
        ".text\n");

void fiber_begin(void);

void *scheduler_fiber_first_frame(char *stack_end, void (*entry)(void))
{
    /* r15 r14 r13 r12 rbx rbp, the address to return to, and 16 bytes so that
     * the stack is aligned where fiber_begin() calls. */
    void **const top = (void **)(void *)stack_end - 9;
    void (*const begin)(void) = fiber_begin;
    memset(top, 0, 9 * sizeof *top);
    memcpy(&top[4], &entry, sizeof entry);
    memcpy(&top[6], &begin, sizeof begin);
    return top;
}

uintptr_t scheduler_fiber_thread_pointer(void)
{
    uintptr_t p; /* by the ABI, the word at the thread pointer is itself */
    __asm__ volatile("mov %%fs:0, %0" : "=r"(p));
    return p;
}

void scheduler_fiber_set_thread_pointer(uintptr_t p)
{
    static int direct = -1;
    if (__builtin_expect(direct < 0, 0))
        direct = (getauxval(AT_HWCAP2) & 2) != 0; /* FSGSBASE is enabled */
    if (direct)
        __asm__ volatile("wrfsbase %0" : : "r"(p) : "memory");
    else
        syscall(SYS_arch_prctl, ARCH_SET_FS, p);
}
#else
typedef int fiber_x86_64_is_not_for_this_processor;
#endif
