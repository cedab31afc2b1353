/* assembly_thunks.h - what the code that assembler/rewriting.c puts into inline
 * assembly calls.
 *
 *     leaq -128(%rsp), %rsp       step over the red zone
 *     pushq %rdi
 *     leaq OPERAND, %rdi
 *     pushq $CODE                 assembler/step_codes.h
 *     call *__tsan_assembly_step@GOTPCREL(%rip)
 *     popq %rdi
 *     leaq 128(%rsp), %rsp
 *
 * The compiler thinks that all of this is one instruction: general registers and
 * flags keep their values, and with ..._vector_step those of the vector unit,
 * too.  The hook gets them as they stand on the stack, and may change them.
 *
 * What lies on the stack while a thread stands is compared to tell states
 * apart: there are no gaps. */
#ifndef PLUMB_RUNTIME_COMMON_ASSEMBLY_THUNKS_H
#define PLUMB_RUNTIME_COMMON_ASSEMBLY_THUNKS_H

#include "assembler/step_codes.h"
#include "hook.h"

#include <stddef.h>
#include <stdint.h>

#if PLUMB_HOOKS && defined(__x86_64__)

enum { REGISTER_A, REGISTER_C, REGISTER_D, REGISTER_B, REGISTER_ADDRESS = 7 };

struct runtime_assembly_frame {
    uint64_t reg[16]; /* in the order of machine code; [4] is unused, and [7],
                         of rdi, has the address */
    uint64_t flags;
    const void *pc; /* in the code of the target */
    uint64_t code;
    uint64_t rdi;
};

/* How to save the vector unit: bytes, and which parts (XCR0). */
struct runtime_assembly_vectors {
    uint64_t size; /* 0: fxsave, of 512 bytes */
    uint64_t parts;
    uint64_t has_avx, has_avx512;
};
extern struct runtime_assembly_vectors runtime_assembly_vectors;

/* How both are saved.  %rbp has the frame. */
#define RUNTIME_ASSEMBLY_THUNK(name, hook, save, restore)                      \
    ".globl " name "\n"                                                        \
    ".type " name ", @function\n" name ":\n"                                   \
    "    .cfi_startproc\n"                                                     \
    "    pushfq\n"                                                             \
    "    cld\n"                                                                \
    "    pushq %r15; pushq %r14; pushq %r13; pushq %r12\n"                     \
    "    pushq %r11; pushq %r10; pushq %r9; pushq %r8\n"                       \
    "    pushq %rdi; pushq %rsi; pushq %rbp; pushq $0\n"                       \
    "    pushq %rbx; pushq %rdx; pushq %rcx; pushq %rax\n"                     \
    "    movq %rsp, %rbp\n"                                                    \
    "    .cfi_def_cfa %rbp, 144\n"                                             \
    "    .cfi_offset %rbx, -120; .cfi_offset %rbp, -104\n"                     \
    "    .cfi_offset %r12, -48; .cfi_offset %r13, -40\n"                       \
    "    .cfi_offset %r14, -32; .cfi_offset %r15, -24\n"                       \
    "    pushq $0; pushq $0\n"                                                 \
    "    andq $-16, %rsp\n"                                                    \
    "    movq $0, (%rsp)\n" save "    movq %rbp, %rdi\n"                       \
    "    call " hook "\n" restore "    movq %rbp, %rsp\n"                      \
    "    popq %rax; popq %rcx; popq %rdx; popq %rbx\n"                         \
    "    leaq 8(%rsp), %rsp; popq %rbp; popq %rsi; popq %rdi\n"                \
    "    popq %r8; popq %r9; popq %r10; popq %r11\n"                           \
    "    popq %r12; popq %r13; popq %r14; popq %r15\n"                         \
    "    popfq\n"                                                              \
    "    ret $8\n"                                                             \
    "    .cfi_endproc\n"                                                       \
    ".size " name ", . - " name "\n"

/* The area is cleared: parts that were never used are not written.  %rbx has
 * where it ends. */
