/* read_expression.c - expressions, by climbing precedence.
 *
 * Loosest first: || && xor, then & | ^ together, == !=, < > <= >=, + -, * / %,
 * and ! - + before an operand. */
#include "base/spelling.h"
#include "model_reader.h"

#include <assert.h>
#include <stdio.h>

/* Of plumb_csp_sign. */
enum { LEVEL_OR = 1, LEVEL_XOR = 3, LEVEL_ADD = 7, LEVEL_LAST = 8 };

static const struct plumb_csp_expr *read_level(struct plumb_csp_read *r,
                                               int level);

/* The operator at the cursor that stands between two sides; its level is 0 if
 * there is none. */
static int operator_at(const struct plumb_csp_read *r,
                       enum plumb_csp_operator *op)
{
    for (unsigned i = PLUMB_OP_OR; i < PLUMB_OPERATOR_COUNT; i++)
        if (plumb_csp_read_at(r, plumb_csp_sign[i].text)) {
            *op = (enum plumb_csp_operator)i;
            return plumb_csp_sign[i].level;
        }
    return 0;
}

/* ---- && i:{0..2}@(x[i] == 0) ---- */

static const struct plumb_csp_expr *join(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    enum plumb_csp_operator op, const struct plumb_csp_expr *const *part,
    uint32_t count)
{
    if (count == 1)
        return part[0];
    const uint32_t half = count / 2; /* balanced, so that it is not deep */
    const struct plumb_csp_expr *const a = join(r, place, op, part, half);
    return a ? plumb_csp_expr_binary(
                   r, place, op, a,
                   join(r, place, op, part + half, count - half))
             : NULL;
}

/* The rest, with the index standing for each value in turn: read again and
 * again from the same token. */
static const struct plumb_csp_expr *read_for_values(
    struct plumb_csp_read *r, const struct plumb_csp_token *index,
    enum plumb_csp_operator op);

/* What follows the values of an index: one more index, or the body. */
static const struct plumb_csp_expr *read_inner(struct plumb_csp_read *r,
                                               enum plumb_csp_operator op)
{
    if (!plumb_csp_read_accept(r, ";"))
        return plumb_csp_read_expect(r, "@", "after the indices")
                   ? read_level(r, LEVEL_OR)
                   : NULL;
    const struct plumb_csp_token *const next =
        plumb_csp_read_new_name(r, "an index");
    return next && plumb_csp_read_expect(r, ":", "after the index")
               ? read_for_values(r, next, op)
               : NULL;
}

/* At the values: the rest, with the index standing for each value in turn, is
 * read again and again from the same token. */
static const struct plumb_csp_expr *read_for_values(
    struct plumb_csp_read *r, const struct plumb_csp_token *index,
    enum plumb_csp_operator op)
{
    struct plumb_csp_values values = { 0 };
    struct plumb_csp_exprs parts = { 0 };
    if (!plumb_csp_read_values(r, &values))
        return NULL;
    const uint32_t start = r->at, bound = r->bound.count;
    for (uint32_t i = 0; i < values.count; i++) {
        const struct plumb_csp_expr *const value =
            plumb_csp_expr_constant(r, index->place, values.at[i], false);
        if (!value || !plumb_csp_read_bind_value(r, index, value))
            return NULL;
        r->at = start;
        if (!plumb_csp_exprs_add(r, &parts, read_inner(r, op)))
            return NULL;
        r->bound.count = bound;
    }
    return join(r, index->place, op, parts.at, parts.count);
}

static bool is_indexed(const struct plumb_csp_read *r)
{
    enum plumb_csp_operator op;
    const int level = operator_at(r, &op);
    return level && level <= LEVEL_XOR &&
           plumb_csp_read_ahead(r, 1)->kind == PLUMB_TOKEN_NAME &&
           plumb_csp_token_is(plumb_csp_read_ahead(r, 2), ":");
}

static const struct plumb_csp_expr *read_indexed(struct plumb_csp_read *r)
{
    enum plumb_csp_operator op = PLUMB_OP_OR;
    (void)operator_at(r, &op);
    const struct plumb_csp_token *const index = plumb_csp_read_ahead(r, 1);
    r->at += 3;
    return read_for_values(r, index, op);
}

/* ---- names ---- */

