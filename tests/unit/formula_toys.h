/* formula_toys.h - a model by hand, expressions by hand, and what they mean.
 *
 * The evaluator walks the expression as the reader would give it, straight
 * from the definitions; it shares nothing with nodes and bytecode. */
#ifndef PLUMB_TESTS_FORMULA_TOYS_H
#define PLUMB_TESTS_FORMULA_TOYS_H

#include "csp/formulas/formulas.h"
#include <stdlib.h>
#include <string.h>

/* ---- the model: x, y:{0..7}, a[4], m[2][3], b:{-1..2}[5]; c 2, d[2] 1 ---- */

enum { VAR_X, VAR_Y, VAR_A, VAR_M, VAR_B, VARIABLES };
enum { SLOT_X, SLOT_Y, SLOT_A, SLOT_M = 6, SLOT_B = 12, SLOT_C = 17 };
enum { SLOT_D = 18, SLOTS = 20 };
enum { FUN_LEAST, FUN_JOIN, FUN_LATER, FUN_TWICE, FUN_AT, FUNCTIONS };

static int32_t built_in_least(const union plumb_csp_argument *args,
                              const uint32_t *sizes, uint32_t count)
{
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < (sizes[i] ? sizes[i] : 1); k++) {
            const int32_t v = sizes[i] ? args[i].array[k] : args[i].value;
            least = v < least ? v : least;
        }
    return least;
}

static int32_t imported_join(int32_t a, int32_t b, int32_t c)
{
    return (a & 3) + 10 * (b & 3) + 100 * (c & 3);
}

static int32_t imported_twice(int32_t a)
{
    return a & 1 ? a : a / 2;
}

static int32_t imported_at(const int32_t *array, int32_t index)
{
    return array[index & 3];
}

static const int32_t zeros[8];

static const struct plumb_csp_variable toy_variable[VARIABLES] = {
    { .name = "x", .slot = SLOT_X, .size = 1, .initial = zeros },
    { .name = "y",
      .slot = SLOT_Y,
      .size = 1,
      .ranged = true,
      .low = 0,
      .high = 7,
      .initial = zeros },
    { .name = "a",
      .slot = SLOT_A,
      .size = 4,
      .dimension = { 4 },
      .dimensions = 1,
      .initial = zeros },
    { .name = "m",
      .slot = SLOT_M,
      .size = 6,
      .dimension = { 2, 3 },
      .dimensions = 2,
      .initial = zeros },
    { .name = "b",
      .slot = SLOT_B,
      .size = 5,
      .dimension = { 5 },
      .dimensions = 1,
      .ranged = true,
      .low = -1,
      .high = 2,
      .initial = zeros },
};

static const struct plumb_csp_channel toy_channel[] = {
    { .name = "c", .slot = SLOT_C, .size = 1, .capacity = 2 },
    { .name = "d", .slot = SLOT_D, .size = 2, .array = true, .capacity = 1 },
};

static struct plumb_csp_function_use toy_function[FUNCTIONS] = {
    [FUN_LEAST] = { .name = "least", .function = built_in_least },
    [FUN_JOIN] = { .name = "join",
                   .arguments = 3,
                   .foreign = (void (*)(void))imported_join },
    [FUN_LATER] = { .name = "later", .arguments = 1 },
    [FUN_TWICE] = { .name = "twice",
                    .arguments = 1,
                    .foreign = (void (*)(void))imported_twice },
    [FUN_AT] = { .name = "at",
                 .arguments = 2,
                 .foreign = (void (*)(void))imported_at },
};

static const char *const toy_file[] = { "toy.csp", "part.csp" };

static const struct plumb_csp_model toy_model = {
    .file = toy_file,
    .files = 2,
    .variable = toy_variable,
    .variables = VARIABLES,
    .channel = toy_channel,
    .channels = 2,
    .slots = SLOTS,
    .function = toy_function,
    .functions = FUNCTIONS,
};

/* ---- making expressions: all from one pool ---- */

enum { POOL = 40000 };

