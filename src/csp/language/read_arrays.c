/* read_arrays.c - a = b and a = [x, 0(3)]: arrays as a whole.
 *
 * One assignment for each element.  That b is read while a is written does no
 * harm: they are the same array or share nothing, and what a local stands for
 * is worked out before the program runs (formulas.c). */
#include "model_reader.h"

static const struct plumb_csp_variable *array_named(
    const struct plumb_csp_read *r, const struct plumb_csp_token *t,
    uint32_t *number)
{
    *number = t->kind != PLUMB_TOKEN_NAME || plumb_csp_read_bound(r, t)
                  ? UINT32_MAX
                  : plumb_csp_read_global(r, t);
    if (*number == UINT32_MAX)
        return NULL;
    const struct plumb_csp_variable *const v =
        (const struct plumb_csp_variable *)r->variable.data + *number;
    return v->dimensions ? v : NULL;
}

const struct plumb_csp_expr *plumb_csp_array_element(
    struct plumb_csp_read *r, struct plumb_csp_place place, uint32_t number,
    uint32_t i)
{
    const struct plumb_csp_variable *const v =
        (const struct plumb_csp_variable *)r->variable.data + number;
    const enum plumb_csp_type type =
        ((const enum plumb_csp_type *)r->variable_type.data)[number];
    const struct plumb_csp_expr **const index =
        plumb_csp_read_new(r, v->dimensions * sizeof(struct plumb_csp_expr *));
    for (uint32_t d = v->dimensions; index && d-- > 0;) {
        index[d] = plumb_csp_expr_constant(
            r, place, (int32_t)(i % v->dimension[d]), false);
        if (!index[d])
            return NULL;
        i /= v->dimension[d];
    }
    return index ? plumb_csp_expr_leaf(r, place, PLUMB_EXPR_GLOBAL, number,
                                       index, v->dimensions, type)
                 : NULL;
}

/* b, whose elements are known one by one; what is not known yet is left to
 * the next reading. */
static void copy(struct plumb_csp_read *r, struct plumb_csp_list *out,
                 uint32_t to)
{
    const struct plumb_csp_token *const source = plumb_csp_read_token(r);
    struct plumb_csp_whole from;
    if (!plumb_csp_read_whole(r, &from))
        return;
    if (from.shape.open) {
        r->guessed = true;
        return;
    }
    const struct plumb_csp_variable *const v =
        (const struct plumb_csp_variable *)r->variable.data + to;
    const uint32_t size = v->size;
    if (from.shape.size != size) {
        plumb_csp_read_fail(r, source->place,
                            "%.60s has %u elements, but %.*s has %u", v->name,
                            size, PLUMB_TOKEN_ARGS(source), from.shape.size);
        return;
    }
    for (uint32_t i = 0; i < size; i++)
        if (!plumb_csp_read_assign(
                r, out, plumb_csp_array_element(r, source->place, to, i),
                ((const struct plumb_csp_expr *const *)from.element.data)[i]))
            return;
}

/* Is it the name of an array, or of what might be one? */
static bool is_whole(const struct plumb_csp_read *r,
                     const struct plumb_csp_token *t)
{
    const struct plumb_csp_bound *const b =
        t->kind == PLUMB_TOKEN_NAME ? plumb_csp_read_bound(r, t) : NULL;
    uint32_t from;
    if (plumb_csp_token_is(t + 1, "["))
        return false;
    return b ? b->shape && (b->shape->dimensions || b->shape->open)
             : array_named(r, t, &from) != NULL;
}

/* What is not constant is worked out before any element changes. */
static bool settle(struct plumb_csp_read *r, struct plumb_csp_list *out,
                   struct plumb_csp_list *list)
{
    const struct plumb_csp_expr **const value = list->data;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct plumb_csp_expr *const e = value[i];
        if (e->kind == PLUMB_EXPR_CONSTANT)
            continue;
        value[i] = plumb_csp_read_temp(r, e->place, r->temps++);
        if (!plumb_csp_read_assign(r, out, value[i], e))
            return false;
    }
    return true;
}

static void fill(struct plumb_csp_read *r, struct plumb_csp_list *out,
                 uint32_t to)
{
    const struct plumb_csp_variable *const v =
        (const struct plumb_csp_variable *)r->variable.data + to;
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    struct plumb_csp_list list = { 0 };
    if (!plumb_csp_read_elements(r, &list))
        return;
    if (list.count != v->size) {
        plumb_csp_read_fail(r, place, "%.60s has %u elements, but %u are given",
                            v->name, v->size, list.count);
        return;
    }
    if (!settle(r, out, &list))
        return;
    for (uint32_t i = 0; i < list.count; i++)
        if (!plumb_csp_read_assign(
                r, out, plumb_csp_array_element(r, place, to, i),
                ((const struct plumb_csp_expr *const *)list.data)[i]))
            return;
}

bool plumb_csp_read_array_assignment(struct plumb_csp_read *r,
                                     struct plumb_csp_list *out)
{
    uint32_t to;
    const struct plumb_csp_token *const source = plumb_csp_read_ahead(r, 2);
    if (!plumb_csp_token_is(plumb_csp_read_ahead(r, 1), "=") ||
        !array_named(r, plumb_csp_read_token(r), &to))
        return false;
    if (plumb_csp_token_is(source, "[")) {
        r->at += 2;
        fill(r, out, to);
        return true;
    }
    if (!is_whole(r, source))
        return false;
    r->at += 2;
    copy(r, out, to);
    return true;
}
