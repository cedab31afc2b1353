/* live_configurations.c - sets of configurations, each set held once, and what
 * events make of them.
 *
 * Invariant: the rows of a set are sorted and distinct, so sets are equal
 * iff their words are.  A set's number is larger than that of the set it
 * was first made from: when an upheaval of the universe makes all states void,
 * sets are made again in the order of their numbers. */
#include "live_configurations.h"

#include "base/fail.h"
#include "base/hash.h"
#include "configuration_rows.h"
#include <assert.h>
#include <string.h>

#define NO_EVENT UINT32_MAX /* of the set where everything begins */

/* ---- sorting rows ---- */

static void swap_rows(uint32_t *a, uint32_t *b, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        const uint32_t t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

/* Let row `at` sink to where it belongs in a heap with the largest on top. */
static void sink(uint32_t *row, size_t at, size_t count, size_t width)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count &&
            plumb_check_rows_compare(row + child * width,
                                     row + (child + 1) * width, width) < 0)
            child++;
        if (plumb_check_rows_compare(row + at * width, row + child * width,
                                     width) >= 0)
            return;
        swap_rows(row + at * width, row + child * width, width);
    }
}

/* Sorted, and each once; returns how many are left.  A heap, because qsort()
 * cannot be told how wide a row is. */
static size_t sort_rows(uint32_t *row, size_t count, size_t width)
{
    for (size_t i = count / 2; i-- > 0;)
        sink(row, i, count, width);
    for (size_t n = count; n-- > 1;) {
        swap_rows(row, row + n * width, width);
        sink(row, 0, n, width);
    }
    size_t kept = count > 0;
    for (size_t i = 1; i < count; i++)
        if (plumb_check_rows_compare(row + i * width, row + (kept - 1) * width,
                                     width) != 0)
            memmove(row + kept++ * width, row + i * width, width * sizeof *row);
    return kept;
}

/* ---- making a set ---- */

static void clear_scratch(struct plumb_check_configurations *f)
{
    f->made.count = f->work.count = f->row.count = 0;
    plumb_base_index_clear(&f->seen);
}

/* What `from` becomes by `event`, into f->made; `*made` describes it. */
static bool make(struct plumb_check_configurations *f,
                 plumb_check_configuration_set parent, uint32_t event,
                 struct configuration_set *made)
{
    *made = (struct configuration_set){ .parent = parent, .event = event };
    clear_scratch(f);
    if (event == NO_EVENT) {
        uint32_t *const row = plumb_check_rows_add(f, &f->made, 1);
        if (row)
            row[0] = f->space.spec->type->initial(&f->space);
        made->rows = 1;
        return row && row[0] != PLUMB_NO_STATE;
    }
    const struct configuration_set *const from = f->set + parent;
    const bool calls = f->universe.entry[event].call == event;
    if (calls ? !plumb_check_rows_call(f, from, event)
              : !plumb_check_rows_return(f, from, event))
        return false;
    made->open = calls ? from->open + 1 : from->open - 1;
    const size_t width = (size_t)made->open + 1;
    size_t rows = (f->made.count - made->open) / width;
    rows = sort_rows(f->made.word + made->open, rows, width);
    made->rows = (uint32_t)rows;
    f->made.count = made->open + rows * width;
    return rows < UINT32_MAX;
}

static bool is_made(const struct plumb_check_configurations *f,
                    const struct configuration_set *there,
                    const struct configuration_set *made)
{
    return there->open == made->open && there->rows == made->rows &&
           memcmp(there->word, f->made.word,
                  f->made.count * sizeof *f->made.word) == 0;
}

static uint64_t hash_of_set(const void *context, uint32_t number)
{
    const struct plumb_check_configurations *const f = context;
    const struct configuration_set *const x = f->set + number;
    const size_t words = x->open + x->rows * ((size_t)x->open + 1);
    return plumb_base_hash_bytes(x->word, words * sizeof *x->word);
}

static struct plumb_base_probe look_for_made(
    const struct plumb_check_configurations *f)
{
    const size_t size = f->made.count * sizeof *f->made.word;
    return plumb_base_index_probe(&f->index,
                                  plumb_base_hash_bytes(f->made.word, size));
}

