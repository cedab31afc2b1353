/* configurations.c - tables of rows and of states.
 *
 * States are numbered in the order in which they turn up, equal ones alike, so
 * that configurations are equal iff their rows are.  Hashes only say where to
 * look: what is found there is compared as a whole. */
#include "configurations.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/sort.h"
#include <stdlib.h>

#define NOWHERE UINT32_MAX

/* ---- rows ---- */

bool plumb_proof_row_has_only_states_of(const uint32_t *a, const uint32_t *b)
{
    uint32_t m = 0;
    for (uint32_t n = 0; n < a[ROW_STATES]; n++) {
        while (m < b[ROW_STATES] &&
               plumb_proof_row_states(b)[m] < plumb_proof_row_states(a)[n])
            m++;
        if (m == b[ROW_STATES] ||
            plumb_proof_row_states(b)[m] != plumb_proof_row_states(a)[n])
            return false;
    }
    return true;
}

bool plumb_proof_row_has_operation(const uint32_t *row, uint32_t i)
{
    return i < row[ROW_UPTO] &&
           !bsearch(&i, plumb_proof_row_missing(row), row[ROW_MISSING],
                    sizeof i, plumb_base_by_number);
}

static bool add_numbers(struct plumb_proof_configurations *c,
                        struct plumb_proof_numbers *to, const uint32_t *from,
                        size_t count)
{
    void *block = to->at;
    const bool grown = plumb_base_grow(c->p->budget, &block, &to->capacity,
                                       to->count + count, sizeof *to->at);
    to->at = block;
    if (!grown)
        return false;
    if (count)
        memcpy(to->at + to->count, from, count * sizeof *from);
    to->count += count;
    return true;
}

static bool add_number(struct plumb_proof_configurations *c, uint32_t number)
{
    return add_numbers(c, &c->next, &number, 1);
}

/* ---- finding rows and states ---- */

static void release_finder(struct plumb_budget *b, struct plumb_proof_finder *f)
{
    plumb_base_release(b, f->slot, f->slots * sizeof *f->slot);
}

static bool make_slot(
    struct plumb_proof_configurations *c, struct plumb_proof_finder *f,
    uint64_t (*hash)(const struct plumb_proof_configurations *c,
                     uint32_t number))
{
    if (2 * (f->used + 1) <= f->slots)
        return true;
    struct plumb_proof_finder larger = { .slots = f->slots ? 2 * f->slots : 64,
                                         .used = f->used };
    larger.slot = plumb_base_alloc_zeroed(c->p->budget,
                                          larger.slots * sizeof *larger.slot);
    if (!larger.slot)
        return false;
    for (size_t i = 0; i < f->slots; i++) {
        if (!plumb_base_in_time(c->p->budget, i)) {
            release_finder(c->p->budget, &larger);
            return false;
        }
        if (!f->slot[i])
            continue;
        size_t j = (size_t)hash(c, f->slot[i] - 1) & (larger.slots - 1);
        while (larger.slot[j])
            j = (j + 1) & (larger.slots - 1);
        larger.slot[j] = f->slot[i];
    }
    plumb_base_release(c->p->budget, f->slot, f->slots * sizeof *f->slot);
    *f = larger;
    return true;
}

static uint64_t hash_row(const uint32_t *row)
{
    return plumb_base_hash_bytes(row, plumb_proof_row_size(row) * sizeof *row);
}

static uint64_t hash_of_row(const struct plumb_proof_configurations *c,
                            uint32_t number)
{
    return hash_row(plumb_proof_row_at(c, number));
}

static uint64_t hash_of_state(const struct plumb_proof_configurations *c,
                              uint32_t number)
{
    return c->state_hash[number];
}