bool plumb_csp_read_check_index(struct plumb_csp_read *r,
                                const struct plumb_csp_expr *index,
                                const char *of, size_t length, uint32_t extent,
                                const struct plumb_csp_place *passed)
{
    char where[64] = "";
    if (index->kind != PLUMB_EXPR_CONSTANT ||
        (index->value >= 0 && (uint32_t)index->value < extent))
        return true;
    if (passed)
        snprintf(where, sizeof where, ", which is passed at %u:%u",
                 passed->line, passed->column);
    return plumb_csp_read_fail(
        r, index->place, "index %d is outside of %.*s[%u]%s", index->value,
        (int)(length < 60 ? length : 60), of, extent, where);
}

static void *fail_indices(struct plumb_csp_read *r,
                          const struct plumb_csp_token *name,
                          const struct plumb_csp_variable *v, uint32_t given)
{
    if (v->dimensions == 0)
        return plumb_csp_read_fail(r, name->place, "%.60s is not an array",
                                   v->name);
    return plumb_csp_read_fail(
        r, name->place, "%.60s has %u dimension%s, but %u %s given", v->name,
        v->dimensions, plumb_base_plural(v->dimensions), given,
        given == 1 ? "index is" : "indices are");
}

const struct plumb_csp_expr *plumb_csp_read_element(
    struct plumb_csp_read *r, const struct plumb_csp_token *name,
    uint32_t variable)
{
    const struct plumb_csp_variable *const v = r->variable.at + variable;
    const struct plumb_csp_expr *index[PLUMB_MOST_DIMENSIONS];
    uint32_t count = 0;
    for (; plumb_csp_read_accept(r, "["); count++) {
        if (count == v->dimensions)
            return fail_indices(r, name, v, count + 1);
        index[count] = plumb_csp_read_expression(r);
        if (!index[count])
            return NULL;
        plumb_csp_expr_wants(r, index[count], PLUMB_TYPE_NUMBER);
        if (!plumb_csp_read_check_index(r, index[count], v->name,
                                        strlen(v->name), v->dimension[count],
                                        NULL) ||
            !plumb_csp_read_expect(r, "]", "after the index"))
            return NULL;
    }
    if (count != v->dimensions)
        return fail_indices(r, name, v, count);
    return plumb_csp_expr_leaf(r, name->place, PLUMB_EXPR_GLOBAL, variable,
                               index, count, r->variable_type.at[variable]);
}

/* What an element begins as; the indices are constant then, or it stays. */
static const struct plumb_csp_expr *read_beginning(
    struct plumb_csp_read *r, const struct plumb_csp_expr *e)
{
    const struct plumb_csp_variable *const v = r->variable.at + e->number;
    uint32_t at = 0;
    if (plumb_csp_read_is_wild(r, e->number))
        return plumb_csp_read_fail(
            r, e->place,
            "%.60s starts with any value; it cannot be an initial value",
            v->name);
    for (uint32_t i = 0; i < e->operands; i++) {
        if (e->operand[i]->kind != PLUMB_EXPR_CONSTANT)
            return e;
        at = at * v->dimension[i] + (uint32_t)e->operand[i]->value;
    }
    return plumb_csp_expr_constant(r, e->place, v->initial[at],
                                   plumb_csp_expr_type(e) == PLUMB_TYPE_TRUTH);
}

static bool is_collection(const struct plumb_csp_read *r, uint32_t variable)
{
    return variable != UINT32_MAX &&
           plumb_csp_type_collection(r->variable_type.at[variable]);
}

static const struct plumb_csp_expr *read_variable(
    struct plumb_csp_read *r, const struct plumb_csp_token *name,
    uint32_t variable)
{
    if (!r->variable.at[variable].size) /* its declaration is yet to be read */
        return plumb_csp_read_fail(r, name->place, "%.*s is not constant",
                                   PLUMB_TOKEN_ARGS(name));
    if (r->begins && is_collection(r, variable))
        return plumb_csp_read_fail(
            r, name->place, "a collection cannot be used in an initial value");
    const struct plumb_csp_expr *const e =
        plumb_csp_read_element(r, name, variable);
    if (e && is_collection(r, variable) && plumb_csp_read_at_method(r, r->at))
        return plumb_csp_read_method(r, e);
    return e && r->begins ? read_beginning(r, e) : e;
}

