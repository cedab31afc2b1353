/* symmetry.c - which slot becomes which, and who comes first.
 *
 * An identity *owns* a slot if renaming moves the slot as it moves the
 * identity, and the slot does not hold an identity itself: an element of an
 * array with one index of that kind, its component.  The m-th slots of all
 * identities correspond.  Identities are sorted by their rows of slots, terms
 * as they would be if it were the first identity.  If every slot is owned or is
 * moved by no renaming, this is all: where rows are equal it makes no
 * difference who is who.  Else all orders of those with equal rows are tried,
 * and the least vector is taken. */
#include "model/symmetry.h"

#include "base/fail.h"
#include "base/memory.h"
#include "model/permutation.h"
#include "model/rename_formula.h"
#include "model/system_shape.h"
#include <assert.h>
#include <string.h>

enum { MOST = PLUMB_MOST_IDENTITIES };

/* Identical components, side by side in `slot`. */
struct group {
    uint32_t first, count;
};

struct plumb_symmetry {
    struct plumb_system *system;
    struct plumb_renames *renaming;
    struct plumb_budget *budget;
    struct plumb_arena arena;
    uint32_t slots;
    struct group *group;
    uint32_t groups;
    uint32_t *slot;             /* of identical components                */
    bool *identity;             /* by slot: does it hold one?             */
    struct plumb_couples known; /* permutations, (p, 0)                   */
    uint32_t **map;             /* of each: where a slot goes             */
    size_t map_room;
    uint32_t rows; /* slots that each identity owns          */
    uint32_t *row[MOST];
    bool linked; /* there are slots that nobody owns       */
    uint32_t *best, *image, *key;
};

static uint32_t count_of(const struct plumb_symmetry *y)
{
    return y->renaming->identities.count;
}

/* ---- identical components ---- */

/* Below it components may change places: the next above that is more than
 * interleaving. */
static const struct plumb_shape *field_of(const struct plumb_system *s,
                                          uint32_t component)
{
    const struct plumb_shape *above = s->component[component].shape->above;
    while (above && above->kind == PLUMB_SHAPE_JOINT && !above->alphabet)
        above = above->above;
    return above;
}

static bool stands_beside(const struct plumb_system *s, uint32_t a, uint32_t b)
{
    const struct plumb_shape *const x = s->component[a].shape->above;
    return x && x->kind == PLUMB_SHAPE_JOINT && !x->alphabet &&
           field_of(s, a) == field_of(s, b) &&
           s->component[b].shape->above->kind == PLUMB_SHAPE_JOINT &&
           !s->component[b].shape->above->alphabet;
}

static bool is_identical(const struct plumb_system *s, uint32_t a, uint32_t b)
{
    return s->initial[s->globals + a] == s->initial[s->globals + b] &&
           s->component[a].written == s->component[b].written &&
           stands_beside(s, a, b);
}

static bool has_earlier(const struct plumb_system *s, uint32_t component)
{
    for (uint32_t a = 0; a < component; a++)
        if (is_identical(s, a, component))
            return true;
    return false;
}

static bool find_groups(struct plumb_symmetry *y)
{
    const struct plumb_system *const s = y->system;
    uint32_t used = 0;
    y->group =
        plumb_arena_alloc(&y->arena, (s->components + 1) * sizeof *y->group);
    y->slot =
        plumb_arena_alloc(&y->arena, (s->components + 1) * sizeof *y->slot);
    if (!y->group || !y->slot)
        return false;
    for (uint32_t a = 0; a < s->components; a++) {
        struct group *const g = &y->group[y->groups];
        *g = (struct group){ used, 0 };
        if (has_earlier(s, a))
            continue;
        for (uint32_t b = a; b < s->components; b++)
            if (b == a || is_identical(s, a, b))
                y->slot[g->first + g->count++] = s->globals + b;
        if (g->count > 1) {
            used += g->count;
            y->groups++;
        }
    }
    return true;
}

uint64_t plumb_symmetry_identical(const struct plumb_symmetry *y)
{
    uint64_t orders = 1;
    for (uint32_t g = 0; g < y->groups; g++)
        for (uint32_t n = 2; n <= y->group[g].count; n++)
            orders = orders < UINT32_MAX ? orders * n : orders;
    return orders;
}