/* The slot of a row, or the free one where it belongs.  There must be slots. */
static size_t row_slot(const struct plumb_proof_configurations *c,
                       const uint32_t *row)
{
    const struct plumb_proof_finder *const f = &c->row_finder;
    const size_t size = plumb_proof_row_size(row);
    size_t i = (size_t)hash_row(row) & (f->slots - 1);
    while (f->slot[i]) {
        const uint32_t *const there = plumb_proof_row_at(c, f->slot[i] - 1);
        if (plumb_proof_row_size(there) == size &&
            memcmp(there, row, size * sizeof *row) == 0)
            break;
        i = (i + 1) & (f->slots - 1);
    }
    return i;
}

static size_t state_slot(const struct plumb_proof_configurations *c,
                         const struct plumb_proof_plain_state *s, uint64_t hash)
{
    const struct plumb_proof_finder *const f = &c->state_finder;
    size_t i = (size_t)hash & (f->slots - 1);
    while (f->slot[i] &&
           (c->state_hash[f->slot[i] - 1] != hash ||
            !plumb_proof_plain_state_equal(c->p, c->state[f->slot[i] - 1], s)))
        i = (i + 1) & (f->slots - 1);
    return i;
}

/* Takes over the state.  False when memory is used up. */
static bool number_state(struct plumb_proof_configurations *c,
                         struct plumb_proof_plain_state *s, uint32_t *number)
{
    const uint64_t hash = plumb_proof_plain_state_hash(c->p, s);
    void *state = c->state, *hashes = c->state_hash;
    const bool grown =
        plumb_base_grow(c->p->budget, &state, &c->state_capacity,
                        (size_t)c->states + 1, sizeof *c->state) &&
        plumb_base_grow(c->p->budget, &hashes, &c->hash_capacity,
                        (size_t)c->states + 1, sizeof *c->state_hash);
    c->state = state;
    c->state_hash = hashes;
    if (!grown || c->states == NOWHERE ||
        !make_slot(c, &c->state_finder, hash_of_state)) {
        plumb_proof_plain_state_free(c->p, s);
        return false;
    }
    uint32_t *const slot = c->state_finder.slot + state_slot(c, s, hash);
    if (*slot) {
        plumb_proof_plain_state_free(c->p, s);
        *number = *slot - 1;
        return true;
    }
    c->state[c->states] = s;
    c->state_hash[c->states] = hash;
    *number = c->states++;
    *slot = c->states;
    c->state_finder.used++;
    return true;
}

static uint32_t find_state(const struct plumb_proof_configurations *c,
                           const struct plumb_proof_plain_state *s)
{
    const uint64_t hash = plumb_proof_plain_state_hash(c->p, s);
    const uint32_t found = c->state_finder.slot[state_slot(c, s, hash)];
    return found ? found - 1 : NOWHERE;
}

bool plumb_proof_configurations_has(const struct plumb_proof_configurations *c,
                                    const uint32_t *row)
{
    return c->row_finder.slot[row_slot(c, row)] != 0;
}

/* ---- making one ---- */

static bool begin_row(struct plumb_proof_configurations *c, uint32_t upto)
{
    const uint32_t header[ROW_HEADER] = { upto, 0, 0 };
    c->next.count = 0;
    return add_numbers(c, &c->next, header, ROW_HEADER);
}

enum plumb_status plumb_proof_configurations_begin(
    struct plumb_proof_configurations *c)
{
    const enum plumb_status status = plumb_proof_plain_set_init(c->p, &c->set);
    if (status != PLUMB_OK)
        return status;
    return begin_row(c, 0) ? PLUMB_OK : PLUMB_EMEMORY;
}

static bool step_operations(struct plumb_proof_configurations *c,
                            const uint32_t *row, uint32_t i)
{
    const uint32_t upto = row[ROW_UPTO], *const missing =
                                             plumb_proof_row_missing(row);
    if (!begin_row(c, upto > i ? upto : i + 1))
        return false;
    for (uint32_t n = 0; n < row[ROW_MISSING]; n++)
        if (missing[n] != i && !add_number(c, missing[n]))
            return false;
    for (uint32_t n = upto; n < i; n++)
        if (!add_number(c, n))
            return false;
    c->next.at[ROW_MISSING] = (uint32_t)(c->next.count - ROW_HEADER);
    return true;
}

