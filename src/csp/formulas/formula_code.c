/* formula_code.c - from a node to instructions.
 *
 * One pass; each node leaves its value in the accumulator.  The left side of
 * an operator is worked out first, unless it is a constant, a slot or a
 * temporary, which nothing can happen to meanwhile.  Then jumps that lead to
 * jumps are led further. */
#include "formula_code.h"

#include "base/memory.h"
#include <assert.h>

struct compiler {
    struct plumb_csp_formulas *f;
    uint32_t free, most; /* the next free register; most in use at once */
    uint32_t node;       /* what is being compiled, for `origin` */
    bool failed;
};

static void emit(struct compiler *c, enum plumb_csp_code op, uint32_t reg,
                 int32_t a, int32_t b)
{
    struct plumb_csp_formulas *const f = c->f;
    const size_t at = f->code_size;
    if (c->failed)
        return;
    if (reg > UINT16_MAX || at >= INT32_MAX ||
        !PLUMB_GROW(f->budget, f->code, f->code_capacity, at + 1) ||
        !PLUMB_GROW(f->budget, f->origin, f->origin_capacity, at + 1)) {
        c->failed = true;
        return;
    }
    f->code[at] = (struct plumb_csp_instruction){
        .op = (uint16_t)op, .reg = (uint16_t)reg, .a = a, .b = b
    };
    f->origin[at] = c->node;
    f->code_size++;
}

/* A jump whose target is not known yet; `land` says: here. */
static size_t emit_jump(struct compiler *c, enum plumb_csp_code op)
{
    emit(c, op, 0, 0, 0);
    return c->f->code_size - 1;
}

static void land(struct compiler *c, size_t jump)
{
    if (!c->failed)
        c->f->code[jump].a = (int32_t)c->f->code_size;
}

/* Jumps to one place: each has the one before as its target, until all land.
 * There is none at 0. */
static void chain_jump(struct compiler *c, size_t *chain)
{
    const size_t jump = emit_jump(c, CODE_JUMP);
    if (!c->failed)
        c->f->code[jump].a = (int32_t)*chain;
    *chain = jump;
}

static void land_chain(struct compiler *c, size_t chain)
{
    while (!c->failed && chain) {
        const size_t before = (size_t)c->f->code[chain].a;
        land(c, chain);
        chain = before;
    }
}

static uint32_t take_register(struct compiler *c)
{
    if (++c->free > c->most)
        c->most = c->free;
    return c->free - 1;
}

/* The accumulator, in a register of its own. */
static uint32_t save(struct compiler *c)
{
    const uint32_t reg = take_register(c);
    emit(c, CODE_PUT, reg, 0, 0);
    return reg;
}

static uint32_t operand(const struct compiler *c, uint32_t number, uint32_t i)
{
    return c->f->operand[c->f->node[number].first + i];
}

static void compile(struct compiler *c, uint32_t number);

/* ---- operators ---- */

/* A constant, a slot or a temporary. */
static bool is_simple(const struct plumb_csp_formula_node *n)
{
    return n->kind == PLUMB_NODE_CONSTANT || n->kind == PLUMB_NODE_SLOT ||
           n->kind == PLUMB_NODE_TEMP;
}

static int32_t slot_of(const struct compiler *c,
                       const struct plumb_csp_formula_node *n)
{
    const struct plumb_csp_variable *const v =
        c->f->model->variable + n->number;
    return (int32_t)v->slot + n->value;
}

static enum plumb_csp_code operator_code(enum plumb_csp_operator op,
                                         enum plumb_csp_code_form form)
{
    return (enum plumb_csp_code)(((int)op - PLUMB_OP_XOR) * FORMS + (int)form);
}

/* acc op n, for a simple n. */
static void emit_operator(struct compiler *c, enum plumb_csp_operator op,
                          const struct plumb_csp_formula_node *n)
{
    if (n->kind == PLUMB_NODE_CONSTANT)
        emit(c, operator_code(op, FORM_C), 0, n->value, 0);
    else if (n->kind == PLUMB_NODE_SLOT)
        emit(c, operator_code(op, FORM_S), 0, slot_of(c, n), 0);
    else
        emit(c, operator_code(op, FORM_R), n->number, 0, 0);
}

/* The operator with its sides exchanged; PLUMB_OP_NOT if there is none. */
static enum plumb_csp_operator turned(enum plumb_csp_operator op)
{
    static const enum plumb_csp_operator other[] = {
        [PLUMB_OP_LESS] = PLUMB_OP_GREATER,
        [PLUMB_OP_GREATER] = PLUMB_OP_LESS,
        [PLUMB_OP_AT_MOST] = PLUMB_OP_AT_LEAST,
        [PLUMB_OP_AT_LEAST] = PLUMB_OP_AT_MOST,
    };
    if (op == PLUMB_OP_SUBTRACT || op == PLUMB_OP_DIVIDE ||
        op == PLUMB_OP_MODULO)
        return PLUMB_OP_NOT;
    return op >= PLUMB_OP_LESS && op <= PLUMB_OP_AT_LEAST ? other[op] : op;
}

