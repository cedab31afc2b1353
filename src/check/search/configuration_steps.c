/* configuration_steps.c - what a call or a return makes of a set.
 *
 * Nothing takes effect before it has to: at the return of an operation that has
 * not, others that are open may go before it, in any order, and then it does.
 * Where the type is told of returns the others may go before the return, too,
 * after the operation has taken effect; unless the type would not notice it.
 * docs/how-checking-works.md argues that this is exact. */
#include "configuration_rows.h"

#include "base/hash.h"
#include <assert.h>
#include <string.h>

enum { POLL_ROWS = 1024 };

#define RETURNS UINT32_MAX /* in place of an effect: it is about to return */
#define LISTED  UINT32_MAX /* in place of the state after */

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

/* A row, or the list of open operations, with one more at `at`. */
static bool copy_with(struct plumb_check_configurations *f,
                      const uint32_t *from, size_t width, size_t at,
                      uint32_t word)
{
    uint32_t *const to = plumb_check_rows_add(f, &f->made, width + 1);
    if (!to)
        return false;
    memcpy(to, from, at * sizeof *to);
    to[at] = word;
    memcpy(to + at + 1, from + at, (width - at) * sizeof *to);
    return true;
}

static bool make_plain_call(struct plumb_check_configurations *f,
                            const struct configuration_set *from, uint32_t call)
{
    const uint32_t at = plumb_check_rows_place(f, from, call);
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
    const struct configuration_set *from;
    uint32_t at, answer;
    size_t width; /* of rows before the return */
};

static bool copy_without(struct plumb_check_configurations *f,
                         const uint32_t *from, size_t width, size_t at)
{
    uint32_t *const to = plumb_check_rows_add(f, &f->made, width - 1);
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
        if (plumb_check_rows_compare(f->work.word + n * width, row, width) == 0)
            return true;
    uint32_t *const to = plumb_check_rows_add(f, &f->work, width);
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
                              const struct configuration_set *from,
                              uint32_t answer)
{
    const struct returning r = { .from = from,
                                 .at = plumb_check_rows_place(
                                     f, from, f->universe.entry[answer].call),
                                 .answer = answer,
                                 .width = (size_t)from->open + 1 };
    const uint32_t *row = from->word + from->open;
    if (!plumb_check_rows_add(f, &f->row, r.width) ||
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
                             const struct configuration_set *from,
                             uint32_t answer)
{
    const struct returning r = { .from = from,
                                 .at = plumb_check_rows_place(
                                     f, from, f->universe.entry[answer].call),
                                 .answer = answer,
                                 .width = (size_t)from->open + 1 };
    const uint32_t *row = from->word + from->open;
    if (!plumb_check_rows_add(f, &f->row, r.width) ||
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
                           const struct configuration_set *from, uint32_t call)
{
    const struct returning nobody = { .from = from,
                                      .at = UINT32_MAX,
                                      .width = (size_t)from->open + 1 };
    const bool settles = f->space.spec->type->settles;
    const uint32_t at = plumb_check_rows_place(f, from, call);
    const uint32_t *row = from->word + from->open;
    size_t done = 0;
    if (!plumb_check_rows_add(f, &f->row, nobody.width) ||
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

bool plumb_check_rows_call(struct plumb_check_configurations *f,
                           const struct configuration_set *from, uint32_t call)
{
    return f->space.spec->type->called ? make_told_call(f, from, call)
                                       : make_plain_call(f, from, call);
}

bool plumb_check_rows_return(struct plumb_check_configurations *f,
                             const struct configuration_set *from,
                             uint32_t answer)
{
    return plumb_spec_is_told(f->space.spec->type)
               ? make_told_return(f, from, answer)
               : make_plain_return(f, from, answer);
}
