/* rewriting.h - inline assembly with calls of hooks in it.
 *
 * Before each instruction that is a step of a thread (assembly_steps.h) stands code that
 * tells the hooks of it.  A block that holds an instruction which nobody here
 * understands is left as it is, with code before it that says so when it is
 * run. */
#ifndef PLUMB_ASSEMBLER_REWRITING_H
#define PLUMB_ASSEMBLER_REWRITING_H

#include "instructions.h"

#include <stdio.h>

/* Writes all of the text, and then a section that lists what is not followed:
 *
 *     .section .plumb.assembly,"MS",@progbits,1
 *     .string "looked"
 *     .string "?queue.c:12: movq %fs:0, %rax"     says so when it is run
 *     .string "queue.c:14: .byte 15"              cannot
 *
 * With `as_written` nothing is changed, and all that would have been is listed.
 * False if there is no memory. */
bool assembler_rewrite(FILE *to, const char *text, const char *source,
                       const struct assembler_processor *p, bool as_written);

#endif
