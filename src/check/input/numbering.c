/* numbering.c - see numbering.h. */
#include "numbering.h"

#include "base/hash.h"
#include "base/pace.h"
#include "base/sort.h"
#include "history/symbols.h"

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

static bool find_extent(const struct plumb_budget *budget,
                        const struct plumb_history *h,
                        const struct plumb_value *extra, struct extent *out)
{
    struct extent e = { .least = UINT64_MAX };
    for (uint32_t i = 0; i < h->values; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        include(&e, h->value[i]);
    }
    if (extra)
        include(&e, *extra);
    *out = e;
    return true;
}

/* Tables by number are to be no larger than the history. */
static bool is_dense(const struct extent *e)
{
    return !e->integers || e->most - e->least < 4 * e->integers + 1024;
}

/* ---- integers that are far apart ---- */

static uint64_t page_of(const struct plumb_check_numbering *n, uint64_t bits)
{
    return in_order(bits) >> n->bits;
}

static uint64_t bit_of(uint64_t bits)
{
    return (uint64_t)1 << bits % 64;
}

/* The slot of a page, or a free one. */
static uint32_t slot_of(const struct plumb_check_numbering *n, uint64_t page)
{
    uint32_t at = (uint32_t)plumb_base_mix1(page) & n->mask;
    while (n->slot[at] && n->page[n->slot[at] - 1] != page)
        at = (at + 1) & n->mask;
    return at;
}

/* False: there is no room for its page. */
static bool add_integer(struct plumb_check_numbering *n, struct plumb_value v)
{
    if (v.tag != PLUMB_INT)
        return true;
    const uint64_t page = page_of(n, v.bits);
    const uint32_t at = slot_of(n, page);
    if (!n->slot[at]) {
        if (n->pages == n->most_pages)
            return false;
        n->page[n->pages++] = page;
        n->slot[at] = n->pages;
    }
    if (n->used)
        n->used[n->slot[at] - 1] |= bit_of(v.bits);
    return true;
}

/* `*fit`: there was room for all.  False if the budget ends the run. */
static bool add_integers(struct plumb_check_numbering *n,
                         const struct plumb_budget *budget,
                         const struct plumb_history *h,
                         const struct plumb_value *extra, bool *fit)
{
    *fit = true;
    for (uint32_t i = 0; *fit && i < h->values; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        *fit = add_integer(n, h->value[i]);
    }
    *fit = *fit && (!extra || add_integer(n, *extra));
    return true;
}

