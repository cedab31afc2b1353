/* operands_x86_64.h - operands as AT&T writes them: "$1, 8(%rax,%rbx,4)". */
#ifndef PLUMB_ASSEMBLER_OPERANDS_X86_64_H
#define PLUMB_ASSEMBLER_OPERANDS_X86_64_H

#include <stdbool.h>
#include <stddef.h>

struct operand_register {
    unsigned number; /* as in machine code: rax, rcx, rdx, rbx, rsp, ... */
    unsigned size;   /* bytes                                          */
    bool vector;
};

/* What follows the next comma that is not between brackets; "" if nothing. */
const char *operand_next(const char *operands);

/* Without blanks behind it. */
size_t operand_length(const char *operand);

/* "%eax", "%xmm3"; false if it is none that instructions compute with. */
bool operand_is_register(const char *text, size_t length,
                         struct operand_register *r);

#endif