/* slot op constant, slot op slot: one instruction. */
static bool compile_fused(struct compiler *c, enum plumb_csp_operator op,
                          const struct plumb_csp_formula_node *a,
                          const struct plumb_csp_formula_node *b)
{
    if (a->kind != PLUMB_NODE_SLOT)
        return false;
    if (b->kind == PLUMB_NODE_CONSTANT)
        emit(c, operator_code(op, FORM_D), 0, slot_of(c, a), b->value);
    else if (b->kind == PLUMB_NODE_SLOT)
        emit(c, operator_code(op, FORM_E), 0, slot_of(c, a), slot_of(c, b));
    else
        return false;
    return true;
}

static void compile_both(struct compiler *c, enum plumb_csp_operator op,
                         uint32_t left, uint32_t right, uint32_t number)
{
    compile(c, left);
    const uint32_t reg = save(c);
    compile(c, right);
    c->node = number;
    emit(c, operator_code(op, FORM_B), reg, 0, 0);
    c->free--;
}

static void compile_operator(struct compiler *c, uint32_t number)
{
    const enum plumb_csp_operator op = c->f->node[number].op;
    const enum plumb_csp_operator other = turned(op);
    const uint32_t left = operand(c, number, 0);
    const uint32_t right = operand(c, number, 1);
    const struct plumb_csp_formula_node *const a = c->f->node + left;
    const struct plumb_csp_formula_node *const b = c->f->node + right;
    if (compile_fused(c, op, a, b))
        return;
    if (is_simple(b)) {
        compile(c, left);
        c->node = number;
        emit_operator(c, op, b);
    } else if (is_simple(a) && other != PLUMB_OP_NOT) {
        compile(c, right);
        c->node = number;
        emit_operator(c, other, a);
    } else {
        compile_both(c, op, left, right, number);
    }
}

/* && and ||: the right side only if the left does not decide. */
static void compile_short(struct compiler *c, uint32_t number)
{
    const bool both = c->f->node[number].op == PLUMB_OP_AND;
    const uint32_t right = operand(c, number, 1);
    compile(c, operand(c, number, 0));
    const size_t jump = emit_jump(c, both ? CODE_JUMP_FALSE : CODE_JUMP_TRUE);
    compile(c, right);
    if (!plumb_csp_node_is_truth(c->f, right))
        emit(c, CODE_TRUTH, 0, 0, 0);
    land(c, jump);
}

/* ---- elements, calls, channels ---- */

/* Which element, in the accumulator; the last check is left to what uses it. */
static void compile_index(struct compiler *c, uint32_t number)
{
    const struct plumb_csp_formula_node *const n = c->f->node + number;
    const struct plumb_csp_variable *const v =
        c->f->model->variable + n->number;
    const uint32_t count = n->operands;
    uint32_t reg = 0;
    for (uint32_t i = 0; i < count; i++) {
        compile(c, operand(c, number, i));
        c->node = number;
        if (count > 1)
            emit(c, CODE_BOUND, 0, 0, (int32_t)plumb_csp_extent(v, count, i));
        if (i > 0) {
            emit(c, CODE_ADD_R, reg, 0, 0);
            c->free--;
        }
        if (i + 1 < count) {
            emit(c, CODE_SCALE, 0, (int32_t)plumb_csp_extent(v, count, i + 1),
                 0);
            reg = save(c);
        }
    }
}

static void compile_element(struct compiler *c, uint32_t number)
{
    const struct plumb_csp_formula_node *const n = c->f->node + number;
    const struct plumb_csp_variable *const v =
        c->f->model->variable + n->number;
    compile_index(c, number);
    emit(c, CODE_ELEMENT, 0, (int32_t)v->slot, (int32_t)v->size);
}

/* Also of a method. */
static void compile_call(struct compiler *c, uint32_t number)
{
    const uint32_t count = c->f->node[number].operands;
    const uint32_t base = c->free;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t argument = operand(c, number, i);
        const uint32_t reg = take_register(c);
        if (c->f->node[argument].kind == PLUMB_NODE_ARRAY)
            continue;
        compile(c, argument);
        emit(c, CODE_PUT, reg, 0, 0);
    }
    c->node = number;
    emit(c,
         c->f->node[number].kind == PLUMB_NODE_CALL ? CODE_CALL : CODE_METHOD,
         base, (int32_t)number, 0);
    c->free = base;
}

