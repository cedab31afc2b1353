/* formula_code.h - the instructions of the machine that runs formulas.
 *
 * There is one accumulator of 64 bits, which always holds a number that fits
 * 32, and registers: first the temporaries of the program, then what waits
 * for the other side of an operator.  An operator comes in six forms, by
 * where its operands are:
 *
 *   C   acc op a           S   acc op slot[a]      R   acc op reg
 *   B   reg op acc         D   slot[a] op b        E   slot[a] op slot[b] */
#ifndef PLUMB_CSP_FORMULAS_FORMULA_CODE_H
#define PLUMB_CSP_FORMULAS_FORMULA_CODE_H

#include "formula_nodes.h"

enum plumb_csp_code_form {
    FORM_C,
    FORM_S,
    FORM_R,
    FORM_B,
    FORM_D,
    FORM_E,
    FORMS
};

/* Operators come first, in the order of PLUMB_OPERATORS. */
enum plumb_csp_code {
#define X(name, ...)                                                           \
    CODE_##name##_C, CODE_##name##_S, CODE_##name##_R, CODE_##name##_B,        \
        CODE_##name##_D, CODE_##name##_E,
    PLUMB_OPERATORS(X)
#undef X
        CODE_RETURN,
    CODE_CONSTANT,    /* acc = a                                          */
    CODE_SLOT,        /* acc = slot[a]                                    */
    CODE_REGISTER,    /* acc = reg                                        */
    CODE_PUT,         /* reg = acc                                        */
    CODE_NOT,         /* acc = !acc                                       */
    CODE_TRUTH,       /* acc = !!acc                                      */
    CODE_MINUS,       /* acc = -acc                                       */
    CODE_JUMP,        /* to a                                             */
    CODE_JUMP_FALSE,  /* to a if acc is 0                                 */
    CODE_JUMP_TRUE,   /* to a, with acc = 1, unless acc is 0              */
    CODE_AGAIN,       /* back to a; so often and no more                  */
    CODE_BOUND,       /* acc must be in 0 .. b - 1                        */
    CODE_SCALE,       /* acc *= a                                         */
    CODE_ELEMENT,     /* acc = slot[a + acc], acc in 0 .. b - 1           */
    CODE_PUT_SLOT,    /* slot[a] = acc                                    */
    CODE_SET_SLOT,    /* slot[a] = b                                      */
    CODE_PUT_ELEMENT, /* slot[a + acc] = reg, acc in 0 .. b - 1           */
    CODE_RANGE,       /* acc must be in a .. b                            */
    CODE_CLEAR,       /* the first `reg` registers are 0                  */
    CODE_CALL,        /* acc = node a, arguments in reg, reg + 1, ...     */
    CODE_CHANNEL,     /* acc = what node a asks of channel number acc     */
    CODE_METHOD,      /* acc = node a, operands in reg, reg + 1, ...      */
    CODE_UNBOUND      /* a local that has no value                        */
};

/* So many rounds of all loops of one run together. */
enum { PLUMB_MOST_ROUNDS = 1 << 20 };

#endif