static struct plumb_csp_expr pool[POOL];
static const struct plumb_csp_expr *pool_operand[POOL];
static struct plumb_csp_statement pool_statement[POOL / 10];
static uint32_t pool_used, pool_operands, pool_statements;

static void pool_clear(void)
{
    pool_used = pool_operands = pool_statements = 0;
}

/* Each has its number as its line. */
static struct plumb_csp_expr *expr(enum plumb_csp_expr_kind kind,
                                   uint32_t number)
{
    struct plumb_csp_expr *const e = pool + pool_used++;
    assert_true(pool_used < POOL);
    memset(e, 0, sizeof *e);
    e->kind = kind;
    e->number = number;
    e->place = (struct plumb_csp_place){ 0, pool_used, 7 };
    return e;
}

static struct plumb_csp_expr *with(struct plumb_csp_expr *e,
                                   const struct plumb_csp_expr *operand)
{
    if (!e->operands)
        e->operand = pool_operand + pool_operands;
    assert_true(pool_operands < POOL);
    assert_ptr_equal(e->operand + e->operands, pool_operand + pool_operands);
    pool_operand[pool_operands++] = operand;
    e->operands++;
    return e;
}

static struct plumb_csp_expr *constant(int32_t value)
{
    struct plumb_csp_expr *const e = expr(PLUMB_EXPR_CONSTANT, 0);
    e->value = value;
    return e;
}

static struct plumb_csp_expr *local(uint32_t number)
{
    return expr(PLUMB_EXPR_LOCAL, number);
}

static struct plumb_csp_expr *temp(uint32_t number)
{
    return expr(PLUMB_EXPR_TEMP, number);
}

static struct plumb_csp_expr *variable(uint32_t number)
{
    return expr(PLUMB_EXPR_GLOBAL, number);
}

static struct plumb_csp_expr *element(uint32_t number,
                                      const struct plumb_csp_expr *i)
{
    return with(variable(number), i);
}

static struct plumb_csp_expr *unary(enum plumb_csp_operator op,
                                    const struct plumb_csp_expr *a)
{
    struct plumb_csp_expr *const e = with(expr(PLUMB_EXPR_UNARY, 0), a);
    e->op = op;
    return e;
}

static struct plumb_csp_expr *binary(enum plumb_csp_operator op,
                                     const struct plumb_csp_expr *a,
                                     const struct plumb_csp_expr *b)
{
    struct plumb_csp_expr *const e = with(expr(PLUMB_EXPR_BINARY, 0), a);
    e->op = op;
    return with(e, b);
}

static struct plumb_csp_expr *query(enum plumb_csp_channel_query what,
                                    uint32_t channel)
{
    struct plumb_csp_expr *const e = expr(PLUMB_EXPR_CHANNEL, channel);
    e->query = what;
    return e;
}

static struct plumb_csp_statement *statement(
    enum plumb_csp_statement_kind kind, const struct plumb_csp_expr *target,
    const struct plumb_csp_expr *value)
{
    struct plumb_csp_statement *const s = pool_statement + pool_statements++;
    assert_true(pool_statements < POOL / 10);
    memset(s, 0, sizeof *s);
    s->kind = kind;
    s->target = target;
    s->value = value;
    s->place = (struct plumb_csp_place){ 0, 1, 1 };
    return s;
}

static struct plumb_csp_statement *assign(const struct plumb_csp_expr *target,
                                          const struct plumb_csp_expr *value)
{
    return statement(PLUMB_STATEMENT_ASSIGN, target, value);
}

static struct plumb_csp_statement *then(struct plumb_csp_statement *first,
                                        const struct plumb_csp_statement *next)
{
    first->next = next;
    return first;
}

/* ---- what they mean ---- */

enum problem {
    FINE,
    TOO_LARGE,
    BY_ZERO,
    BAD_INDEX,
    BAD_RANGE,
    NO_FUNCTION,
    NO_MESSAGE,
    NO_VALUE
};

static const char *const problem_words[] = {
    "",           "does not fit", "division by zero", "index",
    "is outside", "cannot call",  "is empty",         "no value"
};

