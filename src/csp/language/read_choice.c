/* read_choice.c - if (c) { a } else { b } where a value is wanted.
 *
 * It becomes a PICK, of which only the chosen side is evaluated. */
#include "model_reader.h"

/* ---- is it a value? ---- */

static bool has_semicolon(const struct plumb_csp_read *r, uint32_t at,
                          uint32_t end)
{
    while (at < end && !plumb_csp_token_is(r->token + at, ";"))
        at++;
    return at < end;
}

static bool calls_block(const struct plumb_csp_read *r, uint32_t at)
{
    const struct plumb_csp_symbol *const s =
        plumb_csp_token_is(r->token + at, "call") &&
                plumb_csp_token_is(r->token + at + 1, "(")
            ? plumb_csp_read_symbol(r, r->token + at + 2)
            : NULL;
    return s && s->kind == PLUMB_SYMBOL_DEFINE && r->define.at[s->number].block;
}

/* What is in the braces of an if: nothing with a ; is a value, nor is what
 * begins like a statement.  An if in an if is asked the same. */
bool plumb_csp_read_at_choice(const struct plumb_csp_read *r)
{
    enum { DEEP = 8 }; /* what is nested further is taken for a value */
    uint32_t at = r->at;
    for (unsigned depth = 0; plumb_csp_token_is(r->token + at, "if"); depth++) {
        if (depth == DEEP)
            return true;
        if (!plumb_csp_token_is(r->token + at + 1, "("))
            return false;
        const uint32_t open = plumb_csp_read_behind(r, at + 1);
        if (!plumb_csp_token_is(r->token + open, "{"))
            return false;
        const uint32_t end = plumb_csp_read_behind(r, open) - 1;
        at = open + 1;
        if (at == end || (depth == 0 && has_semicolon(r, at, end)))
            return false;
    }
    return at > r->at && !calls_block(r, at) &&
           !plumb_csp_token_is_one(r->token + at, "while var {") &&
           !plumb_csp_read_assigns_at(r, at);
}

/* ---- its value ---- */

static const struct plumb_csp_expr *read_side(struct plumb_csp_read *r)
{
    if (!plumb_csp_read_expect(r, "{", "and a value"))
        return NULL;
    const struct plumb_csp_expr *const e = plumb_csp_read_expression(r);
    return e && plumb_csp_read_expect(r, "}", "after the value") ? e : NULL;
}

static const struct plumb_csp_expr *read_other(struct plumb_csp_read *r)
{
    if (!plumb_csp_read_expect(r, "else", "and the value otherwise"))
        return NULL;
    return plumb_csp_read_at(r, "if") ? plumb_csp_read_choice(r) : read_side(r);
}

static const struct plumb_csp_expr *choose(struct plumb_csp_read *r,
                                           struct plumb_csp_place place,
                                           const struct plumb_csp_expr *test,
                                           const struct plumb_csp_expr *yes,
                                           const struct plumb_csp_expr *no)
{
    const enum plumb_csp_type type = plumb_csp_expr_type(yes);
    if (test->kind == PLUMB_EXPR_CONSTANT)
        return test->value ? yes : no;
    const struct plumb_csp_expr *const operand[] = {
        plumb_csp_expr_unary(r, place, PLUMB_OP_NOT, test), yes, no
    };
    return operand[0]
               ? plumb_csp_expr_leaf(
                     r, place, PLUMB_EXPR_PICK, 0, operand, 3,
                     type == plumb_csp_expr_type(no) ? type : PLUMB_TYPE_ANY)
               : NULL;
}

const struct plumb_csp_expr *plumb_csp_read_choice(struct plumb_csp_read *r)
{
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    if (!plumb_csp_read_enter(r))
        return NULL;
    r->at++;
    const struct plumb_csp_expr *const test = plumb_csp_read_test(r);
    const struct plumb_csp_expr *const yes = test ? read_side(r) : NULL;
    const struct plumb_csp_expr *const no = yes ? read_other(r) : NULL;
    plumb_csp_read_leave(r);
    return no ? choose(r, place, test, yes, no) : NULL;
}
