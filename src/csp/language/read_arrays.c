/* read_arrays.c - a = b and a = [x, 0(3)]: arrays as a whole.
 *
 * One assignment for each element.  That b is read while a is written does no
 * harm: they are the same array or share nothing, and what a local stands for
 * is worked out before the program runs (formulas.c). */
#include "model_reader.h"

/* The variable of that name, if it is an array; UINT32_MAX. */
static uint32_t array_named(const struct plumb_csp_read *r,
                            const struct plumb_csp_token *t)
{
    const uint32_t n = t->kind != PLUMB_TOKEN_NAME || plumb_csp_read_bound(r, t)
                           ? UINT32_MAX
                           : plumb_csp_read_global(r, t);
    return n != UINT32_MAX && r->variable.at[n].dimensions ? n : UINT32_MAX;
}

const struct plumb_csp_expr *plumb_csp_array_element(
    struct plumb_csp_read *r, struct plumb_csp_place place, uint32_t number,
    uint32_t i)
{
    const struct plumb_csp_variable *const v = r->variable.at + number;
    const struct plumb_csp_expr *index[PLUMB_MOST_DIMENSIONS];
    if (!plumb_csp_read_refuse_collections(r, place, number))
        return NULL;
    for (uint32_t d = v->dimensions; d-- > 0; i /= v->dimension[d]) {
        index[d] = plumb_csp_expr_constant(
            r, place, (int32_t)(i % v->dimension[d]), false);
        if (!index[d])
            return NULL;
    }
    return plumb_csp_expr_leaf(r, place, PLUMB_EXPR_GLOBAL, number, index,
                               v->dimensions, r->variable_type.at[number]);
}

bool plumb_csp_array_assign(struct plumb_csp_read *r,
                            struct plumb_csp_statements *out,
                            struct plumb_csp_place place, uint32_t variable,
                            const struct plumb_csp_exprs *value)
{
    for (uint32_t i = 0; i < value->count; i++)
        if (!plumb_csp_read_assign(
                r, out, plumb_csp_array_element(r, place, variable, i),
                value->at[i]))
            return false;
    return true;
}

/* b, whose elements are known one by one; what is not known yet is left to
 * the next reading. */
static void copy(struct plumb_csp_read *r, struct plumb_csp_statements *out,
                 uint32_t to)
{
    const struct plumb_csp_token *const source = plumb_csp_read_token(r);
    const struct plumb_csp_variable *const v = r->variable.at + to;
    struct plumb_csp_whole from;
    if (!plumb_csp_read_whole(r, &from))
        return;
    if (from.shape.open)
        r->guessed = true;
    else if (from.shape.size == v->size)
        plumb_csp_array_assign(r, out, source->place, to, &from.element);
    else
        plumb_csp_read_fail(r, source->place,
                            "%.60s has %u elements, but %.*s has %u", v->name,
                            v->size, PLUMB_TOKEN_ARGS(source), from.shape.size);
}

/* Is it the name of an array, or of what might be one? */
static bool is_whole(const struct plumb_csp_read *r,
                     const struct plumb_csp_token *t)
{
    const struct plumb_csp_bound *const b =
        t->kind == PLUMB_TOKEN_NAME ? plumb_csp_read_bound(r, t) : NULL;
    if (plumb_csp_token_is(t + 1, "["))
        return false;
    return b ? b->shape && (b->shape->dimensions || b->shape->open)
             : array_named(r, t) != UINT32_MAX;
}

/* What is not constant is worked out before any element changes. */
static bool settle(struct plumb_csp_read *r, struct plumb_csp_statements *out,
                   struct plumb_csp_exprs *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct plumb_csp_expr *const e = list->at[i];
        if (e->kind == PLUMB_EXPR_CONSTANT)
            continue;
        list->at[i] = plumb_csp_expr_temp(r, e->place, r->temps++);
        if (!plumb_csp_read_assign(r, out, list->at[i], e))
            return false;
    }
    return true;
}

static void fill(struct plumb_csp_read *r, struct plumb_csp_statements *out,
                 uint32_t to)
{
    const struct plumb_csp_variable *const v = r->variable.at + to;
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    struct plumb_csp_exprs list = { 0 };
    if (!plumb_csp_read_elements(r, &list))
        return;
    if (list.count != v->size)
        plumb_csp_read_fail(r, place, "%.60s has %u elements, but %u are given",
                            v->name, v->size, list.count);
    else if (settle(r, out, &list))
        plumb_csp_array_assign(r, out, place, to, &list);
}

static bool fail_function(struct plumb_csp_read *r,
                          const struct plumb_csp_token *call, uint32_t to)
{
    const struct plumb_csp_token *const f = call + 2;
    return plumb_csp_read_fail(r, call->place,
                               "%.*s returns one number, not an array; assign "
                               "the elements of %.60s one by one",
                               PLUMB_TOKEN_ARGS(f), r->variable.at[to].name);
}

static bool is_call(const struct plumb_csp_token *t)
{
    return plumb_csp_token_is(t, "call") && plumb_csp_token_is(t + 1, "(") &&
           t[2].kind == PLUMB_TOKEN_NAME;
}

bool plumb_csp_read_array_assignment(struct plumb_csp_read *r,
                                     struct plumb_csp_statements *out)
{
    const struct plumb_csp_token *const source = plumb_csp_read_ahead(r, 2);
    const bool literal = plumb_csp_token_is(source, "[");
    if (!plumb_csp_token_is(plumb_csp_read_ahead(r, 1), "="))
        return false;
    const uint32_t to = array_named(r, plumb_csp_read_token(r));
    if (to != UINT32_MAX && is_call(source))
        return fail_function(r, source, to);
    if (to == UINT32_MAX || (!literal && !is_whole(r, source)))
        return false;
    r->at += 2;
    (literal ? fill : copy)(r, out, to);
    return true;
}
