/* step_codes.h - what the code before an instruction of inline assembly tells
 * the hooks: one number.
 *
 *     bits 0-7 size, 8-11 effect, 12-15 a register's number, then flags */
#ifndef PLUMB_ASSEMBLER_STEP_CODES_H
#define PLUMB_ASSEMBLER_STEP_CODES_H

enum assembler_effect {
    EFFECT_NONE,    /* it leaves memory alone                            */
    EFFECT_UNKNOWN, /* nobody can tell: it is not followed               */
    EFFECT_READ,
    EFFECT_WRITE,
    EFFECT_MODIFY, /* reads, then writes: two steps                      */
    EFFECT_ATOMIC, /* reads and writes in one                            */
    EFFECT_COPY,   /* of strings: from one place to another              */
    EFFECT_FILL,
    EFFECT_FETCH,
    EFFECT_FENCE, /* its size is a memory_order                          */
    EFFECT_PAUSE,
    EFFECT_CLOCK, /* its size is that of what it answers: 8 or 12 bytes  */
    EFFECT_SCAN,  /* of a string, until what is sought is found          */
    EFFECT_MATCH, /* ... of two, as long as they are equal, or not       */
    EFFECT_UNSEEN /* no instruction: what follows is not followed; the
                     address is that of a text that says where it stands */
};

enum {
    STEP_BITS = 1 << 16,     /* the register has the number of a bit     */
    STEP_COMPARES = 1 << 17, /* and writes only if the accumulator is
                                what is there                            */
    STEP_REPEATS = 1 << 18,  /* as often as the counter says             */
    STEP_PAIR = 1 << 19,     /* it compares both halves, with two registers */
    STEP_UNEQUAL = 1 << 21,  /* ... while elements differ                */
    STEP_SOURCE = 1 << 20    /* the register has what is to be written   */
};

static inline unsigned assembler_step_code(enum assembler_effect effect,
                                           unsigned size, unsigned number,
                                           unsigned flags)
{
    return size | (unsigned)effect << 8 | number << 12 | flags;
}
static inline unsigned assembler_step_size(unsigned code)
{
    return code & 0xff;
}
static inline enum assembler_effect assembler_step_effect(unsigned code)
{
    return (enum assembler_effect)(code >> 8 & 0xf);
}
static inline unsigned assembler_step_register(unsigned code)
{
    return code >> 12 & 0xf;
}

#endif
