/* fold.c - expressions are made here: folded where that gives no error, and
 * with a warning where truth values and numbers are mixed.
 *
 * Every node knows its depth and weight, so that what #defines multiply stays
 * within bounds, and nobody who walks a tree runs out of stack. */
#include "model_reader.h"

static const struct plumb_csp_syntax_node *node_of(
    const struct plumb_csp_expr *e)
{
    return (const struct plumb_csp_syntax_node *)(const void *)
        e; /* its first member */
}

enum plumb_csp_type plumb_csp_expr_type(const struct plumb_csp_expr *e)
{
    return node_of(e)->type;
}

static bool weigh(struct plumb_csp_read *r, struct plumb_csp_syntax_node *n)
{
    n->weight = 1;
    for (uint32_t i = 0; i < n->expr.operands; i++) {
        const struct plumb_csp_syntax_node *const below =
            node_of(n->expr.operand[i]);
        n->weight += below->weight;
        if (below->depth >= n->depth)
            n->depth = below->depth + 1;
        if (n->weight > PLUMB_MOST_NODES)
            break;
    }
    if (n->depth >= PLUMB_DEEPEST_TREE)
        return plumb_csp_read_fail(r, n->expr.place, "nested too deeply");
    return plumb_csp_read_charge(r, n->expr.place,
                                 n->weight > PLUMB_MOST_NODES ? n->weight : 1);
}

static struct plumb_csp_syntax_node *new_node(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    enum plumb_csp_expr_kind kind, const struct plumb_csp_expr *const *operand,
    uint32_t operands)
{
    struct plumb_csp_syntax_node *const n = plumb_csp_read_new(r, sizeof *n);
    if (!n)
        return NULL;
    n->expr.kind = kind;
    n->expr.place = place;
    n->expr.operands = operands;
    if (operands) {
        n->expr.operand =
            plumb_csp_list_taken(r, operand, operands * sizeof *operand);
        if (!n->expr.operand)
            return NULL;
    }
    return weigh(r, n) ? n : NULL;
}

static const struct plumb_csp_expr *typed(struct plumb_csp_syntax_node *n,
                                          enum plumb_csp_type type)
{
    if (!n)
        return NULL;
    n->type = type;
    n->expr.boolean = type == PLUMB_TYPE_TRUTH;
    return &n->expr;
}

const struct plumb_csp_expr *plumb_csp_expr_constant(
    struct plumb_csp_read *r, struct plumb_csp_place place, int32_t value,
    bool truth)
{
    struct plumb_csp_syntax_node *const n =
        new_node(r, place, PLUMB_EXPR_CONSTANT, NULL, 0);
    if (n)
        n->expr.value = value;
    return typed(n, truth ? PLUMB_TYPE_TRUTH : PLUMB_TYPE_NUMBER);
}

const struct plumb_csp_expr *plumb_csp_expr_leaf(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    enum plumb_csp_expr_kind kind, uint32_t number,
    const struct plumb_csp_expr *const *operand, uint32_t operands,
    enum plumb_csp_type type)
{
    struct plumb_csp_syntax_node *const n =
        new_node(r, place, kind, operand, operands);
    if (n)
        n->expr.number = number;
    return typed(n, type);
}

const struct plumb_csp_expr *plumb_csp_expr_local(struct plumb_csp_read *r,
                                                  struct plumb_csp_place place,
                                                  uint32_t number)
{
    return plumb_csp_expr_leaf(r, place, PLUMB_EXPR_LOCAL, number, NULL, 0,
                               PLUMB_TYPE_ANY);
}

const struct plumb_csp_expr *plumb_csp_expr_temp(struct plumb_csp_read *r,
                                                 struct plumb_csp_place place,
                                                 uint32_t number)
{
    return plumb_csp_expr_leaf(r, place, PLUMB_EXPR_TEMP, number, NULL, 0,
                               PLUMB_TYPE_ANY);
}

bool plumb_csp_expr_looks_at_local(const struct plumb_csp_expr *e)
{
    if (e->kind == PLUMB_EXPR_LOCAL)
        return true;
    for (uint32_t i = 0; i < e->operands; i++)
        if (plumb_csp_expr_looks_at_local(e->operand[i]))
            return true;
    return false;
}

