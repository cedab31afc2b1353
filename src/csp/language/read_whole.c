/* read_whole.c - arrays as a whole, where something is passed: P(x), c!x.
 *
 * An array is passed as its elements, one after the other, so that everything
 * behind the reader knows numbers only.  A name that stands for an array is
 * then as many locals; z[2] is one of them, and z[i] picks one. */
#include "base/spelling.h"
#include "model_reader.h"

/* ---- [1, x, 0(3), 4..6] ---- */

static bool read_literal(struct plumb_csp_read *r, struct plumb_csp_whole *w)
{
    if (!plumb_csp_read_elements(r, &w->element))
        return false;
    if (!w->element.count)
        return plumb_csp_read_fail(r, w->shape.place,
                                   "an array cannot have size 0");
    w->shape.dimensions = 1;
    w->shape.dimension[0] = w->shape.size = w->element.count;
    return true;
}

/* ---- x ---- */

/* Behind a name that stands alone. */
static bool ends_behind(const struct plumb_csp_read *r)
{
    return plumb_csp_token_is_one(plumb_csp_read_ahead(r, 1), ", ) . -> { } ;");
}

static bool take_bound(struct plumb_csp_read *r, struct plumb_csp_whole *w,
                       const struct plumb_csp_bound *b)
{
    const struct plumb_csp_place place = w->shape.place;
    const uint32_t first = b->number;
    w->shape = *b->shape;
    w->shape.place = place;
    for (uint32_t i = 0; i < w->shape.size; i++)
        if (!plumb_csp_exprs_add(r, &w->element,
                                 plumb_csp_expr_local(r, place, first + i)))
            return false;
    return true;
}

static bool take_variable(struct plumb_csp_read *r, struct plumb_csp_whole *w,
                          uint32_t number)
{
    const struct plumb_csp_variable *const v = r->variable.at + number;
    w->shape.dimensions = v->dimensions;
    w->shape.size = v->size;
    for (uint32_t d = 0; d < v->dimensions; d++)
        w->shape.dimension[d] = v->dimension[d];
    for (uint32_t i = 0; i < w->shape.size; i++)
        if (!plumb_csp_exprs_add(
                r, &w->element,
                plumb_csp_array_element(r, w->shape.place, number, i)))
            return false;
    return true;
}

enum kind { VALUE, ARRAY, OPEN };

/* What the token is, if it stands alone. */
static enum kind kind_of(const struct plumb_csp_read *r,
                         const struct plumb_csp_token *t)
{
    if (t->kind != PLUMB_TOKEN_NAME)
        return VALUE;
    const struct plumb_csp_bound *const b = plumb_csp_read_bound(r, t);
    if (b && b->shape && b->shape->open)
        return OPEN;
    if (b)
        return b->shape && b->shape->dimensions ? ARRAY : VALUE;
    const uint32_t n = plumb_csp_read_global(r, t);
    return n != UINT32_MAX && r->variable.at[n].dimensions ? ARRAY : VALUE;
}

/* The name at the cursor, of kind ARRAY or OPEN. */
static bool take_name(struct plumb_csp_read *r, struct plumb_csp_whole *w)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    const struct plumb_csp_bound *const b = plumb_csp_read_bound(r, t);
    r->at++;
    return b ? take_bound(r, w, b)
             : take_variable(r, w, plumb_csp_read_global(r, t));
}

static void begin_whole(const struct plumb_csp_read *r,
                        struct plumb_csp_whole *w)
{
    *w = (struct plumb_csp_whole){
        .shape = { .size = 1, .place = plumb_csp_read_token(r)->place }
    };
}

bool plumb_csp_read_whole(struct plumb_csp_read *r, struct plumb_csp_whole *w)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    begin_whole(r, w);
    if (plumb_csp_token_is(t, "[") &&
        !plumb_csp_token_is(r->token + plumb_csp_read_behind(r, r->at), "["))
        return read_literal(r, w);
    if (ends_behind(r) && kind_of(r, t) != VALUE)
        return take_name(r, w);
    return plumb_csp_exprs_add(r, &w->element, plumb_csp_read_expression(r));
}

