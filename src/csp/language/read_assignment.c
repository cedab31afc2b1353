/* read_assignment.c - x = e, a[i] = e, x++, and what these are worth.
 *
 * An assignment has the value that was assigned, so y = x = e and y = x++ set x
 * first.  The indices of y are looked at before that: a[x] = x++ changes the
 * element that x named until then. */
#include "model_reader.h"

/* ---- what is assigned to ---- */

static const struct plumb_csp_expr *fail_target(
    struct plumb_csp_read *r, const struct plumb_csp_token *name)
{
    const bool bound = plumb_csp_read_bound(r, name);
    if (!bound && !plumb_csp_read_symbol(r, name))
        return plumb_csp_read_undefined(r, name, "variable", &r->symbols, true);
    return plumb_csp_read_fail(r, name->place,
                               bound
                                   ? "%.*s is bound here and cannot be assigned"
                                   : "%.*s is not a variable",
                               PLUMB_TOKEN_ARGS(name));
}

static const struct plumb_csp_expr *read_target(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const name =
        plumb_csp_read_name(r, "a statement");
    if (!name)
        return NULL;
    if (plumb_csp_read_at(r, ".") || plumb_csp_read_at(r, "$"))
        r->at--; /* what is said of objects is said there */
    if (plumb_csp_read_token(r) == name)
        return plumb_csp_read_expression(r);
    const struct plumb_csp_bound *const b = plumb_csp_read_bound(r, name);
    if (b && b->kind == PLUMB_BOUND_TEMP && !plumb_csp_read_at(r, "["))
        return plumb_csp_expr_temp(r, name->place, b->number);
    const uint32_t global = b ? UINT32_MAX : plumb_csp_read_global(r, name);
    return global == UINT32_MAX ? fail_target(r, name)
                                : plumb_csp_read_element(r, name, global);
}

/* The same element, whatever happens to what its indices are made of. */
static const struct plumb_csp_expr *settle(struct plumb_csp_read *r,
                                           struct plumb_csp_statements *out,
                                           const struct plumb_csp_expr *target)
{
    const struct plumb_csp_expr *index[PLUMB_MOST_DIMENSIONS];
    for (uint32_t i = 0; i < target->operands; i++) {
        const struct plumb_csp_expr *const e = target->operand[i];
        index[i] = e;
        if (e->kind == PLUMB_EXPR_CONSTANT || e->kind == PLUMB_EXPR_LOCAL)
            continue;
        index[i] = plumb_csp_expr_temp(r, e->place, r->temps++);
        if (!plumb_csp_read_assign(r, out, index[i], e))
            return NULL;
    }
    return target->operands
               ? plumb_csp_expr_leaf(r, target->place, target->kind,
                                     target->number, index, target->operands,
                                     plumb_csp_expr_type(target))
               : target;
}

/* ---- assigning ---- */

bool plumb_csp_read_assigns_at(const struct plumb_csp_read *r, uint32_t at)
{
    uint32_t behind = at + 1;
    if (r->token[at].kind != PLUMB_TOKEN_NAME)
        return false;
    while (plumb_csp_token_is(r->token + behind, "["))
        behind = plumb_csp_read_behind(r, behind);
    return plumb_csp_token_is_one(r->token + behind, "= ++ --");
}

bool plumb_csp_read_at_assignment(const struct plumb_csp_read *r)
{
    return plumb_csp_read_assigns_at(r, r->at);
}

static void step(struct plumb_csp_read *r, struct plumb_csp_statements *out,
                 const struct plumb_csp_expr *target,
                 struct plumb_csp_place place, bool up)
{
    plumb_csp_read_assign(
        r, out, target,
        plumb_csp_expr_binary(r, place, up ? PLUMB_OP_ADD : PLUMB_OP_SUBTRACT,
                              plumb_csp_expr_again(r, target),
                              plumb_csp_expr_constant(r, place, 1, false)));
}

static const struct plumb_csp_expr *read_value(
    struct plumb_csp_read *r, struct plumb_csp_statements *out);

/* Behind the target, which is what it is worth. */
static const struct plumb_csp_expr *assign(struct plumb_csp_read *r,
                                           struct plumb_csp_statements *out,
                                           const struct plumb_csp_expr *target)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (target &&
        (plumb_csp_read_accept(r, "++") || plumb_csp_read_accept(r, "--"))) {
        step(r, out, target, t->place, *t->text == '+');
        return target;
    }
    if (!target || !plumb_csp_read_expect(r, "=", "after the variable"))
        return NULL;
    if (plumb_csp_read_at_assignment(r))
        target = settle(r, out, target);
    const struct plumb_csp_expr *const value =
        target ? read_value(r, out) : NULL;
    if (!value)
        return NULL;
    plumb_csp_expr_wants(r, value, plumb_csp_expr_type(target));
    return plumb_csp_read_assign(r, out, target, value) ? target : NULL;
}

/* Also of a collection. */
static const struct plumb_csp_expr *read_value(struct plumb_csp_read *r,
                                               struct plumb_csp_statements *out)
{
    if (!plumb_csp_read_at_assignment(r))
        return plumb_csp_read_right_side(r, out);
    if (!plumb_csp_read_enter(r))
        return NULL;
    const struct plumb_csp_expr *const target = assign(r, out, read_target(r));
    plumb_csp_read_leave(r);
    return r->failed ? NULL : plumb_csp_expr_again(r, target);
}

const struct plumb_csp_expr *plumb_csp_read_value(
    struct plumb_csp_read *r, struct plumb_csp_statements *out)
{
    const struct plumb_csp_expr *const e = read_value(r, out);
    return e && plumb_csp_expr_fits(r, e, PLUMB_TYPE_ANY) ? e : NULL;
}

void plumb_csp_read_assignment(struct plumb_csp_read *r,
                               struct plumb_csp_statements *out)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (plumb_csp_read_accept(r, "++") || plumb_csp_read_accept(r, "--")) {
        const struct plumb_csp_expr *const target = read_target(r);
        if (target)
            step(r, out, target, t->place, *t->text == '+');
    } else if (!plumb_csp_read_method_statement(r, out) &&
               !plumb_csp_read_array_assignment(r, out)) {
        assign(r, out, read_target(r));
    }
}
