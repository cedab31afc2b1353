/* symmetry.c - which slot becomes which.
 *
 * A process id *owns* a slot if renaming moves the slot as it moves the
 * process id, and the slot does not hold a process id itself: an element of an
 * array with one index of that kind, its component.  The m-th slots of all
 * process ids correspond: its *row*. */
#include "symmetry_slots.h"

#include "base/fail.h"
#include "base/memory.h"
#include "permutation.h"
#include "rename_formula.h"
#include <string.h>

static uint32_t count_of(const struct plumb_csp_symmetry *y)
{
    return y->renaming->ids.count;
}

/* ---- identical components ---- */

static bool is_plain(const struct plumb_csp_shape *shape)
{
    return shape && shape->kind == PLUMB_SHAPE_JOINT && !shape->alphabet;
}

/* Below it components may change places: the highest above it with nothing but
 * interleaving between.  NULL if there is none. */
static const struct plumb_csp_shape *field_of(const struct plumb_csp_system *s,
                                              uint32_t component)
{
    const struct plumb_csp_shape *above = s->component[component].shape->above;
    if (!is_plain(above))
        return NULL;
    while (is_plain(above->above))
        above = above->above;
    return above;
}

static bool stands_beside(const struct plumb_csp_system *s, uint32_t a,
                          uint32_t b)
{
    const struct plumb_csp_shape *const field = field_of(s, a);
    return field && field == field_of(s, b);
}

static bool is_identical(const struct plumb_csp_system *s, uint32_t a,
                         uint32_t b)
{
    return s->initial[s->globals + a] == s->initial[s->globals + b] &&
           s->component[a].written == s->component[b].written &&
           stands_beside(s, a, b);
}

static bool has_earlier(const struct plumb_csp_system *s, uint32_t component)
{
    for (uint32_t a = 0; a < component; a++)
        if (is_identical(s, a, component))
            return true;
    return false;
}

