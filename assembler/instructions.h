/* instructions.h - a processor's instructions, as objdump and people write them.
 *
 * Only as far as assembly.c and inline_assembly.c have to understand them.  Registers are followed in
 * the order of the text, not along jumps. */
#ifndef PLUMB_ASSEMBLER_INSTRUCTIONS_H
#define PLUMB_ASSEMBLER_INSTRUCTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    INSTRUCTION_ARGUMENTS = 8,
    INSTRUCTION_REGISTERS = 31,
    INSTRUCTION_SLOTS = 8
};

struct assembler_instruction {
    char name[16];        /* "ldr" */
    const char *operands; /* "w0, [x1, #8]" */
};

struct assembler_registers {
    bool argument[INSTRUCTION_REGISTERS];  /* has what the function was given */
    bool is_known[INSTRUCTION_REGISTERS];  /* has the address value[] */
    bool is_loaded[INSTRUCTION_REGISTERS]; /* has what was there at value[] */
    uint64_t value[INSTRUCTION_REGISTERS];
    char slot[INSTRUCTION_SLOTS]
             [16]; /* of the stack, that have it, too; or "" */
};

struct assembler_steps;

struct assembler_processor {
    const char *format;  /* as objdump names it */
    const char *comment; /* what begins one, for the assembler */
    /* Inline assembly: NULL if nothing is known to rewrite it (assembly_steps.h). */
    const struct assembler_steps *steps;
    /* ... then: can it touch memory, call, or ask the world outside?  True if
     * in doubt.  A fence cannot. */
    bool (*can_touch)(const struct assembler_instruction *i);
    bool (*is_call)(const struct assembler_registers *r,
                    const struct assembler_instruction *i);
    bool (*is_jump)(const struct assembler_instruction *i);
    /* What cannot be followed: atomic, a system call, a clock, chance. */
    bool (*is_foreign)(const struct assembler_instruction *i);
    /* clang leaves the access of an atomic load behind the hook for it: is this
     * part of one, of 16 bytes (`wide`) or fewer? */
    bool (*is_left_behind)(const struct assembler_instruction *i, bool wide);
    /* Does it access memory at an argument as it was given? */
    bool (*uses_argument)(const struct assembler_registers *r,
                          const struct assembler_instruction *i);
    /* Does it access memory at an address that is known here? */
    bool (*uses_address)(const struct assembler_registers *r,
                         const struct assembler_instruction *i, uint64_t *at);
    /* Does it access memory at what was loaded from such an address? */
    bool (*uses_loaded)(const struct assembler_registers *r,
                        const struct assembler_instruction *i, uint64_t *from);
    /* What the registers have after it. */
    void (*follow)(struct assembler_registers *r,
                   const struct assembler_instruction *i);
};

static inline bool assembler_starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

extern const struct assembler_processor assembler_processor_x86_64,
    assembler_processor_aarch64;

/* "movq (%rdi), %rax" is a name and operands.  `text` stays in use. */
void assembler_instruction_split(const char *text,
                                 struct assembler_instruction *i);

/* Is it one of the words, of which each has a blank on both sides? */
bool assembler_is_word_of(const char *words, const char *text);

/* Is the text in a list, or does it start with a member of it?  A list ends
 * with NULL. */
bool assembler_instruction_is(const char *text, const char *const *list);
bool assembler_instruction_starts(const char *text, const char *const *list);

#endif
