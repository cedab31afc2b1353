/* formula_emit.c - formulas and effects as C.
 *
 * The bytecode, instruction by instruction: the accumulator and the registers
 * are variables, jumps are gotos, and the compiler does the rest.  Where the
 * machine would stop with an error the function returns 1: the machine is to
 * be asked what is wrong. */
#include "formula_code.h"

void plumb_csp_formula_emit_prelude(struct plumb_base_text *out)
{
    plumb_base_text_printf(
        out,
        "#define MOST_ROUNDS %d\n"
        "#include <stdint.h>\n"
        "static inline int64_t plumb_csp_modulo(int64_t a, int64_t b)\n"
        "{ int64_t r = a %% b; return r >= 0 ? r : r + (b < 0 ? -b : b); }\n",
        PLUMB_MOST_ROUNDS);
}

/* ---- one instruction ---- */

static const char *const value_of[] = {
#define X(name, text, level, value) [PLUMB_OP_##name] = #value,
    PLUMB_OPERATORS(X)
#undef X
};

/* The operands of each form, and each other instruction: $a, $b and $r stand
 * for its parts.  NULL: nothing for a function of numbers alone. */
static const char *const operands[] = {
    [FORM_C] = "a = acc, b = $a",    [FORM_S] = "a = acc, b = s[$a]",
    [FORM_R] = "a = acc, b = r[$r]", [FORM_B] = "a = r[$r], b = acc",
    [FORM_D] = "a = s[$a], b = $b",  [FORM_E] = "a = s[$a], b = s[$b]",
};

#define SIZED     "if (acc != (int32_t)acc) return 1; "
#define IN_BOUNDS "if ((uint64_t)acc >= $bu) return 1; "

static const char *const statement[] = {
    [CODE_RETURN] = "*value = (int32_t)acc; return 0;",
    [CODE_CONSTANT] = "acc = $a;",
    [CODE_SLOT] = "acc = s[$a];",
    [CODE_REGISTER] = "acc = r[$r];",
    [CODE_PUT] = "r[$r] = acc;",
    [CODE_NOT] = "acc = !acc;",
    [CODE_TRUTH] = "acc = acc != 0;",
    [CODE_MINUS] = "acc = -acc; " SIZED,
    [CODE_JUMP] = "goto l$a;",
    [CODE_JUMP_FALSE] = "if (!acc) goto l$a;",
    [CODE_JUMP_TRUE] = "if (acc && (acc = 1)) goto l$a;",
    [CODE_AGAIN] = "if (++rounds > MOST_ROUNDS) return 1; goto l$a;",
    [CODE_BOUND] = IN_BOUNDS,
    [CODE_SCALE] = "acc *= $a;",
    [CODE_ELEMENT] = IN_BOUNDS "acc = s[$a + acc];",
    [CODE_PUT_SLOT] = "s[$a] = (int32_t)acc;",
    [CODE_SET_SLOT] = "s[$a] = $b;",
    [CODE_PUT_ELEMENT] = IN_BOUNDS "s[$a + acc] = (int32_t)r[$r];",
    [CODE_RANGE] = "if (acc < $a || acc > $b) return 1;",
    [CODE_CLEAR] = "for (int k = 0; k < $r; k++) r[k] = 0;",
    [CODE_CALL] = NULL,
    [CODE_CHANNEL] = NULL,
    [CODE_METHOD] = NULL,
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
        const unsigned op = PLUMB_OP_XOR + i->op / FORMS;
        plumb_base_text_add(out, "{ const int64_t ");
        emit_form(i, operands[i->op % FORMS], out);
        plumb_base_text_printf(out, "; %sacc = %s; %s}",
                               op >= PLUMB_OP_DIVIDE ? "if (!b) return 1; "
                                                     : "",
                               value_of[op], op >= PLUMB_OP_ADD ? SIZED : "");
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
                           "{ int64_t acc = 0, r[%u]; int rounds = 0; (void)r; "
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
