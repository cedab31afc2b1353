/* rank.c - the order of values: nil < false < true < integers < strings.
 *
 * Sorted once per history, so that a state compares two numbers where it would
 * have to compare two strings. */
#include "base/memory.h"
#include "base/pace.h"
#include "base/sort.h"
#include "spec/values.h"
#include <string.h>

struct ranked {
    uint32_t tag; /* tags are in the order of values */
    plumb_spec_vid vid;
    uint64_t bits; /* unsigned order of non-strings */
    const char *text;
    size_t length;
};

static int compare_texts(const struct ranked *a, const struct ranked *b)
{
    const size_t common = a->length < b->length ? a->length : b->length;
    const int c = common ? memcmp(a->text, b->text, common) : 0;
    if (c)
        return c;
    return a->length < b->length ? -1 : a->length > b->length;
}

static int compare(const void *x, const void *y)
{
    const struct ranked *const a = x, *const b = y;
    if (a->tag != b->tag)
        return a->tag < b->tag ? -1 : 1;
    if (a->tag == PLUMB_STR)
        return compare_texts(a, b);
    return a->bits < b->bits ? -1 : a->bits > b->bits;
}

static struct ranked prepare(const struct plumb_spec_bound *bound,
                             plumb_spec_vid v)
{
    const struct plumb_value value = bound->value[v];
    struct ranked r = { .tag = value.tag, .vid = v, .bits = value.bits };
    if (value.tag == PLUMB_INT)
        r.bits ^= (uint64_t)1 << 63;
    if (value.tag == PLUMB_STR)
        r.text = plumb_symbol_text(bound->history->symbols,
                                   (uint32_t)value.bits, &r.length);
    return r;
}

static bool sort(const struct plumb_spec_bound *bound, struct ranked *r)
{
    struct plumb_budget *const budget = bound->arena.budget;
    for (plumb_spec_vid v = 0; v < bound->values; v++) {
        if (!plumb_base_in_time(budget, v))
            return false;
        r[v] = prepare(bound, v);
    }
    return plumb_base_sort(budget, r, bound->values, sizeof *r, compare);
}

bool plumb_spec_rank_values(struct plumb_spec_bound *bound)
{
    struct plumb_budget *const budget = bound->arena.budget;
    const size_t size = bound->values * sizeof(struct ranked);
    struct ranked *const r = plumb_base_alloc(budget, size);
    uint32_t *const rank =
        plumb_base_arena_alloc(&bound->arena, bound->values * sizeof *rank);
    plumb_spec_vid *const ranked =
        plumb_base_arena_alloc(&bound->arena, bound->values * sizeof *ranked);
    if (r && rank && ranked && sort(bound, r)) {
        for (uint32_t i = 0; i < bound->values; i++) {
            rank[r[i].vid] = i;
            ranked[i] = r[i].vid;
        }
        bound->rank = rank;
        bound->ranked = ranked;
    }
    plumb_base_release(budget, r, size);
    return bound->rank;
}