static void compile_channel(struct compiler *c, uint32_t number)
{
    if (c->f->node[number].operands)
        compile(c, operand(c, number, 0));
    else
        emit(c, CODE_CONSTANT, 0, 0, 0);
    c->node = number;
    emit(c, CODE_CHANNEL, 0, (int32_t)number, 0);
}

/* The index is compared with each number but the last, which it is if it is
 * none of the others: it was found to be one of them. */
static void compile_pick(struct compiler *c, uint32_t number)
{
    const uint32_t choices = c->f->node[number].operands - 1;
    size_t past = 0;
    compile(c, operand(c, number, 0));
    c->node = number;
    emit(c, CODE_BOUND, 0, 0, (int32_t)choices);
    const uint32_t reg = save(c);
    for (uint32_t i = 0; i < choices; i++) {
        size_t over = 0;
        const bool last = i + 1 == choices;
        if (!last) {
            emit(c, CODE_REGISTER, reg, 0, 0);
            emit(c, CODE_EQUAL_C, 0, (int32_t)i, 0);
            over = emit_jump(c, CODE_JUMP_FALSE);
        }
        compile(c, operand(c, number, 1 + i));
        if (last)
            break;
        chain_jump(c, &past);
        land(c, over);
    }
    land_chain(c, past);
    c->free--;
}

/* ---- statements ---- */

static bool is_in_range(const struct plumb_csp_variable *v, int32_t value)
{
    return !v->ranged || (v->low <= value && value <= v->high);
}

/* What is assigned, in the accumulator: in the range of the target. */
static void compile_value(struct compiler *c, uint32_t target, uint32_t value)
{
    const struct plumb_csp_variable *const v =
        c->f->model->variable + c->f->node[target].number;
    compile(c, value);
    c->node = target;
    if (v->ranged)
        emit(c, CODE_RANGE, 0, v->low, v->high);
}

static void assign_slot(struct compiler *c, uint32_t target, uint32_t value)
{
    const struct plumb_csp_formula_node *const to = c->f->node + target;
    int32_t known;
    if (plumb_csp_formula_is_constant(c->f, value, &known) &&
        is_in_range(c->f->model->variable + to->number, known)) {
        emit(c, CODE_SET_SLOT, 0, slot_of(c, to), known);
        return;
    }
    compile_value(c, target, value);
    emit(c, CODE_PUT_SLOT, 0, slot_of(c, to), 0);
}

/* The value, its range, the index: in this order. */
static void assign_element(struct compiler *c, uint32_t target, uint32_t value)
{
    const struct plumb_csp_variable *const v =
        c->f->model->variable + c->f->node[target].number;
    compile_value(c, target, value);
    const uint32_t reg = save(c);
    compile_index(c, target);
    emit(c, CODE_PUT_ELEMENT, reg, (int32_t)v->slot, (int32_t)v->size);
    c->free--;
}

static void compile_assign(struct compiler *c, uint32_t number)
{
    const uint32_t target = operand(c, number, 0);
    const uint32_t value = operand(c, number, 1);
    const struct plumb_csp_formula_node *const to = c->f->node + target;
    switch (to->kind) {
    case PLUMB_NODE_SLOT:
        assign_slot(c, target, value);
        break;
    case PLUMB_NODE_ELEMENT:
        assign_element(c, target, value);
        break;
    default:
        assert(to->kind == PLUMB_NODE_TEMP);
        compile(c, value);
        emit(c, CODE_PUT, to->number, 0, 0);
    }
}

static void compile_if(struct compiler *c, uint32_t number)
{
    const uint32_t otherwise = operand(c, number, 2);
    compile(c, operand(c, number, 0));
    const size_t over = emit_jump(c, CODE_JUMP_FALSE);
    compile(c, operand(c, number, 1));
    if (!otherwise) {
        land(c, over);
        return;
    }
    const size_t past = emit_jump(c, CODE_JUMP);
    land(c, over);
    compile(c, otherwise);
    land(c, past);
}

static void compile_while(struct compiler *c, uint32_t number)
{
    const size_t top = c->f->code_size;
    compile(c, operand(c, number, 0));
    const size_t out = emit_jump(c, CODE_JUMP_FALSE);
    compile(c, operand(c, number, 1));
    c->node = number;
    emit(c, CODE_AGAIN, 0, (int32_t)top, 0);
    land(c, out);
}

static void compile_block(struct compiler *c, uint32_t number)
{
    const uint32_t count = c->f->node[number].operands;
    for (uint32_t i = 0; i < count; i++)
        compile(c, operand(c, number, i));
}

/* ---- all ---- */

static void compile_binary(struct compiler *c, uint32_t number)
{
    const enum plumb_csp_operator op = c->f->node[number].op;
    if (op == PLUMB_OP_AND || op == PLUMB_OP_OR)
        compile_short(c, number);
    else
        compile_operator(c, number);
}

