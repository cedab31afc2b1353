/* spans.h - the values of an index, once what its bounds mention is known.
 *
 * x:{0..n-1} has values as soon as n has one.  Before that (n is received, or
 * an argument that has to be looked at), and if there are too many, or none
 * can be worked out (1/n), the range is *unknown*. */
#ifndef PLUMB_CSP_TERMS_SPANS_H
#define PLUMB_CSP_TERMS_SPANS_H

#include "csp/formulas/formulas.h"

enum plumb_csp_range_state {
    PLUMB_RANGE_KNOWN,
    PLUMB_RANGE_UNKNOWN,
    PLUMB_RANGE_REFUSED /* memory */
};

enum plumb_csp_range_state plumb_csp_range_state(
    struct plumb_csp_formulas *f, const struct plumb_csp_range *range,
    const plumb_csp_binding *binding);

/* The values of a range that is known, one after the other. */
struct plumb_csp_range_walk {
    struct plumb_csp_formulas *f;
    const struct plumb_csp_range *range;
    const plumb_csp_binding *binding;
    uint32_t span;      /* the next one     */
    int64_t next, last; /* of the one before */
};

static inline struct plumb_csp_range_walk plumb_csp_range_begin(
    struct plumb_csp_formulas *f, const struct plumb_csp_range *range,
    const plumb_csp_binding *binding)
{
    return (struct plumb_csp_range_walk){ f, range, binding, 0, 0, -1 };
}

/* False at the end. */
bool plumb_csp_range_next(struct plumb_csp_range_walk *w, int32_t *value);

#endif
