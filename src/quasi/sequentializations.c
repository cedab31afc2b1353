/* sequentializations.c - see sequentializations.h. */
#include "sequentializations.h"

#include "base/bits.h"
#include <assert.h>

struct split {
    plumb_quasi_visit *visit;
    void *context;
};

static uint64_t all_of(unsigned count)
{
    return count == 64 ? UINT64_MAX : plumb_base_bit(count) - 1;
}

/* The first two calls that have no order yet.  False: all have one. */
static bool first_overlap(const struct plumb_quasi_history *h, unsigned *a,
                          unsigned *b)
{
    for (*a = 0; *a < h->count; ++*a)
        for (*b = *a + 1; *b < h->count; ++*b)
            if (!(h->before[*a] >> *b & 1) && !(h->before[*b] >> *a & 1))
                return true;
    return false;
}

/* What precedes a precedes b, too, and all that b precedes. */
static struct plumb_quasi_history with_order(
    const struct plumb_quasi_history *h, unsigned a, unsigned b)
{
    struct plumb_quasi_history ordered = *h;
    const uint64_t earlier = h->before[a] | plumb_base_bit(a);
    for (unsigned i = 0; i < h->count; i++)
        if (i == b || h->before[i] >> b & 1)
            ordered.before[i] |= earlier;
    return ordered;
}

static bool visit_order(const struct split *s,
                        const struct plumb_quasi_history *h)
{
    uint8_t order[PLUMB_QUASI_CALLS];
    uint64_t placed = 0;
    for (unsigned i = 0; i < h->count; i++) {
        const unsigned at = (unsigned)__builtin_popcountll(h->before[i]);
        assert(at < h->count && !(placed >> at & 1));
        placed |= plumb_base_bit(at);
        order[at] = (uint8_t)i;
    }
    assert(placed == all_of(h->count));
    return s->visit(s->context, order, h->count);
}

static bool split(const struct split *s, const struct plumb_quasi_history *h)
{
    unsigned a, b;
    if (!first_overlap(h, &a, &b))
        return visit_order(s, h);
    const struct plumb_quasi_history one = with_order(h, a, b);
    const struct plumb_quasi_history other = with_order(h, b, a);
    return split(s, &one) && split(s, &other);
}

bool plumb_quasi_sequentialize(const struct plumb_quasi_history *h,
                               plumb_quasi_visit *visit, void *context)
{
    const struct split s = { visit, context };
    assert(h->count <= PLUMB_QUASI_CALLS);
    return split(&s, h);
}