const struct plumb_csp_expr *plumb_csp_expr_again(
    struct plumb_csp_read *r, const struct plumb_csp_expr *e)
{
    return e && plumb_csp_read_charge(r, e->place, node_of(e)->weight) ? e
                                                                       : NULL;
}

/* ---- types ---- */

void plumb_csp_expr_wants(struct plumb_csp_read *r,
                          const struct plumb_csp_expr *e,
                          enum plumb_csp_type type)
{
    const enum plumb_csp_type has = plumb_csp_expr_type(e);
    if (!plumb_csp_expr_fits(r, e, type))
        return;
    if (has == PLUMB_TYPE_ANY || type == PLUMB_TYPE_ANY || has == type)
        return;
    plumb_csp_read_warn(r, e->place, "%s",
                        type == PLUMB_TYPE_TRUTH
                            ? "a number is used as a truth value (0 is false)"
                            : "a truth value is used as a number (true is 1)");
}

static bool is_bitwise(enum plumb_csp_operator op)
{
    return op == PLUMB_OP_BITAND || op == PLUMB_OP_BITOR ||
           op == PLUMB_OP_BITXOR;
}

static bool is_logical(enum plumb_csp_operator op)
{
    return op == PLUMB_OP_AND || op == PLUMB_OP_OR || op == PLUMB_OP_XOR ||
           op == PLUMB_OP_NOT;
}

static bool is_relation(enum plumb_csp_operator op)
{
    return op >= PLUMB_OP_EQUAL && op <= PLUMB_OP_AT_LEAST;
}

/* Both sides have to be alike: & | ^ == != go with either. */
static void want_alike(struct plumb_csp_read *r, struct plumb_csp_place place,
                       const struct plumb_csp_expr *a,
                       const struct plumb_csp_expr *b)
{
    const enum plumb_csp_type x = plumb_csp_expr_type(a),
                              y = plumb_csp_expr_type(b);
    if (!plumb_csp_expr_fits(r, b, x))
        return;
    if (x != y && x != PLUMB_TYPE_ANY && y != PLUMB_TYPE_ANY)
        plumb_csp_read_warn(
            r, place,
            "a number is combined with a truth value (true is 1, false is 0)");
}

static void check_types(struct plumb_csp_read *r, struct plumb_csp_place place,
                        enum plumb_csp_operator op,
                        const struct plumb_csp_expr *a,
                        const struct plumb_csp_expr *b)
{
    if (is_bitwise(op))
        plumb_csp_expr_fits(r, a, PLUMB_TYPE_ANY);
    if (is_bitwise(op) || op == PLUMB_OP_EQUAL || op == PLUMB_OP_UNEQUAL) {
        want_alike(r, place, a, b);
        return;
    }
    const enum plumb_csp_type type =
        is_logical(op) ? PLUMB_TYPE_TRUTH : PLUMB_TYPE_NUMBER;
    plumb_csp_expr_wants(r, a, type);
    plumb_csp_expr_wants(r, b, type);
}

static enum plumb_csp_type type_of(enum plumb_csp_operator op,
                                   const struct plumb_csp_expr *a,
                                   const struct plumb_csp_expr *b)
{
    if (is_logical(op) || is_relation(op))
        return PLUMB_TYPE_TRUTH;
    if (is_bitwise(op))
        return plumb_csp_expr_type(a) == plumb_csp_expr_type(b)
                   ? plumb_csp_expr_type(a)
                   : PLUMB_TYPE_ANY;
    return PLUMB_TYPE_NUMBER;
}

/* ---- values ---- */

const struct plumb_csp_sign plumb_csp_sign[] = {
#define X(name, text, level, value) { text, level },
    PLUMB_OTHER_OPERATORS(X) PLUMB_OPERATORS(X)
#undef X
};

static int64_t value_of(enum plumb_csp_operator op, int64_t a, int64_t b)
{
    switch (op) {
#define X(name, text, level, value)                                            \
    case PLUMB_OP_##name:                                                      \
        return value;
        PLUMB_OTHER_OPERATORS(X)
        PLUMB_OPERATORS(X)
#undef X
    case PLUMB_OPERATOR_COUNT:
        break;
    }
    return 0;
}

