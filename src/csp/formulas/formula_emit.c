/* formula_emit.c - formulas and effects as C.
 *
 * The bytecode, instruction by instruction: the accumulator and the registers
 * are variables, jumps are gotos, and the compiler does the rest.  Where the
 * machine would stop with an error the function returns 1: the machine is to
 * be asked what is wrong. */
#include "formula_emit.h"

#include "formula_code.h"

static const char prelude[] =
    "#include <stdint.h>\n"
    "static inline int64_t modulo(int64_t a, int64_t b)\n"
    "{ int64_t r = a % b; return r >= 0 ? r : r + (b < 0 ? -b : b); }\n"
    "#define SIZED(x) do { a = (x); if (a != (int32_t)a) return 1; } while "
    "(0)\n"
    "#define DO_XOR(l, r) a = !(l) != !(r)\n"
    "#define DO_BITAND(l, r) a = (int64_t)(l) & (int64_t)(r)\n"
    "#define DO_BITOR(l, r) a = (int64_t)(l) | (int64_t)(r)\n"
    "#define DO_BITXOR(l, r) a = (int64_t)(l) ^ (int64_t)(r)\n"
    "#define DO_EQUAL(l, r) a = (int64_t)(l) == (int64_t)(r)\n"
    "#define DO_UNEQUAL(l, r) a = (int64_t)(l) != (int64_t)(r)\n"
    "#define DO_LESS(l, r) a = (int64_t)(l) < (int64_t)(r)\n"
    "#define DO_GREATER(l, r) a = (int64_t)(l) > (int64_t)(r)\n"
    "#define DO_AT_MOST(l, r) a = (int64_t)(l) <= (int64_t)(r)\n"
    "#define DO_AT_LEAST(l, r) a = (int64_t)(l) >= (int64_t)(r)\n"
    "#define DO_ADD(l, r) SIZED((int64_t)(l) + (int64_t)(r))\n"
    "#define DO_SUBTRACT(l, r) SIZED((int64_t)(l) - (int64_t)(r))\n"
    "#define DO_MULTIPLY(l, r) SIZED((int64_t)(l) * (int64_t)(r))\n"
    "#define DIVIDED(l, r, x) do { int64_t n_ = (l), d_ = (r); if (!d_) "
    "return 1; SIZED(x); } while (0)\n"
    "#define DO_DIVIDE(l, r) DIVIDED(l, r, n_ / d_)\n"
    "#define DO_MODULO(l, r) DIVIDED(l, r, modulo(n_, d_))\n";

void plumb_csp_formula_emit_prelude(struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "#define MOST_ROUNDS %d\n%s", PLUMB_MOST_ROUNDS,
                           prelude);
}

/* ---- one instruction ---- */

static const char *const operator_name[] = {
#define X(name) #name,
    PLUMB_CODE_OPERATORS(X)
#undef X
};

/* The operands of each form, and each other instruction: $a, $b and $r stand
 * for its parts.  NULL: nothing for a function of numbers alone. */
static const char *const operands[] = {
    [FORM_C] = "a, $a",    [FORM_S] = "a, s[$a]",  [FORM_R] = "a, r[$r]",
    [FORM_B] = "r[$r], a", [FORM_D] = "s[$a], $b", [FORM_E] = "s[$a], s[$b]",
};

#define IN_BOUNDS "if ((uint64_t)a >= $bu) return 1; "

static const char *const statement[] = {
    [CODE_RETURN] = "*value = (int32_t)a; return 0;",
    [CODE_CONSTANT] = "a = $a;",
    [CODE_SLOT] = "a = s[$a];",
    [CODE_REGISTER] = "a = r[$r];",
    [CODE_PUT] = "r[$r] = a;",
    [CODE_NOT] = "a = !a;",
    [CODE_TRUTH] = "a = a != 0;",
    [CODE_MINUS] = "SIZED(-a);",
    [CODE_JUMP] = "goto l$a;",
    [CODE_JUMP_FALSE] = "if (!a) goto l$a;",
    [CODE_JUMP_TRUE] = "if (a && (a = 1)) goto l$a;",
    [CODE_AGAIN] = "if (++rounds > MOST_ROUNDS) return 1; goto l$a;",
    [CODE_BOUND] = IN_BOUNDS,
    [CODE_SCALE] = "a *= $a;",
    [CODE_ELEMENT] = IN_BOUNDS "a = s[$a + a];",
    [CODE_PUT_SLOT] = "s[$a] = (int32_t)a;",
    [CODE_SET_SLOT] = "s[$a] = $b;",
    [CODE_PUT_ELEMENT] = IN_BOUNDS "s[$a + a] = (int32_t)r[$r];",
    [CODE_RANGE] = "if (a < $a || a > $b) return 1;",
    [CODE_CLEAR] = "for (int k = 0; k < $r; k++) r[k] = 0;",
    [CODE_CALL] = NULL,
    [CODE_CHANNEL] = NULL,
    [CODE_UNBOUND] = NULL,
};

static void emit_form(const struct plumb_csp_instruction *i, const char *form,
                      struct plumb_base_text *out)
{
    for (; *form; form++)
        if (*form != '$') {
            plumb_base_text_bytes(out, form, 1);
        } else {
            form++;
            plumb_base_text_printf(out, "%d",
                                   (int)(*form == 'a'   ? i->a
                                         : *form == 'b' ? i->b
                                                        : i->reg));
        }
}

/* False if it is nothing for a function of numbers alone. */
static bool emit_instruction(const struct plumb_csp_instruction *i,
                             struct plumb_base_text *out)
{
    if (i->op < CODE_RETURN) {
        plumb_base_text_printf(out, "DO_%s(", operator_name[i->op / FORMS]);
        emit_form(i, operands[i->op % FORMS], out);
        plumb_base_text_add(out, ");");
        return true;
    }
    if (!statement[i->op])
        return false;
    emit_form(i, statement[i->op], out);
    return true;
}

/* ---- a whole one ---- */

/* Its instructions: up to its only RETURN. */
static uint32_t length_of(const struct plumb_csp_instruction *code)
{
    uint32_t length = 1;
    while (code[length - 1].op != CODE_RETURN)
        length++;
    return length;
}

static unsigned registers_of(const struct plumb_csp_instruction *code,
                             uint32_t length)
{
    unsigned most = 0;
    for (uint32_t i = 0; i < length; i++)
        if (code[i].reg > most)
            most = code[i].reg;
    return most + 1;
}

bool plumb_csp_formula_emit(struct plumb_csp_formulas *f, uint32_t number,
                            struct plumb_base_text *out)
{
    if (f->node[number].code == PLUMB_NO_CODE &&
        !plumb_csp_node_compile(f, number))
        return false;
    const uint32_t start = f->node[number].code;
    const struct plumb_csp_instruction *const code = f->code + start;
    const uint32_t length = length_of(code);
    plumb_base_text_printf(out,
                           "static inline int f%u(int32_t *s, int32_t *value)\n"
                           "{ int64_t a = 0, r[%u]; int rounds = 0; (void)r; "
                           "(void)rounds; (void)s;\n",
                           (unsigned)number, registers_of(code, length));
    for (uint32_t i = 0; i < length; i++) {
        plumb_base_text_printf(out, "l%u: ", (unsigned)(start + i));
        if (!emit_instruction(&code[i], out))
            return false;
        plumb_base_text_add(out, "\n");
    }
    plumb_base_text_add(out, "}\n");
    return !out->broken;
}