/* Give f->made the number that its equal has, or the next one. */
static plumb_check_configuration_set keep(struct plumb_check_configurations *f,
                                          struct configuration_set made)
{
    const size_t size = f->made.count * sizeof *f->made.word;
    if (!plumb_base_index_room(&f->index, hash_of_set, f))
        return PLUMB_CONFIGURATIONS_FAILED;
    struct plumb_base_probe p = look_for_made(f);
    PLUMB_FOR_CANDIDATES(&f->index, &p, n)
        if (is_made(f, f->set + n, &made))
            return n;
    if (f->sets >= PLUMB_CONFIGURATIONS_FAILED ||
        !PLUMB_GROW(f->budget, f->set, f->set_capacity, f->sets + 1))
        return PLUMB_CONFIGURATIONS_FAILED;
    made.word = plumb_base_arena_copy(&f->arena, f->made.word, size);
    if (!made.word)
        return PLUMB_CONFIGURATIONS_FAILED;
    f->set[f->sets] = made;
    plumb_base_index_put(&f->index, &p, (uint32_t)f->sets);
    return (plumb_check_configuration_set)f->sets++;
}

/* ---- upheavals ---- */

static void forget_states(struct plumb_check_configurations *f)
{
    if (f->open)
        plumb_spec_space_close(&f->space);
    f->open = false;
    plumb_spec_cells_release(&f->effects);
    plumb_base_arena_release(&f->arena);
    plumb_base_index_release(&f->index);
}

/* Make set n again.  Its number stays, even should it now equal another. */
static bool renew(struct plumb_check_configurations *f,
                  plumb_check_configuration_set n)
{
    struct configuration_set made;
    if (!make(f, f->set[n].parent, f->set[n].event, &made) ||
        !plumb_base_index_room(&f->index, hash_of_set, f))
        return false;
    struct plumb_base_probe p = look_for_made(f);
    PLUMB_FOR_CANDIDATES(&f->index, &p, other)
        (void)other; /* a number put in first is found first */
    made.word = plumb_base_arena_copy(&f->arena, f->made.word,
                                      f->made.count * sizeof *f->made.word);
    if (!made.word)
        return false;
    f->set[n] = made;
    plumb_base_index_put(&f->index, &p, n);
    return true;
}

/* Have states that go with the universe.  When this fails it is tried again the
 * next time, from the first set on. */
static bool settle(struct plumb_check_configurations *f)
{
    if (f->open && f->upheavals == f->universe.upheavals)
        return true;
    forget_states(f);
    if (!plumb_spec_space_open(&f->space, &f->universe.bound, f->budget))
        return false;
    f->open = true;
    f->upheavals = f->universe.upheavals;
    for (plumb_check_configuration_set n = 0; n < f->sets; n++)
        if (!renew(f, n)) {
            forget_states(f);
            return false;
        }
    return true;
}

/* ---- the memory of transitions ---- */

static uint64_t key_of(plumb_check_configuration_set set, uint32_t event)
{
    return ((uint64_t)set << 32 | event) + 1;
}

static inline struct transition *find_past(
    const struct plumb_check_configurations *f, uint64_t key)
{
    const size_t mask = f->past_capacity - 1;
    size_t i = plumb_base_mix1(key) & mask;
    while (f->past[i].key && f->past[i].key != key)
        i = (i + 1) & mask;
    return f->past + i;
}

/* At most half of the table is in use. */
static bool make_room_for_past(struct plumb_check_configurations *f)
{
    enum { FIRST = 256 };
    struct transition *const old = f->past;
    const size_t capacity = f->past_capacity;
    if (f->pasts < capacity / 2)
        return true;
    const size_t wanted = capacity ? 2 * capacity : FIRST;
    struct transition *const fresh =
        plumb_base_alloc_zeroed(f->budget, wanted * sizeof *fresh);
    if (!fresh)
        return false;
    f->past = fresh;
    f->past_capacity = wanted;
    for (size_t i = 0; i < capacity; i++)
        if (old[i].key)
            *find_past(f, old[i].key) = old[i];
    PLUMB_RELEASE(f->budget, old, capacity);
    return true;
}

