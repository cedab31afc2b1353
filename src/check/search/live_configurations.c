/* live_configurations.c - sets of configurations, each set held once.
 *
 * A configuration is a row of words: a state, and for each open operation, in
 * the order of their threads, FIRST_EFFECT + the number of an *effect*, or how
 * many of its steps have been taken, if it has not taken effect: none, as most
 * operations have but one.  An operation that takes effect before it returns has an answer
 * that nobody knows yet; its effect says which ones it may be.  That is the
 * pair of states before and after the step: when the answer is there, it is
 * right if the step could have been made with it.  Where all answers can be
 * listed the list of the right ones does instead, and forgets the past.
 *
 * Nothing takes effect before it has to: at the return of an operation that has
 * not, others that are open may go before it, in any order, and then it does.
 * Where the type is told of returns the others may go before the return, too,
 * after the operation has taken effect; unless the type would not notice it.
 * docs/how-checking-works.md argues that this is exact.
 *
 * Invariant: the rows of a set are sorted and distinct, so sets are equal
 * iff their words are.  A set's number is larger than that of the set it
 * was first made from: when an upheaval of the universe makes all states void,
 * sets are made again in the order of their numbers. */
#include "live_configurations.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "spec/stores/cells.h"
#include "universe.h"
#include <assert.h>
#include <string.h>

enum { NOT_YET, FIRST_EFFECT = PLUMB_MOST_STEPS };
enum { BEFORE, AFTER, EFFECT_WIDTH };
enum { POLL_ROWS = 1024 };

#define NO_EVENT UINT32_MAX /* of the set where everything begins */
#define RETURNS  UINT32_MAX /* in place of an effect: it is about to return */
#define LISTED   UINT32_MAX /* in place of the state after */

struct set {
    const uint32_t *word; /* the open operations, and then the rows */
    uint32_t open, rows;
    plumb_check_configuration_set
        parent; /* it is what this one became by `event` */
    uint32_t event;
};

struct words {
    uint32_t *word;
    size_t count, capacity;
};

/* What an event made of a set.  Key and value stand in the slot: almost every
 * event of an exploration is one look at it, and nothing else. */
struct transition {
    uint64_t key; /* set and event; 0 is a free slot */
    plumb_check_configuration_set next;
};

struct plumb_check_configurations {
    struct plumb_budget *budget;
    struct plumb_check_universe universe;
    uint32_t upheavals; /* of the universe that the space was opened in */
    bool open;          /* is it? */
    struct plumb_spec_space space;
    struct plumb_spec_cells effects;
    struct plumb_base_arena arena; /* the words of sets */
    struct set *set;
    size_t sets, set_capacity;
    struct plumb_base_index index;
    struct transition *past;
    size_t pasts, past_capacity; /* a power of two, or 0 */
    /* scratch */
    struct words made;            /* the set in the making */
    struct words work;            /* rows to go on from */
    struct words row;             /* the one at hand */
    struct plumb_base_index seen; /* of rows in `work` */
    size_t width;                 /* of those */
    struct plumb_spec_states next, probe;
    struct plumb_error err;
};

/* ---- words ---- */

static uint32_t *add_words(struct plumb_check_configurations *f,
                           struct words *w, size_t count)
{
    if (!PLUMB_GROW(f->budget, w->word, w->capacity, w->count + count + 1))
        return NULL;
    w->count += count;
    return w->word + w->count - count;
}

static int compare_rows(const uint32_t *a, const uint32_t *b, size_t width)
{
    for (size_t i = 0; i < width; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

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
            compare_rows(row + child * width, row + (child + 1) * width,
                         width) < 0)
            child++;
        if (compare_rows(row + at * width, row + child * width, width) >= 0)
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
        if (compare_rows(row + i * width, row + (kept - 1) * width, width) != 0)
            memmove(row + kept++ * width, row + i * width, width * sizeof *row);
    return kept;
}

/* ---- stepping ---- */

static const struct plumb_spec_action *action(
    const struct plumb_check_configurations *f, uint32_t number)
{
    return f->universe.bound.action + number;
}

static bool step(struct plumb_check_configurations *f, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    out->count = 0;
    return f->space.spec->type->step(&f->space, s, a, out);
}

static bool has_state(const struct plumb_spec_states *set, plumb_spec_state s)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->state[i] == s)
            return true;
    return false;
}

