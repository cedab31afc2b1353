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
    plumb_base_text_add(out, prelude);
}

/* ---- one instruction ---- */

static const char *const operator_name[] = {
#define X(name) #name,
    PLUMB_CODE_OPERATORS(X)
#undef X
};

static void emit_operator(const struct plumb_csp_instruction *i,
                          struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "DO_%s(", operator_name[i->op / FORMS]);
    switch ((enum plumb_csp_code_form)(i->op % FORMS)) {
    case FORM_C:
        plumb_base_text_printf(out, "a, %d", (int)i->a);
        break;
    case FORM_S:
        plumb_base_text_printf(out, "a, s[%d]", (int)i->a);
        break;
    case FORM_R:
        plumb_base_text_printf(out, "a, r[%d]", (int)i->reg);
        break;
    case FORM_B:
        plumb_base_text_printf(out, "r[%d], a", (int)i->reg);
        break;
    case FORM_D:
        plumb_base_text_printf(out, "s[%d], %d", (int)i->a, (int)i->b);
        break;
    default:
        plumb_base_text_printf(out, "s[%d], s[%d]", (int)i->a, (int)i->b);
        break;
    }
    plumb_base_text_add(out, ");");
}

static void emit_check(const struct plumb_csp_instruction *i,
                       struct plumb_base_text *out)
{
    if (i->op == CODE_RANGE)
        plumb_base_text_printf(out, "if (a < %d || a > %d) return 1;",
                               (int)i->a, (int)i->b);
    else
        plumb_base_text_printf(out, "if ((uint64_t)a >= %uu) return 1;",
                               (unsigned)i->b);
}

static void emit_access(const struct plumb_csp_instruction *i,
                        struct plumb_base_text *out)
{
    switch (i->op) {
    case CODE_SLOT:
        plumb_base_text_printf(out, "a = s[%d];", (int)i->a);
        break;
    case CODE_ELEMENT:
        emit_check(i, out);
        plumb_base_text_printf(out, " a = s[%d + a];", (int)i->a);
        break;
    case CODE_PUT_SLOT:
        plumb_base_text_printf(out, "s[%d] = (int32_t)a;", (int)i->a);
        break;
    case CODE_SET_SLOT:
        plumb_base_text_printf(out, "s[%d] = %d;", (int)i->a, (int)i->b);
        break;
    default: /* CODE_PUT_ELEMENT */
        emit_check(i, out);
        plumb_base_text_printf(out, " s[%d + a] = (int32_t)r[%d];", (int)i->a,
                               (int)i->reg);
        break;
    }
}

static void emit_jump(const struct plumb_csp_instruction *i,
                      struct plumb_base_text *out)
{
    if (i->op == CODE_AGAIN)
        plumb_base_text_printf(out, "if (++rounds > %d) return 1;",
                               PLUMB_MOST_ROUNDS);
    else if (i->op == CODE_JUMP_FALSE)
        plumb_base_text_add(out, "if (!a)");
    else if (i->op == CODE_JUMP_TRUE)
        plumb_base_text_add(out, "if (a && (a = 1))");
    plumb_base_text_printf(out, " goto l%d;", (int)i->a);
}

static void emit_simple(const struct plumb_csp_instruction *i,
                        struct plumb_base_text *out)
{
    switch (i->op) {
    case CODE_RETURN:
        plumb_base_text_add(out, "*value = (int32_t)a; return 0;");
        break;
    case CODE_CONSTANT:
        plumb_base_text_printf(out, "a = %d;", (int)i->a);
        break;
    case CODE_REGISTER:
        plumb_base_text_printf(out, "a = r[%d];", (int)i->reg);
        break;
    case CODE_PUT:
        plumb_base_text_printf(out, "r[%d] = a;", (int)i->reg);
        break;
    case CODE_NOT:
        plumb_base_text_add(out, "a = !a;");
        break;
    case CODE_TRUTH:
        plumb_base_text_add(out, "a = a != 0;");
        break;
    case CODE_MINUS:
        plumb_base_text_add(out, "SIZED(-a);");
        break;
    case CODE_SCALE:
        plumb_base_text_printf(out, "a *= %d;", (int)i->a);
        break;
    default: /* CODE_CLEAR */
        for (unsigned r = 0; r < i->reg; r++)
            plumb_base_text_printf(out, "r[%u] = 0;", r);
        break;
    }
}

/* False if it is nothing for a function of numbers alone. */
static bool emit_instruction(const struct plumb_csp_instruction *i,
                             struct plumb_base_text *out)
{
    if (i->op < CODE_RETURN) {
        emit_operator(i, out);
        return true;
    }
    switch (i->op) {
    case CODE_CALL:
    case CODE_CHANNEL:
    case CODE_UNBOUND:
        return false;
    case CODE_JUMP:
    case CODE_JUMP_FALSE:
    case CODE_JUMP_TRUE:
    case CODE_AGAIN:
        emit_jump(i, out);
        return true;
    case CODE_BOUND:
    case CODE_RANGE:
        emit_check(i, out);
        return true;
    case CODE_SLOT:
    case CODE_ELEMENT:
    case CODE_PUT_SLOT:
    case CODE_SET_SLOT:
    case CODE_PUT_ELEMENT:
        emit_access(i, out);
        return true;
    default:
        emit_simple(i, out);
        return true;
    }
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
    if (plumb_csp_formula_node_at(f, number)->code == PLUMB_NO_CODE &&
        !plumb_csp_node_compile(f, number))
        return false;
    const uint32_t start = plumb_csp_formula_node_at(f, number)->code;
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
