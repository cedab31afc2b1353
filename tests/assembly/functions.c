/* functions.c - the forms of forms.py as functions: PREFIX(0)(), PREFIX(1)(), ...
 *
 * Each loads what assembly_state says, runs one instruction between two fences,
 * by which the hooks know it, and stores what has become of the state. */
#include "state.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)

#define FORM(number, text, effect, size, setup)                                \
    static void PASTE(PREFIX, number)(void)                                    \
    {                                                                          \
        __asm__ volatile("leaq -264(%%rsp), %%rsp\n\t"                         \
                         "call assembly_load\n\t"                              \
                         "lfence\n\t" text "\n\t"                              \
                         "sfence\n\t"                                          \
                         "call assembly_store\n\t"                             \
                         "leaq 264(%%rsp), %%rsp"                              \
                         :                                                     \
                         :                                                     \
                         : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9",      \
                           "r10", "r11", "memory", "cc");                      \
    }
#include FORMS
#undef FORM

#define FORM(number, text, effect, size, setup)                                \
    { PASTE(PREFIX, number), text, effect, size, setup },
const struct assembly_form PASTE(PREFIX, forms)[] = {
#include FORMS
    { 0, 0, 0, 0, 0 }
};