/* Which of the answers that can be listed lead from `before` to `after`? */
static bool list_right_answers(struct plumb_check_configurations *f,
                               uint32_t call, plumb_spec_state before,
                               plumb_spec_state after, uint32_t *right)
{
    static const plumb_spec_vid boolean[] = { PLUMB_VID_FALSE, PLUMB_VID_TRUE };
    const uint16_t answers = f->universe.entry[call].answers;
    struct plumb_spec_action a = *action(f, call);
    *right = 0;
    for (unsigned bit = 0; answers >> bit; bit++) {
        if (!(answers & 1u << bit))
            continue;
        const unsigned term = bit / 2;
        a.term = (uint8_t)term;
        a.nres = answers & plumb_check_answer_bit(term, true) ? 1 : 0;
        a.res = boolean + bit % 2;
        if (!step(f, before, &a, &f->probe))
            return false;
        if (has_state(&f->probe, after))
            *right |= 1u << bit;
    }
    return true;
}

/* The number of the effect that `call` had; UINT32_MAX when memory is used up.
 */
static uint32_t effect_of(struct plumb_check_configurations *f, uint32_t call,
                          plumb_spec_state before, plumb_spec_state after)
{
    uint32_t effect[EFFECT_WIDTH] = { before, after };
    if (f->universe.entry[call].answers) {
        effect[AFTER] = LISTED;
        if (!list_right_answers(f, call, before, after, &effect[BEFORE]))
            return UINT32_MAX;
    }
    const uint32_t number = plumb_spec_cells_intern(&f->effects, effect);
    return number == UINT32_MAX ? number : number + FIRST_EFFECT;
}

/* May an operation that had this effect give this answer? */
static bool explains(struct plumb_check_configurations *f, uint32_t effect,
                     uint32_t answer, bool *right)
{
    const uint32_t *const e =
        plumb_spec_cell(&f->effects, effect - FIRST_EFFECT);
    const struct plumb_spec_action *const a = action(f, answer);
    if (e[AFTER] == LISTED) {
        const bool value = a->nres && a->res[0] == PLUMB_VID_TRUE;
        *right = e[BEFORE] & plumb_check_answer_bit(a->term, value);
        return true;
    }
    if (!step(f, e[BEFORE], a, &f->probe))
        return false;
    *right = has_state(&f->probe, e[AFTER]);
    return true;
}

/* ---- calls ---- */

/* Where the operation of a thread stands among the open ones. */
static uint32_t place_of(const struct plumb_check_configurations *f,
                         const struct set *from, uint32_t call)
{
    const struct plumb_op *const op = f->universe.op;
    uint32_t at = 0;
    while (at < from->open && op[from->word[at]].thread < op[call].thread)
        at++;
    return at;
}

/* A row, or the list of open operations, with one more at `at`. */
static bool copy_with(struct plumb_check_configurations *f,
                      const uint32_t *from, size_t width, size_t at,
                      uint32_t word)
{
    uint32_t *const to = add_words(f, &f->made, width + 1);
    if (!to)
        return false;
    memcpy(to, from, at * sizeof *to);
    to[at] = word;
    memcpy(to + at + 1, from + at, (width - at) * sizeof *to);
    return true;
}

static bool make_plain_call(struct plumb_check_configurations *f,
                            const struct set *from, uint32_t call)
{
    const uint32_t at = place_of(f, from, call);
    const uint32_t *row = from->word + from->open;
    const size_t width = (size_t)from->open + 1;
    if (!copy_with(f, from->word, from->open, at, call))
        return false;
    for (uint32_t i = 0; i < from->rows; i++, row += width)
        if (!copy_with(f, row, width, (size_t)at + 1, NOT_YET))
            return false;
    return true;
}

/* ---- returns ---- */

/* One return of a set: the operation at `at` gives `answer`. */
struct returning {
    const struct set *from;
    uint32_t at, answer;
    size_t width; /* of rows before the return */
};

static bool copy_without(struct plumb_check_configurations *f,
                         const uint32_t *from, size_t width, size_t at)
{
    uint32_t *const to = add_words(f, &f->made, width - 1);
    if (!to)
        return false;
    memcpy(to, from, at * sizeof *to);
    memcpy(to + at, from + at + 1, (width - at - 1) * sizeof *to);
    return true;
}