static const struct plumb_csp_expr *read_symbol(
    struct plumb_csp_read *r, const struct plumb_csp_token *name,
    const struct plumb_csp_symbol *s)
{
    assert(s->kind != PLUMB_SYMBOL_VARIABLE); /* seen before */
    if (s->kind == PLUMB_SYMBOL_ENUM)
        return plumb_csp_expr_constant(r, name->place, s->value, false);
    if (s->kind == PLUMB_SYMBOL_DEFINE)
        return plumb_csp_define_value(r, r->define.at + s->number, name);
    return plumb_csp_read_fail(
        r, name->place, "%.*s is %s, not a value", PLUMB_TOKEN_ARGS(name),
        s->kind == PLUMB_SYMBOL_CHANNEL ? "a channel" : "an object");
}

static const struct plumb_csp_expr *read_bound(
    struct plumb_csp_read *r, const struct plumb_csp_token *name,
    const struct plumb_csp_bound *b)
{
    if (plumb_csp_read_at(r, "[") || (b->shape && b->shape->dimensions))
        return plumb_csp_read_picked(r, name, b);
    if (b->kind == PLUMB_BOUND_VALUE)
        return plumb_csp_expr_again(r, b->value);
    return b->kind == PLUMB_BOUND_LOCAL
               ? plumb_csp_expr_local(r, name->place, b->number)
               : plumb_csp_expr_temp(r, name->place, b->number);
}

static bool is_method(const struct plumb_csp_read *r)
{
    return plumb_csp_read_at(r, "$") || plumb_csp_read_at_method(r, r->at);
}

static const struct plumb_csp_expr *read_name(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const name = plumb_csp_read_token(r);
    r->at++;
    if (plumb_csp_token_is_one(name, "true false"))
        return plumb_csp_expr_constant(r, name->place,
                                       plumb_csp_token_is(name, "true"), true);
    if (plumb_csp_token_is(name, "call") && plumb_csp_read_at(r, "("))
        return plumb_csp_read_call(r, name);
    if (plumb_csp_token_is(name, "new"))
        return plumb_csp_read_new_collection(r, name);
    const struct plumb_csp_bound *const b = plumb_csp_read_bound(r, name);
    const uint32_t global = b ? UINT32_MAX : plumb_csp_read_global(r, name);
    if (is_method(r) && !is_collection(r, global))
        return plumb_csp_read_fail_class(r, name->place);
    if (b)
        return read_bound(r, name, b);
    if (global != UINT32_MAX)
        return read_variable(r, name, global);
    const struct plumb_csp_symbol *const s = plumb_csp_read_symbol(r, name);
    if (s && (!plumb_csp_read_at(r, "(") || r->repeats))
        return read_symbol(r, name, s);
    if (!plumb_csp_read_at(r, "("))
        return plumb_csp_read_undefined(r, name, "variable", &r->symbols, true);
    return plumb_csp_read_fail(r, name->place,
                               "call functions and macros as call(%.*s, ...)",
                               PLUMB_TOKEN_ARGS(name));
}

/* ---- operands ---- */

static const struct plumb_csp_expr *read_number(struct plumb_csp_read *r,
                                                bool minus)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    int64_t value = 0;
    for (uint32_t i = 0; i < t->length && value <= INT32_MAX; i++)
        value = 10 * value + (t->text[i] - '0');
    if (minus)
        value = -value;
    if (value > INT32_MAX || value < INT32_MIN)
        return plumb_csp_read_fail(r, t->place, "%.*s does not fit in 32 bits",
                                   PLUMB_TOKEN_ARGS(t));
    r->at++;
    return plumb_csp_expr_constant(r, t->place, (int32_t)value, false);
}

static const struct plumb_csp_expr *read_bracketed(struct plumb_csp_read *r)
{
    const bool repeats = r->repeats;
    r->at++;
    r->repeats = false;
    const struct plumb_csp_expr *const e = plumb_csp_read_expression(r);
    r->repeats = repeats;
    return e && plumb_csp_read_expect(r, ")", "") ? e : NULL;
}

/* +e is e. */
static const struct plumb_csp_expr *read_positive(struct plumb_csp_read *r)
{
    const struct plumb_csp_expr *const e = read_level(r, LEVEL_LAST + 1);
    if (e)
        plumb_csp_expr_wants(r, e, PLUMB_TYPE_NUMBER);
    return e;
}

