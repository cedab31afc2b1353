/* state.h - what an instruction can see and change. */
#ifndef PLUMB_TESTS_ASSEMBLY_STATE_H
#define PLUMB_TESTS_ASSEMBLY_STATE_H

#include <stdint.h>

struct assembly_form {
    void (*run)(void);
    const char *text;
    unsigned effect, size; /* as the hook must be told */
    const char *setup;     /* what operands need: "bits", "divide", ... */
};

enum { MEMORY = 1024, MIDDLE = 512 };

struct assembly_state {
    uint64_t reg[16]; /* in the order of machine code; [4] is not used */
    uint64_t flags;
    uint64_t red[4], above[8]; /* around the stack pointer: -64, and 0 */
    unsigned char vector[2816] __attribute__((aligned(64))); /* xsave */
    unsigned char memory[MEMORY];
};

extern struct assembly_state assembly_state;
extern unsigned char assembly_memory[MEMORY]; /* while it runs */

#endif