static uint64_t hash_of_row(const void *context, uint32_t number)
{
    const struct plumb_check_configurations *const f = context;
    const uint32_t *const row = f->work.word + number * f->width;
    return plumb_base_hash_bytes(row, f->width * sizeof *row);
}

/* Go on from f->row, unless it was gone on from before. */
static bool go_on(struct plumb_check_configurations *f, size_t width)
{
    const uint32_t *const row = f->row.word;
    f->width = width;
    if (!plumb_base_index_room(&f->seen, hash_of_row, f))
        return false;
    struct plumb_base_probe p = plumb_base_index_probe(
        &f->seen, plumb_base_hash_bytes(row, width * sizeof *row));
    PLUMB_FOR_CANDIDATES(&f->seen, &p, n)
        if (compare_rows(f->work.word + n * width, row, width) == 0)
            return true;
    uint32_t *const to = add_words(f, &f->work, width);
    if (!to)
        return false;
    memcpy(to, row, width * sizeof *row);
    if (f->work.count / width >= UINT32_MAX - 1)
        return false;
    plumb_base_index_put(&f->seen, &p, (uint32_t)(f->work.count / width) - 1);
    return true;
}

/* How many steps has the operation at `at` to take before the last one? */
static unsigned steps_ahead(const struct plumb_check_configurations *f,
                            const struct returning *r, uint32_t at)
{
    const struct plumb_spec_action *const a = action(f, r->from->word[at]);
    const unsigned last = plumb_spec_steps(f->space.spec->type, a) - 1;
    assert(f->row.word[at + 1] <= last);
    return last - f->row.word[at + 1];
}

/* The operation takes effect in f->row, with its answer, and returns. */
static bool take_effect(struct plumb_check_configurations *f,
                        const struct returning *r)
{
    uint32_t *const row = f->row.word;
    const plumb_spec_state before = row[0];
    if (steps_ahead(f, r, r->at))
        return true;
    if (!step(f, before, action(f, r->answer), &f->next))
        return false;
    for (size_t i = 0; i < f->next.count; i++) {
        row[0] = f->next.state[i];
        if (!copy_without(f, row, r->width, (size_t)r->at + 1))
            return false;
    }
    row[0] = before;
    return true;
}

/* The open operation at `at` takes its next step in f->row: rows to go on from.
 * If it is the last one, it has taken effect. */
static bool overtake(struct plumb_check_configurations *f,
                     const struct returning *r, uint32_t at)
{
    const uint32_t call = r->from->word[at];
    uint32_t *const row = f->row.word;
    const plumb_spec_state before = row[0];
    const uint32_t taken = row[at + 1];
    struct plumb_spec_action a = *action(f, call);
    a.more = (uint8_t)steps_ahead(f, r, at);
    if (!step(f, before, &a, &f->next))
        return false;
    for (size_t i = 0; i < f->next.count; i++) {
        const plumb_spec_state after = f->next.state[i];
        const uint32_t now =
            a.more ? taken + 1 : effect_of(f, call, before, after);
        row[0] = after;
        row[at + 1] = now;
        if (now == UINT32_MAX || !go_on(f, r->width))
            return false;
    }
    row[0] = before;
    row[at + 1] = taken;
    return true;
}

/* May the operation at `at` go on before the one that returns does? */
static bool may_overtake(const struct plumb_check_configurations *f,
                         const struct returning *r, uint32_t at)
{
    return f->row.word[at + 1] < FIRST_EFFECT &&
           (at != r->at || steps_ahead(f, r, at));
}

/* Everything that may happen from the rows in f->work until the operation has
 * returned. */
static bool explore(struct plumb_check_configurations *f,
                    const struct returning *r)
{
    const size_t size = r->width * sizeof *f->row.word;
    for (size_t done = 0; done < f->work.count; done += r->width) {
        if (done / r->width % POLL_ROWS == POLL_ROWS - 1 &&
            plumb_budget_state(f->budget) != PLUMB_OK)
            return false;
        memcpy(f->row.word, f->work.word + done, size);
        if (!take_effect(f, r))
            return false;
        for (uint32_t i = 0; i < r->from->open; i++)
            if (may_overtake(f, r, i) && !overtake(f, r, i))
                return false;
    }
    return true;
}