static void compile_unary(struct compiler *c, uint32_t number)
{
    const bool negates = c->f->node[number].op == PLUMB_OP_NOT;
    compile(c, operand(c, number, 0));
    c->node = number;
    emit(c, negates ? CODE_NOT : CODE_MINUS, 0, 0, 0);
}

static void compile(struct compiler *c, uint32_t number)
{
    static void (*const how[])(struct compiler *, uint32_t) = {
        [PLUMB_NODE_ELEMENT] = compile_element,
        [PLUMB_NODE_UNARY] = compile_unary,
        [PLUMB_NODE_BINARY] = compile_binary,
        [PLUMB_NODE_CALL] = compile_call,
        [PLUMB_NODE_CHANNEL] = compile_channel,
        [PLUMB_NODE_PICK] = compile_pick,
        [PLUMB_NODE_METHOD] = compile_call,
        [PLUMB_NODE_ASSIGN] = compile_assign,
        [PLUMB_NODE_IF] = compile_if,
        [PLUMB_NODE_WHILE] = compile_while,
        [PLUMB_NODE_EVALUATE] = compile_block,
        [PLUMB_NODE_BLOCK] = compile_block,
    };
    const struct plumb_csp_formula_node *const n = c->f->node + number;
    if (c->failed)
        return;
    c->node = number;
    switch (n->kind) {
    case PLUMB_NODE_NOTHING:
        break;
    case PLUMB_NODE_CONSTANT:
        emit(c, CODE_CONSTANT, 0, n->value, 0);
        break;
    case PLUMB_NODE_SLOT:
        emit(c, CODE_SLOT, 0, slot_of(c, n), 0);
        break;
    case PLUMB_NODE_TEMP:
        emit(c, CODE_REGISTER, n->number, 0, 0);
        break;
    case PLUMB_NODE_LOCAL:
    case PLUMB_NODE_ARRAY:
        emit(c, CODE_UNBOUND, 0, 0, 0);
        break;
    default:
        how[n->kind](c, number);
    }
}

/* ---- jumps ---- */

/* Where a jump from an instruction like `op` ends, if it arrives at `at`. */
static int32_t further(const struct plumb_csp_instruction *code, uint16_t op,
                       int32_t at)
{
    for (;; at++) {
        const struct plumb_csp_instruction *i = code + at;
        if (i->op == op || i->op == CODE_JUMP) {
            at = i->a - 1;
            continue;
        }
        /* After JUMP_FALSE and JUMP_TRUE the accumulator is 0 and 1. */
        if (op == CODE_JUMP ||
            (i->op != CODE_TRUTH && i->op != CODE_JUMP_FALSE &&
             i->op != CODE_JUMP_TRUE))
            return at;
    }
}

/* Jumps forward only lead forward, so this ends. */
static void lead_jumps(struct plumb_csp_instruction *code, size_t from,
                       size_t to)
{
    for (size_t i = from; i < to; i++)
        if (code[i].op == CODE_JUMP || code[i].op == CODE_JUMP_FALSE ||
            code[i].op == CODE_JUMP_TRUE)
            code[i].a = further(code, code[i].op, code[i].a);
}

/* How many temporaries are mentioned. */
static uint32_t temps_in(const struct plumb_csp_formulas *f, uint32_t number)
{
    const struct plumb_csp_formula_node *const n = f->node + number;
    uint32_t most = n->kind == PLUMB_NODE_TEMP ? n->number + 1 : 0;
    for (uint32_t i = 0; i < n->operands; i++) {
        const uint32_t here = temps_in(f, f->operand[n->first + i]);
        if (here > most)
            most = here;
    }
    return most;
}

static bool make_registers(struct plumb_csp_formulas *f, uint32_t count)
{
    if (count <= f->registers)
        return true;
    int64_t *const reg = plumb_base_resize(
        f->budget, f->reg, f->registers * sizeof *reg, count * sizeof *reg);
    if (!reg)
        return false;
    f->reg = reg;
    f->registers = count;
    return true;
}

bool plumb_csp_node_compile(struct plumb_csp_formulas *f, uint32_t number)
{
    const size_t start = f->code_size;
    const uint32_t temps = temps_in(f, number);
    struct compiler c = { .f = f, .free = temps, .most = temps };
    if (temps)
        emit(&c, CODE_CLEAR, temps, 0, 0);
    compile(&c, number);
    emit(&c, CODE_RETURN, 0, 0, 0);
    if (c.failed || !make_registers(f, c.most)) {
        f->code_size = start;
        return false;
    }
    lead_jumps(f->code, start, f->code_size);
    f->node[number].code = (uint32_t)start;
    return true;
}
