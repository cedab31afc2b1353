/* inline_assembly.h - what a compiler passed on to the assembler unread.
 *
 * Hooks stand before the accesses that the compiler made.  It does not read
 * assembly that the source holds: no hook tells of an access there.  Compilers
 * mark those lines,
 *
 *     #APP
 *     # 12 "queue.c" 1
 *             movq (%rdi), %rax
 *     #NO_APP
 *
 * and a file without a trace of a compiler is assembly from end to end. */
#ifndef PLUMB_ASSEMBLER_INLINE_ASSEMBLY_H
#define PLUMB_ASSEMBLER_INLINE_ASSEMBLY_H

#include "instructions.h"

/* A statement that can touch memory, the first of its block.  `where` is
 * "queue.c:12", or "queue.c" where no line is known. */
typedef void assembler_inline_assembly_tell(void *context, const char *where,
                                            const char *statement);

/* `text` is what an assembler reads, in the processor's default syntax (AT&T's
 * for x86); `source` is its name where the text has none.  What the scan does
 * not understand counts as touching memory. */
void assembler_inline_assembly_scan(const char *text, const char *source,
                                    const struct assembler_processor *p,
                                    assembler_inline_assembly_tell *tell,
                                    void *context);

#endif