#define RUNTIME_ASSEMBLY_SAVE                                                  \
    "    movq %rsp, %rbx\n"                                                    \
    "    leaq runtime_assembly_vectors(%rip), %rdx\n"                          \
    "    movq (%rdx), %rcx\n"                                                  \
    "    testq %rcx, %rcx\n"                                                   \
    "    jnz 1f\n"                                                             \
    "    movl $512, %ecx\n"                                                    \
    "1:  subq %rcx, %rsp\n"                                                    \
    "    andq $-64, %rsp\n"                                                    \
    "    movq %rsp, %rdi\n"                                                    \
    "    movq %rbx, %rcx\n"                                                    \
    "    subq %rsp, %rcx\n"                                                    \
    "    xorl %eax, %eax\n"                                                    \
    "    rep stosb\n"                                                          \
    "    cmpq $0, (%rdx)\n"                                                    \
    "    jz 2f\n"                                                              \
    "    movl 8(%rdx), %eax\n"                                                 \
    "    movl 12(%rdx), %edx\n"                                                \
    "    xsave64 (%rsp)\n"                                                     \
    "    jmp 3f\n"                                                             \
    "2:  fxsave64 (%rsp)\n"                                                    \
    "3:  movq %rsp, %rbx\n"

#define RUNTIME_ASSEMBLY_RESTORE                                               \
    "    leaq runtime_assembly_vectors(%rip), %rdx\n"                          \
    "    cmpq $0, (%rdx)\n"                                                    \
    "    jz 4f\n"                                                              \
    "    movl 8(%rdx), %eax\n"                                                 \
    "    movl 12(%rdx), %edx\n"                                                \
    "    xrstor64 (%rbx)\n"                                                    \
    "    jmp 5f\n"                                                             \
    "4:  fxrstor64 (%rbx)\n"                                                   \
    "5:\n"

/* Clears the vector registers.  No register but those changes. */
#define RUNTIME_ASSEMBLY_FORGET                                                \
    ".globl __tsan_assembly_forget\n"                                          \
    ".type __tsan_assembly_forget, @function\n"                                \
    "__tsan_assembly_forget:\n"                                                \
    "    cmpq $0, 16+runtime_assembly_vectors(%rip)\n"                         \
    "    jz 1f\n"                                                              \
    "    vzeroall\n"                                                           \
    "    cmpq $0, 24+runtime_assembly_vectors(%rip)\n"                         \
    "    jz 2f\n"                                                              \
    "    .set plumb_high, 16\n"                                                \
    "    .irp n,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"             \
    "    vpxord %zmm\\n, %zmm\\n, %zmm\\n\n"                                   \
    "    .endr\n"                                                              \
    "    .irp n,0,1,2,3,4,5,6,7\n"                                             \
    "    kxorw %k\\n, %k\\n, %k\\n\n"                                          \
    "    .endr\n"                                                              \
    "2:  ret\n"                                                                \
    "1:\n"                                                                     \
    "    .irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"                       \
    "    pxor %xmm\\n, %xmm\\n\n"                                              \
    "    .endr\n"                                                              \
    "    ret\n"                                                                \
    ".size __tsan_assembly_forget, . - __tsan_assembly_forget\n"

/* All of them; `hook` is "name", of a function that gets a frame. */
#define RUNTIME_ASSEMBLY_THUNKS(hook)                                          \
    __asm__(                                                                   \
        ".text\n" RUNTIME_ASSEMBLY_THUNK("__tsan_assembly_step", hook, "", "") \
            RUNTIME_ASSEMBLY_THUNK(                                            \
                "__tsan_assembly_vector_step", hook, RUNTIME_ASSEMBLY_SAVE,    \
                RUNTIME_ASSEMBLY_RESTORE) RUNTIME_ASSEMBLY_FORGET)

/* Beside the thunks, in the same file: what this processor has. */
#define RUNTIME_ASSEMBLY_VECTORS                                               \
    struct runtime_assembly_vectors runtime_assembly_vectors;                  \
    __attribute__((constructor)) static void find_vectors(void)                \
    {                                                                          \
        runtime_assembly_find_vectors(&runtime_assembly_vectors);              \
    }

/* Not those of protection keys (9) and tiles (17, 18). */
static inline void runtime_assembly_find_vectors(
    struct runtime_assembly_vectors *v)
{
    enum { OSXSAVE = 1 << 27, PARTS = 0xff, AVX = 0x6, AVX512 = 0xe6 };
    uint32_t a = 1, b, c = 0, d, low, high;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if (!(c & OSXSAVE))
        return;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    v->parts = low & PARTS;
    v->has_avx = (low & AVX) == AVX;
    v->has_avx512 = (low & AVX512) == AVX512;
    a = 0xd;
    c = 0;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    v->size = b; /* of all that is enabled */
}

#endif
#endif