static bool find_groups(struct plumb_csp_symmetry *y)
{
    const struct plumb_csp_system *const s = y->system;
    uint32_t used = 0;
    y->group = plumb_base_arena_alloc(&y->arena,
                                      (s->components + 1) * sizeof *y->group);
    y->slot = plumb_base_arena_alloc(&y->arena,
                                     (s->components + 1) * sizeof *y->slot);
    if (!y->group || !y->slot)
        return false;
    for (uint32_t a = 0; a < s->components; a++) {
        struct plumb_csp_symmetry_group *const g = &y->group[y->groups];
        *g = (struct plumb_csp_symmetry_group){ used, 0 };
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

uint64_t plumb_csp_symmetry_identical(const struct plumb_csp_symmetry *y)
{
    uint64_t orders = 1;
    for (uint32_t g = 0; g < y->groups; g++)
        for (uint32_t n = 2; n <= y->group[g].count; n++)
            orders = orders < UINT32_MAX ? orders * n : orders;
    return orders;
}

void plumb_csp_symmetry_sort(const struct plumb_csp_symmetry *y,
                             uint32_t *state)
{
    for (const struct plumb_csp_symmetry_group *g = y->group;
         g < y->group + y->groups; g++) {
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

static void map_globals(const struct plumb_csp_symmetry *y,
                        uint32_t permutation, uint32_t *map)
{
    const struct plumb_csp_model *const m = y->system->world->model;
    const struct plumb_csp_renamer by = { &y->renaming->ids, permutation };
    for (uint32_t i = 0; i < y->slots; i++)
        map[i] = i;
    for (uint32_t v = 0; v < m->variables; v++)
        for (uint32_t e = 0; e < m->variable[v].size; e++)
            map[m->variable[v].slot + e] =
                m->variable[v].slot + plumb_csp_element_image(&by, m, v, e);
}

/* How many like it stand before it. */
static uint32_t rank_of(const struct plumb_csp_system *s, uint32_t component)
{
    uint32_t rank = 0;
    for (uint32_t a = 0; a < component; a++)
        rank += is_identical(s, a, component);
    return rank;
}

/* The component beside it that begins as `term`; itself if there is none. */
static uint32_t find_beside(const struct plumb_csp_system *s,
                            uint32_t component, uint32_t term)
{
    const uint32_t rank = rank_of(s, component);
    for (uint32_t a = 0; a < s->components; a++)
        if (s->initial[s->globals + a] == term &&
            stands_beside(s, component, a) && rank_of(s, a) == rank)
            return a;
    return component;
}

static enum plumb_status map_components(struct plumb_csp_symmetry *y,
                                        uint32_t permutation, uint32_t *map,
                                        struct plumb_error *err)
{
    const struct plumb_csp_system *const s = y->system;
    for (uint32_t c = 0; c < s->components; c++) {
        const uint32_t image = plumb_csp_term_image(
            y->renaming, s->initial[s->globals + c], permutation, err);
        if (image == PLUMB_NO_TERM)
            return err->status;
        map[s->globals + c] = image == s->initial[s->globals + c]
                                  ? s->globals + c
                                  : s->globals + find_beside(s, c, image);
    }
    return PLUMB_OK;
}

static enum plumb_status make_map(struct plumb_csp_symmetry *y,
                                  uint32_t permutation, uint32_t **map,
                                  struct plumb_error *err)
{
    uint32_t *const made =
        plumb_base_arena_alloc(&y->arena, y->slots * sizeof *made);
    if (!made)
        return plumb_base_fail_memory(err);
    map_globals(y, permutation, made);
    const enum plumb_status status = map_components(y, permutation, made, err);
    if (status == PLUMB_OK)
        *map = made;
    return status;
}

static enum plumb_status find_map(struct plumb_csp_symmetry *y,
                                  uint32_t permutation, const uint32_t **map,
                                  struct plumb_error *err)
{
    const uint32_t before = y->known.count;
    if (!PLUMB_GROW(y->budget, y->map, y->map_room, (size_t)before + 1))
        return plumb_base_fail_memory(err);
    const uint32_t number = plumb_base_pairs_number(
        &y->known, (struct plumb_base_pair){ permutation, 0 });
    if (number == UINT32_MAX)
        return plumb_base_fail_memory(err);
    if (number == before)
        y->map[number] = NULL;
    const enum plumb_status status =
        y->map[number] ? PLUMB_OK
                       : make_map(y, permutation, &y->map[number], err);
    *map = y->map[number];
    return status;
}

enum plumb_status plumb_csp_symmetry_rename(struct plumb_csp_symmetry *y,
                                            const uint32_t *state,
                                            uint32_t permutation, uint32_t *to,
                                            struct plumb_error *err)
{
    const struct plumb_csp_renamer by = { &y->renaming->ids, permutation };
    const uint32_t *map;
    if (permutation == PLUMB_SAME) {
        memcpy(to, state, y->slots * sizeof *to);
        return PLUMB_OK;
    }
    PLUMB_TRY(find_map(y, permutation, &map, err));
    for (uint32_t i = 0; i < y->system->globals; i++)
        to[map[i]] =
            y->holds_id[i]
                ? (uint32_t)plumb_csp_process_id_image(&by, (int32_t)state[i])
                : state[i];
    for (uint32_t i = y->system->globals; i < y->slots; i++) {
        to[map[i]] =
            plumb_csp_term_image(y->renaming, state[i], permutation, err);
        if (to[map[i]] == PLUMB_NO_TERM)
            return err->status;
    }
    return PLUMB_OK;
}

/* Renamings are made of exchanging neighbours. */
enum plumb_status plumb_csp_symmetry_begins(struct plumb_csp_symmetry *y,
                                            bool *well, uint32_t *what,
                                            struct plumb_error *err)
{
    const uint32_t *const begin = y->system->initial;
    *well = true;
    for (uint32_t i = 1; *well && i < count_of(y); i++) {
        memcpy(y->image, begin, y->slots * sizeof *begin);
        PLUMB_TRY(plumb_csp_symmetry_rename(y, begin, plumb_csp_swap(i - 1, i),
                                            y->image, err));
        for (*what = 0; *well && *what < y->slots; ++*what)
            *well = y->image[*what] == begin[*what];
        *what -= !*well;
    }
    return PLUMB_OK;
}

/* ---- who owns what ---- */

static enum plumb_status moves(struct plumb_csp_symmetry *y, uint32_t a,
                               uint32_t b, uint32_t slot, uint32_t *to,
                               struct plumb_error *err)
{
    const uint32_t *map;
    const enum plumb_status status =
        find_map(y, plumb_csp_swap(a, b), &map, err);
    if (status == PLUMB_OK)
        *to = map[slot];
    return status;
}

/* Does exchanging a and b move the slot exactly if `owner` is one of them? */
static enum plumb_status is_owner(struct plumb_csp_symmetry *y, uint32_t slot,
                                  uint32_t owner, bool *yes, bool *still,
                                  struct plumb_error *err)
{
    *yes = *still = true;
    for (uint32_t a = 0; a < count_of(y); a++)
        for (uint32_t b = a + 1; b < count_of(y); b++) {
            uint32_t to;
            PLUMB_TRY(moves(y, a, b, slot, &to, err));
            *still &= to == slot;
            *yes &= (to != slot) == (a == owner || b == owner);
        }
    return PLUMB_OK;
}

/* The slots that correspond to one are those of the others. */
static enum plumb_status add_row(struct plumb_csp_symmetry *y, uint32_t slot,
                                 uint32_t owner, bool *done,
                                 struct plumb_error *err)
{
    for (uint32_t i = 0; i < count_of(y); i++) {
        uint32_t to = slot;
        if (i != owner)
            PLUMB_TRY(moves(y, owner, i, slot, &to, err));
        y->row[i][y->rows] = to;
        done[to] = true;
    }
    y->rows++;
    return PLUMB_OK;
}

static enum plumb_status find_owner(struct plumb_csp_symmetry *y, uint32_t slot,
                                    bool *done, struct plumb_error *err)
{
    bool yes = false, still = false;
    for (uint32_t i = 0; i < count_of(y) && !still; i++) {
        PLUMB_TRY(is_owner(y, slot, i, &yes, &still, err));
        if (yes && !still && !y->holds_id[slot])
            return add_row(y, slot, i, done, err);
    }
    y->linked |= !still || y->holds_id[slot];
    return PLUMB_OK;
}

static enum plumb_status find_owners(struct plumb_csp_symmetry *y,
                                     struct plumb_error *err)
{
    bool *const done = plumb_base_arena_zeroed(&y->arena, y->slots + 1);
    for (uint32_t i = 0; i < count_of(y); i++) {
        y->row[i] = plumb_base_arena_alloc(&y->arena,
                                           (y->slots + 1) * sizeof *y->row[i]);
        if (!y->row[i])
            return plumb_base_fail_memory(err);
    }
    if (!done)
        return plumb_base_fail_memory(err);
    for (uint32_t i = 0; i < y->slots; i++)
        if (!done[i])
            PLUMB_TRY(find_owner(y, i, done, err));
    return PLUMB_OK;
}

/* ---- opening ---- */

static void find_ids(struct plumb_csp_symmetry *y)
{
    const struct plumb_csp_model *const m = y->system->world->model;
    for (uint32_t v = 0; v < m->variables; v++)
        for (uint32_t e = 0; e < m->variable[v].size; e++)
            y->holds_id[m->variable[v].slot + e] = y->renaming->ids.variable[v];
}

static enum plumb_status set_up(struct plumb_csp_symmetry *y,
                                struct plumb_error *err)
{
    const size_t size = ((size_t)y->slots + 1) * sizeof *y->best;
    y->holds_id = plumb_base_arena_zeroed(&y->arena, y->slots + 1);
    y->best = plumb_base_arena_alloc(&y->arena, size);
    y->image = plumb_base_arena_alloc(&y->arena, size);
    y->key = plumb_base_arena_alloc(&y->arena, PLUMB_MOST_PROCESS_IDS * size);
    if (!y->holds_id || !y->best || !y->image || !y->key || !find_groups(y))
        return plumb_base_fail_memory(err);
    if (!count_of(y))
        return PLUMB_OK;
    find_ids(y);
    return find_owners(y, err);
}

enum plumb_status plumb_csp_symmetry_open(struct plumb_csp_symmetry **out,
                                          struct plumb_csp_system *s,
                                          struct plumb_csp_renames *renaming,
                                          struct plumb_error *err)
{
    struct plumb_budget *const budget = s->world->budget;
    struct plumb_csp_symmetry *const y =
        plumb_base_alloc_zeroed(budget, sizeof *y);
    if (!y)
        return plumb_base_fail_memory(err);
    y->system = s;
    y->renaming = renaming;
    y->budget = budget;
    y->slots = s->slots;
    plumb_base_arena_init(&y->arena, budget);
    plumb_base_pairs_init(&y->known, budget);
    const enum plumb_status status = set_up(y, err);
    if (status != PLUMB_OK)
        plumb_csp_symmetry_free(y);
    else
        *out = y;
    return status;
}

void plumb_csp_symmetry_free(struct plumb_csp_symmetry *y)
{
    if (!y)
        return;
    plumb_base_pairs_release(&y->known);
    PLUMB_RELEASE(y->budget, y->map, y->map_room);
    plumb_base_arena_release(&y->arena);
    plumb_base_release(y->budget, y, sizeof *y);
}