static int compare(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

/* Which integers are used is to be told again. */
static bool sort_pages(struct plumb_check_numbering *n,
                       struct plumb_budget *budget)
{
    if (!plumb_base_sort(budget, n->page, n->pages, sizeof *n->page, compare) ||
        !plumb_base_paced_set(budget, n->slot, 0,
                              ((size_t)n->mask + 1) * sizeof *n->slot))
        return false;
    for (uint32_t i = 0; i < n->pages; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        n->slot[slot_of(n, n->page[i])] = i + 1;
    }
    return !n->used ||
           plumb_base_paced_set(budget, n->used, 0, n->pages * sizeof *n->used);
}

static bool number_pages(struct plumb_check_numbering *n,
                         const struct plumb_budget *budget)
{
    n->integers = n->used ? 0 : n->pages;
    for (uint32_t i = 0; n->used && i < n->pages; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        n->first[i] = n->integers;
        n->integers += (uint32_t)__builtin_popcountll(n->used[i]);
    }
    return true;
}

/* Room for so many pages; at least twice as many slots. */
static bool make_table(struct plumb_check_numbering *n, uint64_t most,
                       struct plumb_base_arena *arena)
{
    uint64_t slots = 64;
    while (slots < 2 * most)
        slots *= 2;
    if (slots > UINT32_MAX)
        return false;
    n->pages = 0;
    n->most_pages = (uint32_t)most;
    n->mask = (uint32_t)slots - 1;
    n->slot = plumb_base_arena_zeroed(arena, slots * sizeof *n->slot);
    n->page = plumb_base_arena_alloc(arena, most * sizeof *n->page);
    if (n->bits) {
        n->used = plumb_base_arena_zeroed(arena, most * sizeof *n->used);
        n->first = plumb_base_arena_alloc(arena, most * sizeof *n->first);
    }
    return n->slot && n->page && (!n->bits || (n->used && n->first));
}

/* *fits: there are no more pages than that. */
static bool try_pages(struct plumb_check_numbering *n,
                      const struct plumb_history *h,
                      const struct plumb_value *extra, bool sorted,
                      uint64_t most, struct plumb_base_arena *arena, bool *fits)
{
    struct plumb_budget *const budget = arena->budget;
    if (!make_table(n, most, arena) || !add_integers(n, budget, h, extra, fits))
        return false;
    if (*fits && sorted &&
        (!sort_pages(n, budget) || !add_integers(n, budget, h, extra, fits)))
        return false;
    return number_pages(n, budget);
}

/* Pages are worth while if there are few: they are at hand then. */
static bool look_up(struct plumb_check_numbering *n,
                    const struct plumb_history *h,
                    const struct plumb_value *extra, bool sorted,
                    uint64_t integers, struct plumb_base_arena *arena)
{
    enum { PAGE_BITS = 6, WORTH_WHILE = 16, MANY = 4096 };
    struct plumb_base_arena attempt;
    bool fits = false;
    n->scattered = true;
    if (integers >= MANY) {
        n->bits = PAGE_BITS;
        plumb_base_arena_init(&attempt, arena->budget);
        const bool done = try_pages(n, h, extra, sorted, integers / WORTH_WHILE,
                                    &attempt, &fits);
        if (done && fits)
            plumb_base_arena_adopt(arena, &attempt);
        plumb_base_arena_release(&attempt);
        if (!done || fits)
            return done;
    }
    n->bits = 0;
    n->used = NULL;
    return try_pages(n, h, extra, sorted, integers, arena, &fits);
}

static uint32_t number_of(const struct plumb_check_numbering *n, uint64_t bits)
{
    const uint32_t page = n->slot[slot_of(n, page_of(n, bits))] - 1;
    if (!n->used)
        return page;
    const uint64_t before = n->used[page] & (bit_of(bits) - 1);
    return n->first[page] + (uint32_t)__builtin_popcountll(before);
}

/* ---- all of them ---- */

bool plumb_check_numbering_make(struct plumb_check_numbering *n,
                                const struct plumb_history *h,
                                const struct plumb_value *extra, bool sorted,
                                struct plumb_base_arena *arena)
{
    struct extent e;
    if (!find_extent(arena->budget, h, extra, &e))
        return false;
    *n = (struct plumb_check_numbering){ .strings = e.strings };
    if (is_dense(&e)) {
        n->least = in_order(e.least);
        n->integers = e.integers ? (uint32_t)(e.most - e.least + 1) : 0;
    } else if (!look_up(n, h, extra, sorted, e.integers, arena)) {
        return false;
    }
    const uint64_t count =
        2 + (uint64_t)n->integers + (e.strings ? h->symbols->count : 0);
    n->count = (uint32_t)count;
    return count < UINT32_MAX / 2;
}

uint32_t plumb_check_numbering_find(const struct plumb_check_numbering *n,
                                    struct plumb_value v)
{
    switch (v.tag) {
    case PLUMB_BOOL:
        return v.bits != 0;
    case PLUMB_INT:
        return 2 + number_of(n, v.bits);
    case PLUMB_STR: {
        const uint64_t number = 2 + (uint64_t)n->integers + v.bits;
        return number < n->count ? (uint32_t)number : PLUMB_NOT_NUMBERED;
    }
    default:
        return PLUMB_NOT_NUMBERED;
    }
}
