/* assembly_steps.h - which step of a thread an instruction of inline assembly is. */
#ifndef PLUMB_ASSEMBLER_ASSEMBLY_STEPS_H
#define PLUMB_ASSEMBLER_ASSEMBLY_STEPS_H

#include "instructions.h"
#include "step_codes.h"

#include <stdio.h>

enum { STEP_PREFIXES = 48, STEP_OPERAND = 192 };

struct assembler_step {
    enum assembler_effect effect;
    unsigned code;              /* step_codes.h */
    char operand[STEP_OPERAND]; /* memory, as it stands; or "" */
    bool pops; /* the stack pointer has moved when the operand counts */
};

/* What has to be known of the place where code is put. */
struct assembler_place {
    bool vectors;  /* registers of the vector unit may be in use */
    bool by_stack; /* debuggers find the frame by the stack pointer */
};

/* How a processor's inline assembly is followed. */
struct assembler_steps {
    /* Moves prefixes from the beginning of the text to the others, each with a
     * blank behind it; true if nothing else is there. */
    bool (*take_prefixes)(char prefixes[STEP_PREFIXES], const char **text);
    /* What a statement does; EFFECT_UNKNOWN if in doubt. */
    void (*find)(const char *prefixes, const char *text,
                 struct assembler_step *step);
    /* Code that tells the hooks of a step, on one line. */
    void (*put)(FILE *to, const struct assembler_step *step,
                const struct assembler_place *place);
    /* Code that says: what follows is not followed; `label` is that of a text
     * that says where it stands. */
    void (*put_unseen)(FILE *to, const char *label,
                       const struct assembler_place *place);
    /* Code behind a compiler's call of this hook: what it left in registers
     * that nobody will read. */
    void (*put_forget)(FILE *to, const char *hook,
                       const struct assembler_place *place);
    bool (*uses_vectors)(const char *text);
};

extern const struct assembler_steps assembler_steps_x86_64;

#endif
