/* symmetry_choose.c - which of the states that become each other stands for
 * them.
 *
 * Process ids are sorted by their rows of slots, terms as they would be if it
 * were the first process id.  If every slot is owned or is moved by no
 * renaming, this is all: where rows are equal it makes no difference who is
 * who.  Else all orders of those with equal rows are tried, and the least
 * vector is taken. */
#include "base/fail.h"
#include "permutation.h"
#include "symmetry_slots.h"
#include <string.h>

static uint32_t count_of(const struct plumb_csp_symmetry *y)
{
    return y->renaming->ids.count;
}

/* What process id i owns, as if it were the first. */
static enum plumb_status find_key(struct plumb_csp_symmetry *y,
                                  const uint32_t *state, uint32_t i,
                                  struct plumb_error *err)
{
    uint32_t *const key = y->key + (size_t)i * y->rows;
    const uint32_t as_first = plumb_csp_swap(0, i);
    for (uint32_t m = 0; m < y->rows; m++) {
        const uint32_t slot = y->row[i][m], value = state[slot];
        key[m] = slot < y->system->globals || i == 0
                     ? value
                     : plumb_csp_term_image(y->renaming, value, as_first, err);
        if (slot >= y->system->globals && key[m] == PLUMB_NO_TERM)
            return err->status;
    }
    return PLUMB_OK;
}

static int compare(const uint32_t *a, const uint32_t *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int compare_keys(const struct plumb_csp_symmetry *y, uint32_t a,
                        uint32_t b)
{
    return compare(y->key + (size_t)a * y->rows, y->key + (size_t)b * y->rows,
                   y->rows);
}

/* In which order process ids come; equal ones stay as they are. */
static void sort_ids(const struct plumb_csp_symmetry *y, uint32_t *order)
{
    for (uint32_t i = 0; i < count_of(y); i++) {
        uint32_t at = i;
        for (; at > 0 && compare_keys(y, order[at - 1], i) > 0; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static uint32_t permutation_of(const uint32_t *order, uint32_t count)
{
    uint32_t p = PLUMB_SAME;
    for (uint32_t place = 0; place < count; place++)
        p = plumb_csp_sends(p, order[place], place);
    return p;
}

/* The image by this order, if it is the least so far. */
static enum plumb_status try_order(struct plumb_csp_symmetry *y,
                                   const uint32_t *state, const uint32_t *order,
                                   uint32_t *permutation, bool *first,
                                   struct plumb_error *err)
{
    const uint32_t p = permutation_of(order, count_of(y));
    PLUMB_TRY(plumb_csp_symmetry_rename(y, state, p, y->image, err));
    plumb_csp_symmetry_sort(y, y->image);
    if (*first || compare(y->image, y->best, y->slots) < 0) {
        memcpy(y->best, y->image, y->slots * sizeof *y->best);
        *permutation = p;
        *first = false;
    }
    return PLUMB_OK;
}

static void exchange(uint32_t *order, uint32_t a, uint32_t b)
{
    const uint32_t kept = order[a];
    order[a] = order[b];
    order[b] = kept;
}

/* All orders that agree with the keys, from place `from` on. */
static enum plumb_status try_orders(struct plumb_csp_symmetry *y,
                                    const uint32_t *state, uint32_t *order,
                                    uint32_t from, uint32_t *permutation,
                                    bool *first, struct plumb_error *err)
{
    if (from == count_of(y))
        return try_order(y, state, order, permutation, first, err);
    enum plumb_status status = PLUMB_OK;
    for (uint32_t at = from; status == PLUMB_OK && at < count_of(y); at++) {
        if (at > from &&
            (!y->linked || compare_keys(y, order[from], order[at]) != 0))
            continue;
        exchange(order, from, at);
        status = try_orders(y, state, order, from + 1, permutation, first, err);
        exchange(order, from, at);
    }
    return status;
}

enum plumb_status plumb_csp_symmetry_choose(struct plumb_csp_symmetry *y,
                                            uint32_t *state,
                                            uint32_t *permutation,
                                            struct plumb_error *err)
{
    uint32_t order[PLUMB_MOST_PROCESS_IDS];
    bool first = true;
    *permutation = PLUMB_SAME;
    for (uint32_t i = 0; i < count_of(y); i++)
        PLUMB_TRY(find_key(y, state, i, err));
    sort_ids(y, order);
    if (!y->linked && permutation_of(order, count_of(y)) == PLUMB_SAME) {
        plumb_csp_symmetry_sort(y, state);
        return PLUMB_OK;
    }
    const enum plumb_status status =
        try_orders(y, state, order, 0, permutation, &first, err);
    if (status == PLUMB_OK)
        memcpy(state, y->best, y->slots * sizeof *state);
    return status;
}