enum plumb_status plumb_proof_configurations_step(
    struct plumb_proof_configurations *c, const uint32_t *row, uint32_t i,
    const struct plumb_proof_plain_call *call)
{
    plumb_proof_plain_set_release(c->p, &c->set);
    for (uint32_t n = 0; n < row[ROW_STATES]; n++) {
        const enum plumb_status status = plumb_proof_plain_set_add(
            c->p, &c->set,
            plumb_proof_plain_state_copy(
                c->p, c->state[plumb_proof_row_states(row)[n]]));
        if (status != PLUMB_OK)
            return status;
    }
    const enum plumb_status status =
        plumb_proof_plain_set_step(c->p, &c->set, call, NULL);
    if (status != PLUMB_OK)
        return status;
    return step_operations(c, row, i) ? PLUMB_OK : PLUMB_EMEMORY;
}

static void seal(struct plumb_proof_numbers *w)
{
    w->at[ROW_STATES] = (uint32_t)(w->count - ROW_HEADER - w->at[ROW_MISSING]);
    qsort(w->at + ROW_HEADER + w->at[ROW_MISSING], w->at[ROW_STATES],
          sizeof *w->at, plumb_base_by_number);
}

bool plumb_proof_configurations_complete(struct plumb_proof_configurations *c)
{
    for (size_t n = 0; n < c->set.count; n++)
        if (!add_number(c, find_state(c, c->set.member[n].state)))
            return false;
    seal(&c->next);
    return true;
}

/* The same, but gives numbers to all of the states, and empties c->set. */
static bool add_states(struct plumb_proof_configurations *c)
{
    while (c->set.count) {
        uint32_t number;
        if (!number_state(c, c->set.member[--c->set.count].state, &number) ||
            !add_number(c, number))
            return false;
    }
    seal(&c->next);
    return true;
}

static bool add_row(struct plumb_proof_configurations *c)
{
    void *block = c->row;
    const bool grown = plumb_base_grow(c->p->budget, &block, &c->row_capacity,
                                       (size_t)c->rows + 1, sizeof *c->row);
    c->row = block;
    if (!grown || !make_slot(c, &c->row_finder, hash_of_row))
        return false;
    uint32_t *const slot = c->row_finder.slot + row_slot(c, c->next.at);
    if (*slot) {
        c->row[c->rows++] = c->row[*slot - 1];
        return true;
    }
    c->row[c->rows] = c->pool.count;
    if (!add_numbers(c, &c->pool, c->next.at, c->next.count))
        return false;
    *slot = ++c->rows;
    c->row_finder.used++;
    return true;
}

bool plumb_proof_configurations_add(struct plumb_proof_configurations *c)
{
    return add_states(c) && add_row(c);
}

/* ---- the end ---- */

static void release_numbers(struct plumb_budget *b,
                            struct plumb_proof_numbers *n)
{
    plumb_base_release(b, n->at, n->capacity * sizeof *n->at);
}

void plumb_proof_configurations_release(struct plumb_proof_configurations *c)
{
    struct plumb_budget *const b = c->p->budget;
    for (uint32_t i = 0; i < c->states; i++)
        plumb_proof_plain_state_free(c->p, c->state[i]);
    plumb_base_release(b, c->state, c->state_capacity * sizeof *c->state);
    plumb_base_release(b, c->state_hash,
                       c->hash_capacity * sizeof *c->state_hash);
    plumb_base_release(b, c->row, c->row_capacity * sizeof *c->row);
    release_finder(b, &c->state_finder);
    release_finder(b, &c->row_finder);
    release_numbers(b, &c->pool);
    release_numbers(b, &c->next);
    plumb_proof_plain_set_release(c->p, &c->set);
}