bool plumb_csp_read_passed(struct plumb_csp_read *r,
                           struct plumb_csp_shapes *shapes,
                           struct plumb_csp_exprs *values)
{
    struct plumb_csp_whole w;
    const bool repeats = r->repeats;
    r->repeats = false;
    const bool well = plumb_csp_read_whole(r, &w);
    r->repeats = repeats;
    if (!well || !PLUMB_LIST_ADD(r, shapes, w.shape))
        return false;
    if (w.shape.size > PLUMB_MOST_PASSED)
        return plumb_csp_read_fail(
            r, w.shape.place, "cannot pass an array of more than %d elements",
            PLUMB_MOST_PASSED);
    for (uint32_t i = 0; i < w.element.count; i++)
        if (!PLUMB_LIST_ADD(r, values, w.element.at[i]))
            return false;
    return true;
}

/* ---- x == y ---- */

/* Is an array compared at the cursor?  Of what is open, only if with one. */
bool plumb_csp_read_compares(const struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    const struct plumb_csp_token *const op = plumb_csp_read_ahead(r, 1);
    if (t->kind != PLUMB_TOKEN_NAME || !plumb_csp_token_is_one(op, "== !="))
        return false;
    const enum kind left = kind_of(r, t);
    return left == ARRAY ||
           (left == OPEN && !plumb_csp_token_is(op + 2, "[") &&
            (plumb_csp_token_is(op + 1, "[") || kind_of(r, op + 1) == ARRAY));
}

static bool read_compared(struct plumb_csp_read *r, struct plumb_csp_whole *w)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    begin_whole(r, w);
    if (plumb_csp_token_is(t, "["))
        return read_literal(r, w);
    if (kind_of(r, t) != VALUE &&
        !plumb_csp_token_is(plumb_csp_read_ahead(r, 1), "["))
        return take_name(r, w);
    return plumb_csp_read_fail(r, t->place,
                               "an array is compared with a number");
}

/* As one would write it out, from the left. */
static const struct plumb_csp_expr *compare(struct plumb_csp_read *r,
                                            const struct plumb_csp_token *op,
                                            const struct plumb_csp_whole *a,
                                            const struct plumb_csp_whole *b,
                                            uint32_t count)
{
    const bool same = plumb_csp_token_is(op, "==");
    const enum plumb_csp_operator each =
        same ? PLUMB_OP_EQUAL : PLUMB_OP_UNEQUAL;
    const enum plumb_csp_operator join = same ? PLUMB_OP_AND : PLUMB_OP_OR;
    const struct plumb_csp_expr *all = plumb_csp_expr_binary(
        r, op->place, each, a->element.at[0], b->element.at[0]);
    for (uint32_t i = 1; all && i < count; i++)
        all = plumb_csp_expr_binary(r, op->place, join, all,
                                    plumb_csp_expr_binary(r, op->place, each,
                                                          a->element.at[i],
                                                          b->element.at[i]));
    return all;
}

const struct plumb_csp_expr *plumb_csp_read_comparison(struct plumb_csp_read *r)
{
    struct plumb_csp_whole a, b;
    begin_whole(r, &a);
    if (!take_name(r, &a))
        return NULL;
    const struct plumb_csp_token *const op = plumb_csp_read_token(r);
    r->at++;
    if (!read_compared(r, &b))
        return NULL;
    if (a.shape.open || b.shape.open) {
        r->guessed = true;
        return compare(r, op, &a, &b, 1);
    }
    if (a.shape.size == b.shape.size)
        return compare(r, op, &a, &b, a.shape.size);
    return plumb_csp_read_fail(
        r, op->place, "an array of %u elements is compared with one of %u",
        a.shape.size, b.shape.size);
}

/* ---- z[i] ---- */

struct picking {
    struct plumb_csp_read *r;
    struct plumb_csp_place place;
    const struct plumb_csp_array_shape *shape;
    const struct plumb_csp_expr *const *element;
    const struct plumb_csp_expr *index[PLUMB_MOST_DIMENSIONS];
};

/* What the indices from the d-th on pick among the elements of one row. */
static const struct plumb_csp_expr *pick(const struct picking *p, uint32_t d,
                                         uint32_t row)
{
    struct plumb_csp_exprs operands = { 0 };
    if (d == p->shape->dimensions)
        return plumb_csp_expr_again(p->r, p->element[row]);
    const uint32_t count = p->shape->dimension[d];
    const struct plumb_csp_expr *const index = p->index[d];
    if (index->kind == PLUMB_EXPR_CONSTANT)
        return pick(p, d + 1, row * count + (uint32_t)index->value);
    for (uint32_t i = 0; i <= count; i++)
        if (!plumb_csp_exprs_add(p->r, &operands,
                                 i ? pick(p, d + 1, row * count + i - 1)
                                   : plumb_csp_expr_again(p->r, index)))
            return NULL;
    return plumb_csp_expr_leaf(p->r, p->place, PLUMB_EXPR_PICK, 0, operands.at,
                               operands.count, PLUMB_TYPE_ANY);
}

