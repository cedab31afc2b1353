/* fiber_aarch64.c - see fiber_switch.h. */
#if defined(__aarch64__)
#include "fiber_switch.h"

#include <string.h>

/* What is saved, from the lowest address: x19 to x28, the frame pointer, the
 * address to return to, d8 to d15. */
enum { X19 = 0, X30 = 11, SAVED = 20 };

/* The frame information ends at the first frame, as does unwinding. */
__asm__(".text\n"
        ".globl scheduler_fiber_swap_stacks\n"
        ".type scheduler_fiber_swap_stacks, %function\n"
        "scheduler_fiber_swap_stacks:\n"
        "    hint #34\n" /* bti c: may be called through a pointer */
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        ".globl scheduler_fiber_clear_registers\n" /* and on there */
        ".type scheduler_fiber_clear_registers, %function\n"
        "scheduler_fiber_clear_registers:\n"
        "    hint #34\n"
        "    mov x0, xzr\n"
        "    mov x1, xzr\n"
        "    mov x2, xzr\n"
        "    mov x3, xzr\n"
        "    mov x4, xzr\n"
        "    mov x5, xzr\n"
        "    mov x6, xzr\n"
        "    mov x7, xzr\n"
        "    mov x8, xzr\n"
        "    mov x9, xzr\n"
        "    mov x10, xzr\n"
        "    mov x11, xzr\n"
        "    mov x12, xzr\n"
        "    mov x13, xzr\n"
        "    mov x14, xzr\n"
        "    mov x15, xzr\n"
        "    mov x16, xzr\n"
        "    mov x17, xzr\n"
        "    movi v0.2d, #0\n"
        "    movi v1.2d, #0\n"
        "    movi v2.2d, #0\n"
        "    movi v3.2d, #0\n"
        "    movi v4.2d, #0\n"
        "    movi v5.2d, #0\n"
        "    movi v6.2d, #0\n"
        "    movi v7.2d, #0\n"
        "    ret\n"
        ".size scheduler_fiber_swap_stacks, . - scheduler_fiber_swap_stacks\n"
        ".size scheduler_fiber_clear_registers, . - "
        "scheduler_fiber_clear_registers\n"
        ".globl fiber_begin\n" /* a local symbol gets a wrong GOT entry */
        ".hidden fiber_begin\n"
        ".type fiber_begin, %function\n"
        "fiber_begin:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined x30\n"
        "    blr x19\n"
        "    brk #1\n"
        "    .cfi_endproc\n"
        ".size fiber_begin, . - fiber_begin\n"
        ".section .note.GNU-stack, \"\", %progbits\n"
        ".text\n");

void fiber_begin(void) __attribute__((visibility("hidden")));

void *scheduler_fiber_first_frame(char *stack_end, void (*entry)(void))
{
    void **const top = (void **)(void *)stack_end - SAVED;
    void (*const begin)(void) = fiber_begin;
    memset(top, 0, SAVED * sizeof *top);
    memcpy(&top[X19], &entry, sizeof entry);
    memcpy(&top[X30], &begin, sizeof begin);
    return top;
}

uintptr_t scheduler_fiber_thread_pointer(void)
{
    uintptr_t p;
    __asm__ volatile("mrs %0, tpidr_el0" : "=r"(p));
    return p;
}

void scheduler_fiber_set_thread_pointer(uintptr_t p)
{
    __asm__ volatile("msr tpidr_el0, %0" : : "r"(p) : "memory");
}
#else
typedef int fiber_aarch64_is_not_for_this_processor;
#endif