void plumb_symmetry_sort(const struct plumb_symmetry *y, uint32_t *state)
{
    for (const struct group *g = y->group; g < y->group + y->groups; g++) {
        const uint32_t *const slot = y->slot + g->first;
        for (uint32_t i = 1; i < g->count; i++) {
            const uint32_t term = state[slot[i]];
            uint32_t at = i;
            for (; at > 0 && state[slot[at - 1]] > term; at--)
                state[slot[at]] = state[slot[at - 1]];
            state[slot[at]] = term;
        }
    }
}

/* ---- where slots go ---- */

static void map_globals(const struct plumb_symmetry *y, uint32_t permutation,
                        uint32_t *map)
{
    const struct plumb_model *const m = y->system->world->model;
    const struct plumb_renamer by = { &y->renaming->identities, permutation };
    for (uint32_t i = 0; i < y->slots; i++)
        map[i] = i;
    for (uint32_t v = 0; v < m->variables; v++)
        for (uint32_t e = 0; e < m->variable[v].size; e++)
            map[m->variable[v].slot + e] =
                m->variable[v].slot + plumb_element_image(&by, m, v, e);
}

/* How many like it stand before it. */
static uint32_t rank_of(const struct plumb_system *s, uint32_t component)
{
    uint32_t rank = 0;
    for (uint32_t a = 0; a < component; a++)
        rank += is_identical(s, a, component);
    return rank;
}

/* The component beside it that begins as `term`; itself if there is none. */
static uint32_t find_beside(const struct plumb_system *s, uint32_t component,
                            uint32_t term)
{
    const uint32_t rank = rank_of(s, component);
    for (uint32_t a = 0; a < s->components; a++)
        if (s->initial[s->globals + a] == term &&
            stands_beside(s, component, a) && rank_of(s, a) == rank)
            return a;
    return component;
}

static enum plumb_status map_components(struct plumb_symmetry *y,
                                        uint32_t permutation, uint32_t *map,
                                        struct plumb_error *err)
{
    const struct plumb_system *const s = y->system;
    for (uint32_t c = 0; c < s->components; c++) {
        const uint32_t image = plumb_term_image(
            y->renaming, s->initial[s->globals + c], permutation, err);
        if (image == PLUMB_NO_TERM)
            return err->status;
        map[s->globals + c] = image == s->initial[s->globals + c]
                                  ? s->globals + c
                                  : s->globals + find_beside(s, c, image);
    }
    return PLUMB_OK;
}

static enum plumb_status find_map(struct plumb_symmetry *y,
                                  uint32_t permutation, const uint32_t **map,
                                  struct plumb_error *err)
{
    const uint32_t before = y->known.count;
    const uint32_t number = plumb_couples_number(
        &y->known, (struct plumb_couple){ permutation, 0 });
    if (number == UINT32_MAX ||
        !plumb_grow(y->budget, (void **)&y->map, &y->map_room,
                    (size_t)number + 1, sizeof *y->map))
        return plumb_fail_memory(err);
    enum plumb_status status = PLUMB_OK;
    if (number == before) {
        y->map[number] =
            plumb_arena_alloc(&y->arena, y->slots * sizeof **y->map);
        if (!y->map[number])
            return plumb_fail_memory(err);
        map_globals(y, permutation, y->map[number]);
        status = map_components(y, permutation, y->map[number], err);
    }
    *map = y->map[number];
    return status;
}

enum plumb_status plumb_symmetry_rename(struct plumb_symmetry *y,
                                        const uint32_t *state,
                                        uint32_t permutation, uint32_t *to,
                                        struct plumb_error *err)
{
    const struct plumb_renamer by = { &y->renaming->identities, permutation };
    const uint32_t *map;
    if (permutation == PLUMB_SAME) {
        memcpy(to, state, y->slots * sizeof *to);
        return PLUMB_OK;
    }
    const enum plumb_status status = find_map(y, permutation, &map, err);
    if (status != PLUMB_OK)
        return status;
    for (uint32_t i = 0; i < y->system->globals; i++)
        to[map[i]] =
            y->identity[i]
                ? (uint32_t)plumb_identity_image(&by, (int32_t)state[i])
                : state[i];
    for (uint32_t i = y->system->globals; i < y->slots; i++) {
        to[map[i]] = plumb_term_image(y->renaming, state[i], permutation, err);
        if (to[map[i]] == PLUMB_NO_TERM)
            return err->status;
    }
    return PLUMB_OK;
}