struct world {
    int32_t *slots;
    struct plumb_csp_sequences *sequences;
    const struct plumb_csp_expr *const *bound; /* of each local */
    const int32_t *before; /* the slots that locals are about */
    int64_t temp[16];
    uint32_t steps;
    enum problem problem;
};

static int64_t meaning(struct world *w, const struct plumb_csp_expr *e);

static int64_t sized(struct world *w, int64_t value)
{
    if (!w->problem && (value > INT32_MAX || value < INT32_MIN))
        w->problem = TOO_LARGE;
    return w->problem ? 0 : value;
}

static int64_t divided(struct world *w, enum plumb_csp_operator op, int64_t a,
                       int64_t b)
{
    int64_t rest;
    if (!b)
        w->problem = BY_ZERO;
    if (w->problem)
        return 0;
    if (op == PLUMB_OP_DIVIDE)
        return sized(w, a / b);
    rest = ((a % b) + llabs(b)) % llabs(b);
    return rest;
}

static int64_t meaning_of_binary(struct world *w,
                                 const struct plumb_csp_expr *e)
{
    const int64_t a = meaning(w, e->operand[0]);
    int64_t b;
    if (w->problem)
        return 0;
    if (e->op == PLUMB_OP_AND && !a)
        return 0;
    if (e->op == PLUMB_OP_OR && a)
        return 1;
    b = meaning(w, e->operand[1]);
    if (w->problem)
        return 0;
    switch (e->op) {
    case PLUMB_OP_AND:
    case PLUMB_OP_OR:
        return b ? 1 : 0;
    case PLUMB_OP_XOR:
        return (a ? 1 : 0) ^ (b ? 1 : 0);
    case PLUMB_OP_BITAND:
        return (int32_t)((uint32_t)a & (uint32_t)b);
    case PLUMB_OP_BITOR:
        return (int32_t)((uint32_t)a | (uint32_t)b);
    case PLUMB_OP_BITXOR:
        return (int32_t)((uint32_t)a ^ (uint32_t)b);
    case PLUMB_OP_EQUAL:
        return a == b;
    case PLUMB_OP_UNEQUAL:
        return a != b;
    case PLUMB_OP_LESS:
        return a < b;
    case PLUMB_OP_GREATER:
        return a > b;
    case PLUMB_OP_AT_MOST:
        return a <= b;
    case PLUMB_OP_AT_LEAST:
        return a >= b;
    case PLUMB_OP_ADD:
        return sized(w, a + b);
    case PLUMB_OP_SUBTRACT:
        return sized(w, a - b);
    case PLUMB_OP_MULTIPLY:
        return sized(w, a * b);
    default:
        return divided(w, e->op, a, b);
    }
}

/* The slot that a variable and its indices stand for. */
static uint32_t slot_meant(struct world *w, const struct plumb_csp_expr *e)
{
    const struct plumb_csp_variable *const v = toy_variable + e->number;
    uint32_t at = 0;
    for (uint32_t i = 0; i < e->operands; i++) {
        const int64_t k = meaning(w, e->operand[i]);
        if (!w->problem && (k < 0 || k >= v->dimension[i]))
            w->problem = BAD_INDEX;
        if (w->problem)
            return 0;
        at = at * v->dimension[i] + (uint32_t)k;
    }
    return v->slot + at;
}

static int64_t meaning_of_query(struct world *w, const struct plumb_csp_expr *e)
{
    const struct plumb_csp_channel *const c = toy_channel + e->number;
    const int64_t at = e->operands ? meaning(w, e->operand[0]) : 0;
    uint32_t length, count;
    if (!w->problem && (at < 0 || at >= c->size))
        w->problem = BAD_INDEX;
    if (w->problem)
        return 0;
    const uint32_t held = (uint32_t)w->slots[c->slot + at];
    length = plumb_csp_sequence_length(w->sequences, held);
    switch (e->query) {
    case PLUMB_CHANNEL_FULL:
        return length == c->capacity;
    case PLUMB_CHANNEL_EMPTY:
        return length == 0;
    case PLUMB_CHANNEL_COUNT:
        return length;
    case PLUMB_CHANNEL_SIZE:
        return c->capacity;
    default:
        if (!length)
            w->problem = NO_MESSAGE;
        return length
                   ? *plumb_csp_sequence_message(w->sequences, held, 0, &count)
                   : 0;
    }
}