/* ---- following events ---- */

static plumb_check_configuration_set give_up(
    struct plumb_check_configurations *f)
{
    plumb_base_fail_budget(f->budget, &f->err);
    return PLUMB_CONFIGURATIONS_FAILED;
}

static bool is_entry(const struct plumb_check_configurations *f,
                     uint32_t number, uint32_t call)
{
    return number < f->universe.history.count &&
           f->universe.entry[number].call == call;
}

static plumb_check_configuration_set refuse(
    struct plumb_check_configurations *f, const char *why)
{
    plumb_base_fail(&f->err, PLUMB_EINPUT, 0, 0, "%s", why);
    return PLUMB_CONFIGURATIONS_FAILED;
}

/* May the event happen in this set at all? */
static bool fits(const struct plumb_check_configurations *f,
                 const struct configuration_set *from, uint32_t event)
{
    const struct plumb_op *const op = f->universe.op;
    const uint32_t call = f->universe.entry[event].call;
    const uint32_t at = plumb_check_rows_place(f, from, call);
    const bool busy =
        at < from->open && op[from->word[at]].thread == op[call].thread;
    return event == call ? !busy : busy && from->word[at] == call;
}

static __attribute__((noinline)) plumb_check_configuration_set follow_anew(
    struct plumb_check_configurations *f, plumb_check_configuration_set set,
    uint32_t event)
{
    if (set >= f->sets)
        return refuse(f, "there is no such set of configurations");
    struct configuration_set made;
    if (!make_room_for_past(f) || !settle(f))
        return give_up(f);
    if (!fits(f, f->set + set, event))
        return refuse(
            f, event == f->universe.entry[event].call
                   ? "a thread calls an operation while its last one is open"
                   : "a thread returns from an operation that is not open");
    if (!make(f, set, event, &made))
        return give_up(f);
    const plumb_check_configuration_set next =
        made.rows ? keep(f, made) : PLUMB_CONFIGURATIONS_NONE;
    if (next == PLUMB_CONFIGURATIONS_FAILED)
        return give_up(f);
    const uint64_t key = key_of(set, event);
    *find_past(f, key) = (struct transition){ key, next };
    f->pasts++;
    return next;
}

/* Almost always it was followed before. */
static inline plumb_check_configuration_set follow(
    struct plumb_check_configurations *f, plumb_check_configuration_set set,
    uint32_t event)
{
    const uint64_t key = key_of(set, event);
    if (f->past_capacity) {
        const struct transition *const t = find_past(f, key);
        if (t->key == key)
            return t->next;
    }
    return follow_anew(f, set, event);
}

plumb_check_configuration_set plumb_check_configurations_call(
    struct plumb_check_configurations *f, plumb_check_configuration_set set,
    uint32_t operation)
{
    if (set >= PLUMB_CONFIGURATIONS_FAILED)
        return set;
    if (!is_entry(f, operation, operation))
        return refuse(f, "there is no such operation");
    return follow(f, set, operation);
}

plumb_check_configuration_set plumb_check_configurations_return(
    struct plumb_check_configurations *f, plumb_check_configuration_set set,
    uint32_t operation, uint32_t answer)
{
    if (set >= PLUMB_CONFIGURATIONS_FAILED)
        return set;
    if (answer == operation || !is_entry(f, answer, operation))
        return refuse(f, "the operation has no such result");
    return follow(f, set, answer);
}

/* ---- names ---- */

uint32_t plumb_check_configurations_operation(
    struct plumb_check_configurations *f, unsigned thread, const char *name,
    const struct plumb_check_configurations_word *arg, unsigned nargs)
{
    return plumb_check_universe_call(&f->universe, thread, name, arg, nargs,
                                     &f->err);
}