/* Renamings are made of exchanging neighbours. */
enum plumb_status plumb_symmetry_begins(struct plumb_symmetry *y, bool *well,
                                        uint32_t *what, struct plumb_error *err)
{
    const uint32_t *const begin = y->system->initial;
    *well = true;
    for (uint32_t i = 1; *well && i < count_of(y); i++) {
        memcpy(y->image, begin, y->slots * sizeof *begin);
        const enum plumb_status status = plumb_symmetry_rename(
            y, begin, plumb_swap(i - 1, i), y->image, err);
        if (status != PLUMB_OK)
            return status;
        for (*what = 0; *well && *what < y->slots; ++*what)
            *well = y->image[*what] == begin[*what];
        *what -= !*well;
    }
    return PLUMB_OK;
}

/* ---- who owns what ---- */

static enum plumb_status moves(struct plumb_symmetry *y, uint32_t a, uint32_t b,
                               uint32_t slot, uint32_t *to,
                               struct plumb_error *err)
{
    const uint32_t *map;
    const enum plumb_status status = find_map(y, plumb_swap(a, b), &map, err);
    if (status == PLUMB_OK)
        *to = map[slot];
    return status;
}

/* Does exchanging a and b move the slot exactly if `owner` is one of them? */
static enum plumb_status is_owner(struct plumb_symmetry *y, uint32_t slot,
                                  uint32_t owner, bool *yes, bool *still,
                                  struct plumb_error *err)
{
    *yes = *still = true;
    for (uint32_t a = 0; a < count_of(y); a++)
        for (uint32_t b = a + 1; b < count_of(y); b++) {
            uint32_t to;
            const enum plumb_status status = moves(y, a, b, slot, &to, err);
            if (status != PLUMB_OK)
                return status;
            *still &= to == slot;
            *yes &= (to != slot) == (a == owner || b == owner);
        }
    return PLUMB_OK;
}

/* The slots that correspond to one are those of the others. */
static enum plumb_status add_row(struct plumb_symmetry *y, uint32_t slot,
                                 uint32_t owner, bool *done,
                                 struct plumb_error *err)
{
    for (uint32_t i = 0; i < count_of(y); i++) {
        uint32_t to = slot;
        const enum plumb_status status =
            i == owner ? PLUMB_OK : moves(y, owner, i, slot, &to, err);
        if (status != PLUMB_OK)
            return status;
        y->row[i][y->rows] = to;
        done[to] = true;
    }
    y->rows++;
    return PLUMB_OK;
}

static enum plumb_status find_owner(struct plumb_symmetry *y, uint32_t slot,
                                    bool *done, struct plumb_error *err)
{
    bool yes = false, still = false;
    for (uint32_t i = 0; i < count_of(y) && !still; i++) {
        const enum plumb_status status =
            is_owner(y, slot, i, &yes, &still, err);
        if (status != PLUMB_OK)
            return status;
        if (yes && !still && !y->identity[slot])
            return add_row(y, slot, i, done, err);
    }
    y->linked |= !still || y->identity[slot];
    return PLUMB_OK;
}

static enum plumb_status find_owners(struct plumb_symmetry *y,
                                     struct plumb_error *err)
{
    bool *const done = plumb_arena_zeroed(&y->arena, y->slots + 1);
    for (uint32_t i = 0; i < count_of(y); i++) {
        y->row[i] =
            plumb_arena_alloc(&y->arena, (y->slots + 1) * sizeof *y->row[i]);
        if (!y->row[i])
            return plumb_fail_memory(err);
    }
    if (!done)
        return plumb_fail_memory(err);
    for (uint32_t i = 0; i < y->slots; i++) {
        const enum plumb_status status =
            done[i] ? PLUMB_OK : find_owner(y, i, done, err);
        if (status != PLUMB_OK)
            return status;
    }
    return PLUMB_OK;
}

/* ---- opening ---- */

static void find_identities(struct plumb_symmetry *y)
{
    const struct plumb_model *const m = y->system->world->model;
    for (uint32_t v = 0; v < m->variables; v++)
        for (uint32_t e = 0; e < m->variable[v].size; e++)
            y->identity[m->variable[v].slot + e] =
                y->renaming->identities.variable[v];
}

