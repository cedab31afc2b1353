/* assembly.h - instructions in a shared object that no hook tells of.
 *
 * Compiled with hooks, atomic accesses are calls.  Where one stands as an
 * instruction it was written in assembly, and is invisible; so is all that a
 * function does which was compiled without hooks.  Both are found by reading
 * what objdump says. */
#ifndef PLUMB_APP_BINARY_ASSEMBLY_H
#define PLUMB_APP_BINARY_ASSEMBLY_H

#include <stdbool.h>
#include <stdio.h>

enum { ASSEMBLY_KEPT = 8, ASSEMBLY_TEXT = 120 };

struct binary_assembly {
    /* "push+0x1c: lock cmpxchg %rdx,(%rdi)": atomic, or a system call, or a
     * clock.  More may have been found than are kept. */
    unsigned instructions;
    char instruction[ASSEMBLY_KEPT][ASSEMBLY_TEXT];
    /* Functions without hooks that access memory or call others. */
    unsigned functions;
    char function[ASSEMBLY_KEPT][ASSEMBLY_TEXT];
};

/* False if there is no objdump, or it cannot read the file, or that is for a
 * processor whose instructions are not understood: nothing is known then. */
bool binary_assembly_look(const char *path, struct binary_assembly *found);

/* The same of what `objdump -h -T -R -w` said, and then what `objdump -d -w
 * --no-show-raw-insn` did; or `objdump -h -d -w --no-show-raw-insn` alone. */
bool binary_assembly_read(FILE *in, struct binary_assembly *found);

#endif
