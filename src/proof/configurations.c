/* configurations.c - tables of rows and of states.
 *
 * States are numbered in the order in which they turn up, equal ones alike, so
 * that configurations are equal iff their rows are.  Hashes only say where to
 * look: what is found there is compared as a whole. */
#include "configurations.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include <assert.h>
#include <stdlib.h>

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
    if (!PLUMB_GROW(c->p->budget, to->at, to->capacity, to->count + count))
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

static uint64_t hash_row(const uint32_t *row)
{
    return plumb_base_hash_bytes(row, plumb_proof_row_size(row) * sizeof *row);
}

static uint64_t hash_of_row(const void *context, uint32_t number)
{
    const struct plumb_proof_configurations *const c = context;
    return hash_row(c->pool.at + c->distinct[number]);
}

static uint64_t hash_of_state(const void *context, uint32_t number)
{
    const struct plumb_proof_configurations *const c = context;
    return c->state_hash[number];
}

/* Among the distinct ones, or PLUMB_ABSENT and *p is where it belongs. */
static uint32_t find_row(const struct plumb_proof_configurations *c,
                         const uint32_t *row, struct plumb_base_probe *p)
{
    const size_t size = plumb_proof_row_size(row);
    *p = plumb_base_index_probe(&c->row_index, hash_row(row));
    PLUMB_FOR_CANDIDATES(&c->row_index, p, n) {
        const uint32_t *const there = c->pool.at + c->distinct[n];
        if (plumb_proof_row_size(there) == size &&
            memcmp(there, row, size * sizeof *row) == 0)
            return n;
    }
    return PLUMB_ABSENT;
}

static uint32_t find_state(const struct plumb_proof_configurations *c,
                           const struct plumb_proof_plain_state *s,
                           uint64_t hash, struct plumb_base_probe *p)
{
    *p = plumb_base_index_probe(&c->state_index, hash);
    PLUMB_FOR_CANDIDATES(&c->state_index, p, n)
        if (c->state_hash[n] == hash &&
            plumb_proof_plain_state_equal(c->p, c->state[n], s))
            return n;
    return PLUMB_ABSENT;
}

/* Takes over the state.  False when memory is used up. */
static bool number_state(struct plumb_proof_configurations *c,
                         struct plumb_proof_plain_state *s, uint32_t *number)
{
    const uint64_t hash = plumb_proof_plain_state_hash(c->p, s);
    const size_t need = (size_t)c->states + 1;
    struct plumb_base_probe p;
    if (!PLUMB_GROW(c->p->budget, c->state, c->state_capacity, need) ||
        !PLUMB_GROW(c->p->budget, c->state_hash, c->hash_capacity, need) ||
        c->states == PLUMB_ABSENT - 1 ||
        !plumb_base_index_room(&c->state_index, hash_of_state, c)) {
        plumb_proof_plain_state_free(c->p, s);
        return false;
    }
    *number = find_state(c, s, hash, &p);
    if (*number != PLUMB_ABSENT) {
        plumb_proof_plain_state_free(c->p, s);
        return true;
    }
    c->state[c->states] = s;
    c->state_hash[c->states] = hash;
    *number = c->states++;
    plumb_base_index_put(&c->state_index, &p, *number);
    return true;
}

bool plumb_proof_configurations_has(const struct plumb_proof_configurations *c,
                                    const uint32_t *row)
{
    struct plumb_base_probe p;
    return find_row(c, row, &p) != PLUMB_ABSENT;
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
    assert(w->count >= ROW_HEADER + (size_t)w->at[ROW_MISSING]);
    w->at[ROW_STATES] = (uint32_t)(w->count - ROW_HEADER - w->at[ROW_MISSING]);
    qsort(w->at + ROW_HEADER + w->at[ROW_MISSING], w->at[ROW_STATES],
          sizeof *w->at, plumb_base_by_number);
}

bool plumb_proof_configurations_complete(struct plumb_proof_configurations *c)
{
    static_assert(PLUMB_ABSENT == UINT32_MAX, "the number of no state");
    for (size_t n = 0; n < c->set.count; n++) {
        const struct plumb_proof_plain_state *const s = c->set.member[n].state;
        struct plumb_base_probe p;
        if (!add_number(
                c, find_state(c, s, plumb_proof_plain_state_hash(c->p, s), &p)))
            return false;
    }
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
    struct plumb_budget *const b = c->p->budget;
    struct plumb_base_probe p;
    if (!plumb_base_index_room(&c->row_index, hash_of_row, c))
        return false;
    uint32_t n = find_row(c, c->next.at, &p);
    if (n == PLUMB_ABSENT) {
        const size_t place = c->pool.count;
        if (!add_numbers(c, &c->pool, c->next.at, c->next.count) ||
            !PLUMB_APPEND(b, c->distinct, c->distincts, c->distinct_capacity,
                          place))
            return false;
        n = c->distincts - 1;
        plumb_base_index_put(&c->row_index, &p, n);
    }
    return PLUMB_APPEND(b, c->row, c->rows, c->row_capacity, c->distinct[n]);
}

bool plumb_proof_configurations_add(struct plumb_proof_configurations *c)
{
    return add_states(c) && add_row(c);
}

/* ---- the beginning and the end ---- */

void plumb_proof_configurations_init(struct plumb_proof_configurations *c,
                                     struct plumb_proof_plain *p)
{
    *c = (struct plumb_proof_configurations){ .p = p };
    plumb_base_index_init(&c->row_index, p->budget);
    plumb_base_index_init(&c->state_index, p->budget);
}

void plumb_proof_configurations_release(struct plumb_proof_configurations *c)
{
    struct plumb_budget *const b = c->p->budget;
    for (uint32_t i = 0; i < c->states; i++)
        plumb_proof_plain_state_free(c->p, c->state[i]);
    PLUMB_RELEASE(b, c->state, c->state_capacity);
    PLUMB_RELEASE(b, c->state_hash, c->hash_capacity);
    PLUMB_RELEASE(b, c->row, c->row_capacity);
    PLUMB_RELEASE(b, c->distinct, c->distinct_capacity);
    plumb_base_index_release(&c->state_index);
    plumb_base_index_release(&c->row_index);
    PLUMB_RELEASE(b, c->pool.at, c->pool.capacity);
    PLUMB_RELEASE(b, c->next.at, c->next.capacity);
    plumb_proof_plain_set_release(c->p, &c->set);
}
