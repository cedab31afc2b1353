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

#include <stddef.h>

enum { ASSEMBLER_WHERE = 288 };

struct assembler_statement {
    const char *labels; /* "1: retry: "; of that length            */
    int labels_length;
    const char *text; /* "lock; incl (%rdi)" has two; "": labels only */
    bool is_directive;
    bool is_data;                /* it makes no code                        */
    bool in_function;            /* of the compiler's: of an asm statement  */
    char where[ASSEMBLER_WHERE]; /* "queue.c:12", or "queue.c"   */
};

enum assembler_line { LINE_OF_COMPILER, LINE_OF_ASSEMBLY, LINE_TOO_LONG };

/* What is done with what is read.  A block is an asm statement, or as much as is
 * known to belong together; a line of assembly is shown as it is, then its
 * statements without comments, then its end. */
struct assembler_visitor {
    void *context;
    void (*block)(void *context);
    void (*line)(void *context, const char *text, size_t length,
                 enum assembler_line kind);
    void (*statement)(void *context, const struct assembler_statement *s);
    void (*end_line)(void *context);
};

/* False: all of it is assembly that somebody wrote. */
bool assembler_inline_assembly_is_compiled(const char *text);

/* `text` is what an assembler reads; `source` is its name where the text has
 * none. */
void assembler_inline_assembly_visit(const char *text, const char *source,
                                     const struct assembler_processor *p,
                                     const struct assembler_visitor *visitor);

#endif
