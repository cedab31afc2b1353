/* numbering.c - see numbering.h. */
#include "check/numbering.h"

#include "base/hash.h"
#include "history/symbols.h"
#include <stdlib.h>

/* Integers as unsigned numbers in the same order. */
static uint64_t in_order(uint64_t bits)
{
    return bits ^ (uint64_t)1 << 63;
}

struct extent {
    uint64_t least, most; /* in order */
    uint64_t integers;
    bool strings;
};

/* Without a branch: which tag comes next cannot be guessed. */
static inline void include(struct extent *e, struct plumb_value v)
{
    const uint64_t integer = v.tag == PLUMB_INT, all = 0 - integer;
    const uint64_t x = in_order(v.bits), low = x | ~all, high = x & all;
    e->least = low < e->least ? low : e->least;
    e->most = high > e->most ? high : e->most;
    e->integers += integer;
    e->strings |= v.tag == PLUMB_STR;
}

static struct extent extent_of(const struct plumb_history *h,
                               const struct plumb_value *extra)
{
    struct extent e = { .least = UINT64_MAX };
    for (uint32_t i = 0; i < h->values; i++)
        include(&e, h->value[i]);
    if (extra)
        include(&e, *extra);
    return e;
}

/* Tables by number are to be no larger than the history. */
static bool is_dense(const struct extent *e)
{
    return !e->integers || e->most - e->least < 4 * e->integers + 1024;
}

/* ---- integers that are far apart ---- */

/* The slot of an integer, or a free one. */
static uint32_t slot_of(const struct plumb_numbering *n, uint64_t bits)
{
    uint32_t at = (uint32_t)plumb_mix1(bits) & n->mask;
    while (n->slot[at] && n->integer[n->slot[at] - 1] != bits)
        at = (at + 1) & n->mask;
    return at;
}

static void add_integer(struct plumb_numbering *n, struct plumb_value v)
{
    if (v.tag != PLUMB_INT)
        return;
    const uint32_t at = slot_of(n, v.bits);
    if (n->slot[at])
        return;
    n->integer[n->integers++] = v.bits;
    n->slot[at] = n->integers;
}

static int compare(const void *x, const void *y)
{
    const uint64_t a = in_order(*(const uint64_t *)x);
    const uint64_t b = in_order(*(const uint64_t *)y);
    return a < b ? -1 : a > b;
}

static void sort_integers(struct plumb_numbering *n)
{
    qsort(n->integer, n->integers, sizeof *n->integer, compare);
    for (uint32_t i = 0; i <= n->mask; i++)
        n->slot[i] = 0;
    for (uint32_t i = 0; i < n->integers; i++)
        n->slot[slot_of(n, n->integer[i])] = i + 1;
}

static bool look_up(struct plumb_numbering *n, const struct plumb_history *h,
                    const struct plumb_value *extra, uint64_t most,
                    struct plumb_arena *arena)
{
    uint64_t slots = 64;
    while (slots < 2 * most)
        slots *= 2;
    if (slots > UINT32_MAX)
        return false;
    n->scattered = true;
    n->mask = (uint32_t)slots - 1;
    n->slot = plumb_arena_zeroed(arena, slots * sizeof *n->slot);
    n->integer = plumb_arena_alloc(arena, most * sizeof *n->integer);
    if (!n->slot || !n->integer)
        return false;
    for (uint32_t i = 0; i < h->values; i++)
        add_integer(n, h->value[i]);
    if (extra)
        add_integer(n, *extra);
    return true;
}

/* ---- all of them ---- */

bool plumb_numbering_make(struct plumb_numbering *n,
                          const struct plumb_history *h,
                          const struct plumb_value *extra, bool sorted,
                          struct plumb_arena *arena)
{
    const struct extent e = extent_of(h, extra);
    *n = (struct plumb_numbering){ .strings = e.strings };
    if (is_dense(&e)) {
        n->least = in_order(e.least);
        n->integers = e.integers ? (uint32_t)(e.most - e.least + 1) : 0;
    } else if (!look_up(n, h, extra, e.integers, arena)) {
        return false;
    } else if (sorted) {
        sort_integers(n);
    }
    const uint64_t count =
        2 + (uint64_t)n->integers + (e.strings ? h->symbols->count : 0);
    n->count = (uint32_t)count;
    return count < UINT32_MAX / 2;
}

uint32_t plumb_numbering_find(const struct plumb_numbering *n,
                              struct plumb_value v)
{
    switch (v.tag) {
    case PLUMB_BOOL:
        return v.bits != 0;
    case PLUMB_INT:
        return n->slot[slot_of(n, v.bits)] + 1;
    case PLUMB_STR: {
        const uint64_t number = 2 + (uint64_t)n->integers + v.bits;
        return number < n->count ? (uint32_t)number : PLUMB_NOT_NUMBERED;
    }
    default:
        return PLUMB_NOT_NUMBERED;
    }
}