static int64_t meaning_of_call(struct world *w, const struct plumb_csp_expr *e)
{
    int32_t v[8] = { 0 };
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < e->operands; i++) {
        const struct plumb_csp_expr *const o = e->operand[i];
        if (o->kind == PLUMB_EXPR_GLOBAL && o->number == VAR_A && !o->operands)
            for (uint32_t k = 0; k < 4; k++)
                least =
                    w->slots[SLOT_A + k] < least ? w->slots[SLOT_A + k] : least;
        else {
            v[i] = (int32_t)meaning(w, o);
            least = v[i] < least ? v[i] : least;
        }
        if (w->problem)
            return 0;
    }
    switch (e->number) {
    case FUN_LEAST:
        return least;
    case FUN_JOIN:
        return imported_join(v[0], v[1], v[2]);
    case FUN_TWICE:
        return imported_twice(v[0]);
    case FUN_AT:
        return w->slots[SLOT_A + (v[1] & 3)];
    default:
        w->problem = NO_FUNCTION;
        return 0;
    }
}

static int64_t meaning_of_local(struct world *w, const struct plumb_csp_expr *e)
{
    int32_t *const now = w->slots;
    int32_t copy[SLOTS];
    int64_t value;
    if (!w->bound || !w->bound[e->number]) {
        w->problem = NO_VALUE;
        return 0;
    }
    memcpy(copy, w->before, sizeof copy);
    w->slots = copy;
    value = meaning(w, w->bound[e->number]);
    w->slots = now;
    return value;
}

static int64_t meaning(struct world *w, const struct plumb_csp_expr *e)
{
    int64_t a;
    uint32_t slot;
    w->steps++;
    if (w->problem)
        return 0;
    switch (e->kind) {
    case PLUMB_EXPR_CONSTANT:
        return e->value;
    case PLUMB_EXPR_LOCAL:
        return meaning_of_local(w, e);
    case PLUMB_EXPR_TEMP:
        return w->temp[e->number];
    case PLUMB_EXPR_GLOBAL:
        slot = slot_meant(w, e);
        return w->problem ? 0 : w->slots[slot];
    case PLUMB_EXPR_UNARY:
        a = meaning(w, e->operand[0]);
        return w->problem ? 0 : e->op == PLUMB_OP_NOT ? !a : sized(w, -a);
    case PLUMB_EXPR_BINARY:
        return meaning_of_binary(w, e);
    case PLUMB_EXPR_CALL:
        return meaning_of_call(w, e);
    default:
        return meaning_of_query(w, e);
    }
}

static void do_assign(struct world *w, const struct plumb_csp_statement *s)
{
    const struct plumb_csp_variable *v;
    const int64_t value = meaning(w, s->value);
    uint32_t slot;
    if (w->problem)
        return;
    if (s->target->kind == PLUMB_EXPR_TEMP) {
        w->temp[s->target->number] = value;
        return;
    }
    v = toy_variable + s->target->number;
    if (v->ranged && (value < v->low || value > v->high)) {
        w->problem = BAD_RANGE;
        return;
    }
    slot = slot_meant(w, s->target);
    if (!w->problem)
        w->slots[slot] = (int32_t)value;
}

static void do_statements(struct world *w, const struct plumb_csp_statement *s)
{
    for (; s && !w->problem; s = s->next) {
        switch (s->kind) {
        case PLUMB_STATEMENT_ASSIGN:
            do_assign(w, s);
            break;
        case PLUMB_STATEMENT_IF:
            do_statements(w, meaning(w, s->value) ? s->body : s->otherwise);
            break;
        case PLUMB_STATEMENT_WHILE:
            while (meaning(w, s->value) && !w->problem)
                do_statements(w, s->body);
            break;
        case PLUMB_STATEMENT_CALL:
            meaning(w, s->value);
        }
    }
}

#endif