static bool make_plain_return(struct plumb_check_configurations *f,
                              const struct set *from, uint32_t answer)
{
    const struct returning r = { .from = from,
                                 .at = place_of(f, from,
                                                f->universe.entry[answer].call),
                                 .answer = answer,
                                 .width = (size_t)from->open + 1 };
    const uint32_t *row = from->word + from->open;
    if (!add_words(f, &f->row, r.width) ||
        !copy_without(f, from->word, from->open, r.at))
        return false;
    for (uint32_t i = 0; i < from->rows; i++, row += r.width) {
        const uint32_t effect = row[r.at + 1];
        bool right = false;
        memcpy(f->row.word, row, r.width * sizeof *row);
        if (effect < FIRST_EFFECT ? !go_on(f, r.width)
                                  : !explains(f, effect, answer, &right))
            return false;
        if (right && !copy_without(f, row, r.width, (size_t)r.at + 1))
            return false;
    }
    return explore(f, &r);
}

/* ---- types that are told of calls and returns ---- */

/* f->row is about to return: the states that it leaves.  *noticed: does the
 * return change anything? */
static bool leave(struct plumb_check_configurations *f,
                  const struct returning *r, bool *noticed)
{
    const struct plumb_spec_type *const type = f->space.spec->type;
    uint32_t *const row = f->row.word;
    const plumb_spec_state before = row[0];
    f->next.count = 0;
    if (type->returned
            ? !type->returned(&f->space, before, action(f, r->answer), &f->next)
            : !plumb_spec_states_add(&f->next, before))
        return false;
    *noticed = !type->settles;
    for (size_t i = 0; i < f->next.count; i++) {
        row[0] = f->next.state[i];
        *noticed |= row[0] != before;
        if (!copy_without(f, row, r->width, (size_t)r->at + 1))
            return false;
    }
    row[0] = before;
    return true;
}

/* It takes effect in f->row, with its answer, and may stay for a while. */
static bool get_ready(struct plumb_check_configurations *f,
                      const struct returning *r)
{
    uint32_t *const row = f->row.word;
    const plumb_spec_state before = row[0];
    if (!step(f, before, action(f, r->answer), &f->next))
        return false;
    row[r->at + 1] = RETURNS;
    for (size_t i = 0; i < f->next.count; i++) {
        row[0] = f->next.state[i];
        if (!go_on(f, r->width))
            return false;
    }
    row[0] = before;
    row[r->at + 1] = NOT_YET;
    return true;
}

static bool overtake_all(struct plumb_check_configurations *f,
                         const struct returning *r)
{
    for (uint32_t i = 0; i < r->from->open; i++)
        if (i != r->at && f->row.word[i + 1] == NOT_YET && !overtake(f, r, i))
            return false;
    return true;
}

/* Row after row of f->work; the list grows as it goes. */
static bool next_row(struct plumb_check_configurations *f,
                     const struct returning *r, size_t *done)
{
    if (*done == f->work.count)
        return false;
    memcpy(f->row.word, f->work.word + *done, r->width * sizeof *f->row.word);
    *done += r->width;
    return true;
}

static bool in_time(const struct plumb_check_configurations *f,
                    const struct returning *r, size_t done)
{
    return done / r->width % POLL_ROWS != 0 ||
           plumb_budget_state(f->budget) == PLUMB_OK;
}

static bool explore_told(struct plumb_check_configurations *f,
                         const struct returning *r)
{
    size_t done = 0;
    while (next_row(f, r, &done)) {
        bool noticed = true;
        const bool returns = f->row.word[r->at + 1] == RETURNS;
        if (!in_time(f, r, done) ||
            (returns ? !leave(f, r, &noticed) : !get_ready(f, r)) ||
            (noticed && !overtake_all(f, r)))
            return false;
    }
    return true;
}

static bool make_told_return(struct plumb_check_configurations *f,
                             const struct set *from, uint32_t answer)
{
    const struct returning r = { .from = from,
                                 .at = place_of(f, from,
                                                f->universe.entry[answer].call),
                                 .answer = answer,
                                 .width = (size_t)from->open + 1 };
    const uint32_t *row = from->word + from->open;
    if (!add_words(f, &f->row, r.width) ||
        !copy_without(f, from->word, from->open, r.at))
        return false;
    for (uint32_t i = 0; i < from->rows; i++, row += r.width) {
        bool right = true;
        memcpy(f->row.word, row, r.width * sizeof *row);
        if (row[r.at + 1] != NOT_YET) {
            if (!explains(f, row[r.at + 1], answer, &right))
                return false;
            f->row.word[r.at + 1] = RETURNS;
        }
        if (right && !go_on(f, r.width))
            return false;
    }
    return explore_told(f, &r);
}