static void *fail_indices(struct plumb_csp_read *r,
                          const struct plumb_csp_token *name,
                          const struct plumb_csp_array_shape *s, uint32_t given)
{
    return plumb_csp_read_fail(
        r, name->place,
        "%.*s has %u dimension%s, as it is passed at %u:%u, but %u %s given",
        PLUMB_TOKEN_ARGS(name), s->dimensions, plumb_base_plural(s->dimensions),
        s->place.line, s->place.column, given,
        given == 1 ? "index is" : "indices are");
}

static bool read_indices(struct picking *p, const struct plumb_csp_token *name,
                         uint32_t *count)
{
    struct plumb_csp_read *const r = p->r;
    for (*count = 0; plumb_csp_read_accept(r, "["); ++*count) {
        if (*count == p->shape->dimensions)
            return fail_indices(r, name, p->shape, *count + 1);
        const struct plumb_csp_expr *const e = plumb_csp_read_expression(r);
        if (!e || !plumb_csp_read_expect(r, "]", "after the index"))
            return false;
        plumb_csp_expr_wants(r, e, PLUMB_TYPE_NUMBER);
        p->index[*count] = e;
    }
    return true;
}

/* One index may count through all of it. */
static const struct plumb_csp_expr *pick_from(
    struct plumb_csp_read *r, const struct plumb_csp_token *name,
    struct plumb_csp_whole *w)
{
    struct plumb_csp_array_shape *const s = &w->shape;
    struct picking p = {
        .r = r, .place = name->place, .shape = s, .element = w->element.at
    };
    uint32_t count;
    if (!read_indices(&p, name, &count))
        return NULL;
    if (count == 1) {
        s->dimensions = 1;
        s->dimension[0] = s->size;
    }
    if (count != s->dimensions)
        return fail_indices(r, name, s, count);
    for (uint32_t d = 0; d < count; d++)
        if (!plumb_csp_read_check_index(r, p.index[d], name->text,
                                        name->length > 40 ? 40 : name->length,
                                        s->dimension[d], &s->place))
            return NULL;
    return pick(&p, 0, 0);
}

/* It is not known whether it is an array, or how long it is; at last, because
 * nobody passes anything. */
static const struct plumb_csp_expr *guess(struct plumb_csp_read *r,
                                          const struct plumb_csp_token *name,
                                          uint32_t number)
{
    r->guessed = true;
    if (r->certain)
        plumb_csp_read_warn(r, name->place,
                            "%.*s is used as an array, but no call passes one; "
                            "this code is unreachable",
                            PLUMB_TOKEN_ARGS(name));
    while (plumb_csp_read_accept(r, "["))
        if (!plumb_csp_read_expression(r) ||
            !plumb_csp_read_expect(r, "]", "after the index"))
            return NULL;
    return plumb_csp_expr_local(r, name->place, number);
}

static const struct plumb_csp_expr *fail_picked(
    struct plumb_csp_read *r, const struct plumb_csp_token *name,
    const struct plumb_csp_array_shape *s)
{
    if (s && s->place.line)
        return plumb_csp_read_fail(
            r, name->place, "%.*s is not an array: a number is passed at %u:%u",
            PLUMB_TOKEN_ARGS(name), s->place.line, s->place.column);
    return plumb_csp_read_fail(r, name->place, "%.*s is not an array",
                               PLUMB_TOKEN_ARGS(name));
}

const struct plumb_csp_expr *plumb_csp_read_picked(
    struct plumb_csp_read *r, const struct plumb_csp_token *name,
    const struct plumb_csp_bound *b)
{
    const struct plumb_csp_array_shape *const s = b->shape;
    if (s && s->open)
        return guess(r, name, b->number);
    if (!s || !s->dimensions)
        return fail_picked(r, name, s);
    struct plumb_csp_whole w = { .shape = { .place = name->place } };
    if (!take_bound(r, &w, b))
        return NULL;
    w.shape.place = s->place;
    return pick_from(r, name, &w);
}

const struct plumb_csp_expr *plumb_csp_read_picked_literal(
    struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    struct plumb_csp_whole w = { .shape = { .place = t->place } };
    if (!read_literal(r, &w))
        return NULL;
    if (plumb_csp_read_at(r, "["))
        return pick_from(r, t, &w);
    return plumb_csp_read_fail(
        r, t->place,
        "an array is not a value; give an index, or pass or assign the array");
}