uint32_t plumb_check_configurations_answer(
    struct plumb_check_configurations *f, uint32_t operation, const char *term,
    const struct plumb_check_configurations_word *result, unsigned nresults)
{
    if (!is_entry(f, operation, operation)) {
        refuse(f, "no such operation");
        return UINT32_MAX;
    }
    return plumb_check_universe_answer(&f->universe, operation, term, result,
                                       nresults, &f->err);
}

const struct plumb_error *plumb_check_configurations_error(
    const struct plumb_check_configurations *f)
{
    return &f->err;
}

/* ---- the life of them all ---- */

struct plumb_check_configurations *plumb_check_configurations_open(
    const struct plumb_spec *spec, struct plumb_budget *budget)
{
    assert(spec);
    struct plumb_check_configurations *const f =
        plumb_base_alloc_zeroed(budget, sizeof *f);
    if (!f)
        return NULL;
    f->budget = f->next.budget = f->probe.budget = budget;
    plumb_spec_cells_init(&f->effects, budget, EFFECT_WIDTH);
    plumb_base_arena_init(&f->arena, budget);
    plumb_base_index_init(&f->index, budget);
    plumb_base_index_init(&f->seen, budget);
    if (plumb_check_universe_open(&f->universe, spec, budget))
        return f;
    plumb_check_configurations_free(f);
    return NULL;
}

void plumb_check_configurations_free(struct plumb_check_configurations *f)
{
    if (!f)
        return;
    forget_states(f);
    plumb_check_universe_close(&f->universe);
    plumb_base_index_release(&f->seen);
    plumb_spec_states_release(&f->next);
    plumb_spec_states_release(&f->probe);
    PLUMB_RELEASE(f->budget, f->made.word, f->made.capacity);
    PLUMB_RELEASE(f->budget, f->work.word, f->work.capacity);
    PLUMB_RELEASE(f->budget, f->row.word, f->row.capacity);
    PLUMB_RELEASE(f->budget, f->past, f->past_capacity);
    PLUMB_RELEASE(f->budget, f->set, f->set_capacity);
    plumb_base_release(f->budget, f, sizeof *f);
}

plumb_check_configuration_set plumb_check_configurations_start(
    struct plumb_check_configurations *f)
{
    struct configuration_set made;
    if (f->sets)
        return 0;
    if (!settle(f) || !make(f, 0, NO_EVENT, &made))
        return give_up(f);
    const plumb_check_configuration_set first = keep(f, made);
    return first == PLUMB_CONFIGURATIONS_FAILED ? give_up(f) : first;
}

bool plumb_check_configurations_know(const struct plumb_check_configurations *f,
                                     plumb_check_configuration_set set)
{
    if (set >= f->sets || !f->open)
        return true;
    const struct configuration_set *const x = f->set + set;
    const uint32_t *row = x->word + x->open;
    for (uint32_t i = 0; i < x->rows; i++, row += (size_t)x->open + 1)
        if (!plumb_spec_is_unknown(&f->space, row[0]))
            return true;
    return false;
}

/* ---- comparing ---- */

/* The rows of both are sorted.  Rows that could still become others are not
 * looked at: to say no where it is yes is no mistake. */
bool plumb_check_configurations_covers(struct plumb_check_configurations *f,
                                       plumb_check_configuration_set narrow,
                                       plumb_check_configuration_set wide)
{
    if (narrow == wide)
        return true;
    if (narrow >= f->sets || wide >= f->sets)
        return false;
    const struct configuration_set *const a = &f->set[narrow],
                                          *const b = &f->set[wide];
    const size_t width = (size_t)a->open + 1;
    if (a->open != b->open || a->rows > b->rows ||
        memcmp(a->word, b->word, a->open * sizeof *a->word) != 0)
        return false;
    const uint32_t *row = a->word + a->open;
    const uint32_t *const end = row + a->rows * width;
    const uint32_t *other = b->word + b->open;
    const uint32_t *const last = other + b->rows * width;
    for (; row < end; row += width, other += width) {
        while (other < last && plumb_check_rows_compare(other, row, width) < 0)
            other += width;
        if (other == last || plumb_check_rows_compare(other, row, width) != 0)
            return false;
    }
    return true;
}
