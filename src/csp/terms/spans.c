/* spans.c - bounds with locals put in. */
#include "spans.h"

static enum plumb_csp_range_state bound(struct plumb_csp_formulas *f,
                                        const struct plumb_csp_expr *e,
                                        const plumb_csp_binding *binding,
                                        int64_t *value)
{
    const uint32_t formula = plumb_csp_formula(f, e, binding);
    int32_t constant;
    if (formula == PLUMB_NO_FORMULA)
        return PLUMB_RANGE_REFUSED;
    if (!plumb_csp_formula_is_constant(f, formula, &constant))
        return PLUMB_RANGE_UNKNOWN;
    *value = constant;
    return PLUMB_RANGE_KNOWN;
}

static enum plumb_csp_range_state span(struct plumb_csp_formulas *f,
                                       const struct plumb_csp_span *s,
                                       const plumb_csp_binding *binding,
                                       int64_t *low, int64_t *high)
{
    const enum plumb_csp_range_state state = bound(f, s->low, binding, low);
    return state ? state : bound(f, s->high, binding, high);
}

enum plumb_csp_range_state plumb_csp_range_state(
    struct plumb_csp_formulas *f, const struct plumb_csp_range *range,
    const plumb_csp_binding *binding)
{
    int64_t count = 0;
    for (uint32_t i = 0; i < range->spans; i++) {
        int64_t low, high;
        const enum plumb_csp_range_state state =
            span(f, &range->span[i], binding, &low, &high);
        if (state)
            return state;
        count += high < low ? 0 : high - low + 1;
    }
    return count > PLUMB_MOST_VALUES ? PLUMB_RANGE_UNKNOWN : PLUMB_RANGE_KNOWN;
}

static bool next_span(struct plumb_csp_range_walk *w)
{
    const struct plumb_csp_range *const r = w->range;
    if (!r->spans && w->span < r->count) {
        w->next = w->last = r->value[w->span++];
        return true;
    }
    return w->span < r->spans &&
           !span(w->f, &r->span[w->span++], w->binding, &w->next, &w->last);
}

bool plumb_csp_range_next(struct plumb_csp_range_walk *w, int32_t *value)
{
    while (w->next > w->last)
        if (!next_span(w))
            return false;
    *value = (int32_t)w->next++;
    return true;
}