static enum plumb_status set_up(struct plumb_symmetry *y,
                                struct plumb_error *err)
{
    const size_t size = ((size_t)y->slots + 1) * sizeof *y->best;
    y->identity = plumb_arena_zeroed(&y->arena, y->slots + 1);
    y->best = plumb_arena_alloc(&y->arena, size);
    y->image = plumb_arena_alloc(&y->arena, size);
    y->key = plumb_arena_alloc(&y->arena, MOST * size);
    if (!y->identity || !y->best || !y->image || !y->key || !find_groups(y))
        return plumb_fail_memory(err);
    if (!count_of(y))
        return PLUMB_OK;
    find_identities(y);
    return find_owners(y, err);
}

enum plumb_status plumb_symmetry_open(struct plumb_symmetry **out,
                                      struct plumb_system *s,
                                      struct plumb_renames *renaming,
                                      struct plumb_error *err)
{
    struct plumb_budget *const budget = s->world->budget;
    struct plumb_symmetry *const y = plumb_alloc_zeroed(budget, sizeof *y);
    if (!y)
        return plumb_fail_memory(err);
    y->system = s;
    y->renaming = renaming;
    y->budget = budget;
    y->slots = s->slots;
    plumb_arena_init(&y->arena, budget);
    plumb_couples_init(&y->known, budget);
    const enum plumb_status status = set_up(y, err);
    if (status != PLUMB_OK)
        plumb_symmetry_free(y);
    else
        *out = y;
    return status;
}

void plumb_symmetry_free(struct plumb_symmetry *y)
{
    if (!y)
        return;
    plumb_couples_release(&y->known);
    plumb_release(y->budget, y->map, y->map_room * sizeof *y->map);
    plumb_arena_release(&y->arena);
    plumb_release(y->budget, y, sizeof *y);
}

/* ---- choosing ---- */

/* What identity i owns, as if it were the first. */
static enum plumb_status find_key(struct plumb_symmetry *y,
                                  const uint32_t *state, uint32_t i,
                                  struct plumb_error *err)
{
    uint32_t *const key = y->key + (size_t)i * y->rows;
    const uint32_t as_first = plumb_swap(0, i);
    for (uint32_t m = 0; m < y->rows; m++) {
        const uint32_t slot = y->row[i][m], value = state[slot];
        key[m] = slot < y->system->globals || i == 0
                     ? value
                     : plumb_term_image(y->renaming, value, as_first, err);
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

static int compare_keys(const struct plumb_symmetry *y, uint32_t a, uint32_t b)
{
    return compare(y->key + (size_t)a * y->rows, y->key + (size_t)b * y->rows,
                   y->rows);
}

/* In which order identities come; equal ones stay as they are. */
static void sort_identities(const struct plumb_symmetry *y, uint32_t *order)
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
        p = plumb_sends(p, order[place], place);
    return p;
}

/* The image by this order, if it is the least so far. */
static enum plumb_status try_order(struct plumb_symmetry *y,
                                   const uint32_t *state, const uint32_t *order,
                                   uint32_t *permutation, bool *first,
                                   struct plumb_error *err)
{
    const uint32_t p = permutation_of(order, count_of(y));
    const enum plumb_status status =
        plumb_symmetry_rename(y, state, p, y->image, err);
    if (status != PLUMB_OK)
        return status;
    plumb_symmetry_sort(y, y->image);
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
static enum plumb_status try_orders(struct plumb_symmetry *y,
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

enum plumb_status plumb_symmetry_choose(struct plumb_symmetry *y,
                                        uint32_t *state, uint32_t *permutation,
                                        struct plumb_error *err)
{
    uint32_t order[MOST];
    bool first = true;
    *permutation = PLUMB_SAME;
    for (uint32_t i = 0; i < count_of(y); i++) {
        const enum plumb_status status = find_key(y, state, i, err);
        if (status != PLUMB_OK)
            return status;
    }
    sort_identities(y, order);
    if (!y->linked && permutation_of(order, count_of(y)) == PLUMB_SAME) {
        plumb_symmetry_sort(y, state);
        return PLUMB_OK;
    }
    const enum plumb_status status =
        try_orders(y, state, order, 0, permutation, &first, err);
    if (status == PLUMB_OK)
        memcpy(state, y->best, y->slots * sizeof *state);
    return status;
}
