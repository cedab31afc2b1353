/* read_elements.c - [x, 0(2), 4..6]: the elements of an array, written out: values,
 * values so many times, ranges up and down. */
#include "model_reader.h"

static bool add_value(struct plumb_csp_read *r, struct plumb_csp_exprs *list,
                      const struct plumb_csp_expr *e)
{
    return plumb_csp_exprs_add(r, list, e) &&
           plumb_csp_read_charge(r, e->place, 1);
}

static bool add_span(struct plumb_csp_read *r, struct plumb_csp_exprs *list,
                     const struct plumb_csp_expr *from)
{
    int32_t to;
    if (from->kind != PLUMB_EXPR_CONSTANT)
        return plumb_csp_expr_fail_constant(r, from->place, from, "a range");
    if (!plumb_csp_read_constant(r, "a range", &to))
        return false;
    const int64_t step = to < from->value ? -1 : 1;
    for (int64_t v = from->value; v != to + step; v += step)
        if (!add_value(
                r, list,
                plumb_csp_expr_constant(r, from->place, (int32_t)v, false)))
            return false;
    return true;
}

static bool add_copies(struct plumb_csp_read *r, struct plumb_csp_exprs *list,
                       const struct plumb_csp_expr *e)
{
    int32_t times;
    if (!plumb_csp_read_constant(r, "a repeat count", &times))
        return false;
    if (times < 0)
        return plumb_csp_read_fail(r, e->place, "invalid repeat count %d",
                                   times);
    for (int32_t i = 0; i < times; i++)
        if (!add_value(r, list, i ? plumb_csp_expr_again(r, e) : e))
            return false;
    return plumb_csp_read_expect(r, ")", "after the repeat count");
}

static bool read_value(struct plumb_csp_read *r, struct plumb_csp_exprs *list)
{
    const bool repeats = r->repeats; /* one may be inside another */
    r->repeats = true;
    const struct plumb_csp_expr *const e = plumb_csp_read_expression(r);
    r->repeats = repeats;
    if (!e)
        return false;
    if (plumb_csp_read_accept(r, ".."))
        return add_span(r, list, e);
    return plumb_csp_read_accept(r, "(") ? add_copies(r, list, e)
                                         : add_value(r, list, e);
}

bool plumb_csp_read_elements(struct plumb_csp_read *r,
                             struct plumb_csp_exprs *list)
{
    do {
        r->at++; /* [ or , */
        if (!read_value(r, list))
            return false;
    } while (plumb_csp_read_at(r, ","));
    return plumb_csp_read_expect(r, "]", "after the values");
}