static const struct plumb_csp_expr *read_operand(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (t->kind == PLUMB_TOKEN_NUMBER)
        return read_number(r, false);
    if (is_indexed(r))
        return read_indexed(r);
    if (plumb_csp_read_compares(r))
        return plumb_csp_read_comparison(r);
    if (plumb_csp_read_at_choice(r))
        return plumb_csp_read_choice(r);
    if (t->kind == PLUMB_TOKEN_NAME && !plumb_csp_token_is(t, "xor"))
        return read_name(r);
    if (plumb_csp_token_is(t, "("))
        return read_bracketed(r);
    if (plumb_csp_token_is(t, "["))
        return plumb_csp_read_picked_literal(r);
    if (plumb_csp_token_is(t, "!")) {
        r->at++;
        return plumb_csp_expr_unary(r, t->place, PLUMB_OP_NOT,
                                    read_level(r, LEVEL_LAST + 1));
    }
    if (plumb_csp_token_is(t, "-")) {
        r->at++;
        if (plumb_csp_read_token(r)->kind == PLUMB_TOKEN_NUMBER)
            return read_number(r, true);
        return plumb_csp_expr_unary(r, t->place, PLUMB_OP_MINUS,
                                    read_level(r, LEVEL_LAST + 1));
    }
    if (plumb_csp_read_accept(r, "+"))
        return read_positive(r);
    return plumb_csp_read_unexpected(r, "an expression");
}

/* Operators of this level or tighter ones, from the left. */
static const struct plumb_csp_expr *read_level(struct plumb_csp_read *r,
                                               int level)
{
    if (!plumb_csp_read_enter(r))
        return NULL;
    const struct plumb_csp_expr *left = read_operand(r);
    enum plumb_csp_operator op;
    for (int own; left && (own = operator_at(r, &op)) && own >= level;) {
        const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
        r->at++;
        left =
            plumb_csp_expr_binary(r, place, op, left, read_level(r, own + 1));
    }
    plumb_csp_read_leave(r);
    return left;
}

const struct plumb_csp_expr *plumb_csp_read_any(struct plumb_csp_read *r)
{
    const struct plumb_csp_expr *const e = read_level(r, LEVEL_OR);
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (e && plumb_csp_token_is_one(t, "++ --"))
        return plumb_csp_read_fail(r, t->place,
                                   "'%.*s' has a value only right after '='",
                                   PLUMB_TOKEN_ARGS(t));
    return e;
}

static const struct plumb_csp_expr *no_collection(
    struct plumb_csp_read *r, const struct plumb_csp_expr *e)
{
    return e && plumb_csp_expr_fits(r, e, PLUMB_TYPE_ANY) ? e : NULL;
}

const struct plumb_csp_expr *plumb_csp_read_expression(struct plumb_csp_read *r)
{
    return no_collection(r, plumb_csp_read_any(r));
}

const struct plumb_csp_expr *plumb_csp_read_additive(struct plumb_csp_read *r)
{
    return no_collection(r, read_level(r, LEVEL_ADD));
}

const struct plumb_csp_expr *plumb_csp_read_condition(struct plumb_csp_read *r)
{
    const struct plumb_csp_expr *const e = plumb_csp_read_expression(r);
    if (e)
        plumb_csp_expr_wants(r, e, PLUMB_TYPE_TRUTH);
    return e;
}

const struct plumb_csp_expr *plumb_csp_read_test(struct plumb_csp_read *r)
{
    if (!plumb_csp_read_expect(r, "(", "and a condition"))
        return NULL;
    const struct plumb_csp_expr *const e = plumb_csp_read_condition(r);
    return e && plumb_csp_read_expect(r, ")", "after the condition") ? e : NULL;
}

bool plumb_csp_read_constant(struct plumb_csp_read *r, const char *what,
                             int32_t *value)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    const struct plumb_csp_expr *const e = plumb_csp_read_additive(r);
    if (!e)
        return false;
    *value = e->value;
    return e->kind == PLUMB_EXPR_CONSTANT ||
           plumb_csp_expr_fail_constant(r, t->place, e, what);
}

const struct plumb_csp_expr *plumb_csp_read_constant_named(
    struct plumb_csp_read *r, const struct plumb_csp_token *name)
{
    const struct plumb_csp_symbol *const s = plumb_csp_read_symbol(r, name);
    if (!s || (s->kind != PLUMB_SYMBOL_ENUM && s->kind != PLUMB_SYMBOL_DEFINE))
        return NULL;
    const struct plumb_csp_expr *const e = read_symbol(r, name, s);
    return e && e->kind == PLUMB_EXPR_CONSTANT ? e : NULL;
}