bool plumb_csp_operator_value(enum plumb_csp_operator op, int64_t a, int64_t b,
                              int32_t *value)
{
    assert(op < PLUMB_OPERATOR_COUNT);
    if (op >= PLUMB_OP_DIVIDE && b == 0)
        return false;
    const int64_t v = value_of(op, a, b);
    *value = (int32_t)v;
    return v >= INT32_MIN && v <= INT32_MAX;
}

/* ---- operators ---- */

static bool is_constant(const struct plumb_csp_expr *e)
{
    return e->kind == PLUMB_EXPR_CONSTANT;
}

static const struct plumb_csp_expr *operation(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    enum plumb_csp_operator op, const struct plumb_csp_expr *const *operand,
    uint32_t operands, enum plumb_csp_type type)
{
    const struct plumb_csp_expr *const a = operand[0], *const b = operand[1];
    int32_t value;
    if (is_constant(a) && (!b || is_constant(b)) &&
        plumb_csp_operator_value(op, a->value, b ? b->value : 0, &value))
        return plumb_csp_expr_constant(r, place, value,
                                       type == PLUMB_TYPE_TRUTH);
    struct plumb_csp_syntax_node *const n = new_node(
        r, place, b ? PLUMB_EXPR_BINARY : PLUMB_EXPR_UNARY, operand, operands);
    if (n)
        n->expr.op = op;
    return typed(n, type);
}

const struct plumb_csp_expr *plumb_csp_expr_unary(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    enum plumb_csp_operator op, const struct plumb_csp_expr *a)
{
    const enum plumb_csp_type type =
        op == PLUMB_OP_NOT ? PLUMB_TYPE_TRUTH : PLUMB_TYPE_NUMBER;
    const struct plumb_csp_expr *const operand[] = { a, NULL };
    if (!a)
        return NULL;
    plumb_csp_expr_wants(r, a, type);
    return operation(r, place, op, operand, 1, type);
}

/* Is it known without its right side?  Then that is never evaluated. */
static bool is_decided(enum plumb_csp_operator op,
                       const struct plumb_csp_expr *a)
{
    return is_constant(a) && ((op == PLUMB_OP_AND && !a->value) ||
                              (op == PLUMB_OP_OR && a->value));
}

const struct plumb_csp_expr *plumb_csp_expr_binary(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    enum plumb_csp_operator op, const struct plumb_csp_expr *a,
    const struct plumb_csp_expr *b)
{
    const struct plumb_csp_expr *const operand[] = { a, b };
    if (!a || !b)
        return NULL;
    check_types(r, place, op, a, b);
    if (is_decided(op, a))
        return plumb_csp_expr_constant(r, place, op == PLUMB_OP_OR, true);
    return operation(r, place, op, operand, 2, type_of(op, a, b));
}

/* ---- what is not constant ---- */

static bool has_constants_only(const struct plumb_csp_expr *e)
{
    for (uint32_t i = 0; i < e->operands; i++)
        if (!is_constant(e->operand[i]))
            return false;
    return true;
}

/* The first part that was not folded though all in it is known: it has no
 * value.  NULL if there is none. */
static const struct plumb_csp_expr *worthless(const struct plumb_csp_expr *e)
{
    const struct plumb_csp_expr *found = NULL;
    if (e->kind != PLUMB_EXPR_UNARY && e->kind != PLUMB_EXPR_BINARY)
        return NULL;
    if (has_constants_only(e))
        return e;
    for (uint32_t i = 0; i < e->operands && !found; i++)
        found = worthless(e->operand[i]);
    return found;
}

bool plumb_csp_expr_fail_constant(struct plumb_csp_read *r,
                                  struct plumb_csp_place place,
                                  const struct plumb_csp_expr *e,
                                  const char *what)
{
    const struct plumb_csp_expr *const bad = worthless(e);
    if (!bad)
        return plumb_csp_read_fail(r, place, "%s must be constant", what);
    const int64_t a = bad->operand[0]->value;
    const int64_t b = bad->operands > 1 ? bad->operand[1]->value : 0;
    if (bad->op >= PLUMB_OP_DIVIDE && b == 0)
        return plumb_csp_read_fail(r, bad->place, "division by zero");
    return plumb_csp_read_fail(r, bad->place, "%lld does not fit in 32 bits",
                               (long long)value_of(bad->op, a, b));
}