/* A row with one more open operation, whose call the type is told of. */
static bool add_called(struct plumb_check_configurations *f,
                       const struct returning *r, uint32_t call, uint32_t at)
{
    const struct plumb_spec_type *const type = f->space.spec->type;
    uint32_t *const row = f->row.word;
    const plumb_spec_state before = row[0];
    f->next.count = 0;
    if (!type->called(&f->space, before, action(f, call), &f->next))
        return false;
    for (size_t i = 0; i < f->next.count; i++) {
        row[0] = f->next.state[i];
        if (!copy_with(f, row, r->width, (size_t)at + 1, NOT_YET))
            return false;
    }
    row[0] = before;
    return true;
}

/* Before the call others may take effect, unless they may as well after it. */
static bool make_told_call(struct plumb_check_configurations *f,
                           const struct set *from, uint32_t call)
{
    const struct returning nobody = { .from = from,
                                      .at = UINT32_MAX,
                                      .width = (size_t)from->open + 1 };
    const bool settles = f->space.spec->type->settles;
    const uint32_t at = place_of(f, from, call);
    const uint32_t *row = from->word + from->open;
    size_t done = 0;
    if (!add_words(f, &f->row, nobody.width) ||
        !copy_with(f, from->word, from->open, at, call))
        return false;
    for (uint32_t i = 0; i < from->rows; i++, row += nobody.width) {
        memcpy(f->row.word, row, nobody.width * sizeof *row);
        if (!go_on(f, nobody.width))
            return false;
    }
    while (next_row(f, &nobody, &done))
        if (!in_time(f, &nobody, done) || !add_called(f, &nobody, call, at) ||
            (!settles && !overtake_all(f, &nobody)))
            return false;
    return true;
}

static bool make_call(struct plumb_check_configurations *f,
                      const struct set *from, uint32_t call)
{
    return f->space.spec->type->called ? make_told_call(f, from, call)
                                       : make_plain_call(f, from, call);
}

static bool make_return(struct plumb_check_configurations *f,
                        const struct set *from, uint32_t answer)
{
    return plumb_spec_is_told(f->space.spec->type)
               ? make_told_return(f, from, answer)
               : make_plain_return(f, from, answer);
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
                 struct set *made)
{
    *made = (struct set){ .parent = parent, .event = event };
    clear_scratch(f);
    if (event == NO_EVENT) {
        uint32_t *const row = add_words(f, &f->made, 1);
        if (row)
            row[0] = f->space.spec->type->initial(&f->space);
        made->rows = 1;
        return row && row[0] != PLUMB_NO_STATE;
    }
    const struct set *const from = f->set + parent;
    const bool calls = f->universe.entry[event].call == event;
    if (calls ? !make_call(f, from, event) : !make_return(f, from, event))
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
                    const struct set *there, const struct set *made)
{
    return there->open == made->open && there->rows == made->rows &&
           memcmp(there->word, f->made.word,
                  f->made.count * sizeof *f->made.word) == 0;
}

static uint64_t hash_of_set(const void *context, uint32_t number)
{
    const struct plumb_check_configurations *const f = context;
    const struct set *const x = f->set + number;
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
                                          struct set made)
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
    struct set made;
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
                 const struct set *from, uint32_t event)
{
    const struct plumb_op *const op = f->universe.op;
    const uint32_t call = f->universe.entry[event].call;
    const uint32_t at = place_of(f, from, call);
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
    struct set made;
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
    struct set made;
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
    const struct set *const x = f->set + set;
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
    const struct set *const a = &f->set[narrow], *const b = &f->set[wide];
    const size_t width = (size_t)a->open + 1;
    if (a->open != b->open || a->rows > b->rows ||
        memcmp(a->word, b->word, a->open * sizeof *a->word) != 0)
        return false;
    const uint32_t *row = a->word + a->open;
    const uint32_t *const end = row + a->rows * width;
    const uint32_t *other = b->word + b->open;
    const uint32_t *const last = other + b->rows * width;
    for (; row < end; row += width, other += width) {
        while (other < last && compare_rows(other, row, width) < 0)
            other += width;
        if (other == last || compare_rows(other, row, width) != 0)
            return false;
    }
    return true;
}
