/* priority_sort.c - operations by priority, item, and what they do to it.
 *
 * Words are small numbers in the order of values, so that counting sorts, from
 * the last key to the first: by step, by the second word if there are pairs,
 * and by tier. */
#include "base/pace.h"
#include "priority.h"

#include <string.h>

static bool is_pair(const struct plumb_check_input_op *o)
{
    return o->nargs + o->nres > 1;
}

/* nil is the smallest value. */
static uint32_t place_of(uint32_t word)
{
    return word == PLUMB_NIL_WORD ? 0 : word + 1;
}

static uint32_t tier_of(const struct plumb_check_priority *p,
                        const struct plumb_check_input_op *o)
{
    if (o->role != PLUMB_ROLE_ADD && o->term != PLUMB_TERM_OK)
        return o->term == PLUMB_TERM_EMPTY ? p->nothing : p->pending;
    const uint32_t place = place_of(o->word[0]);
    return p->largest_first ? p->nothing - 1 - place : place;
}

/* Within a tier: 0 for what is no pair. */
static uint32_t second_of(const struct plumb_check_input_op *o)
{
    return is_pair(o) ? place_of(o->word[1]) + 1 : 0;
}

static enum plumb_check_priority_step step_of(
    const struct plumb_check_input_op *o)
{
    return o->role == PLUMB_ROLE_ADD    ? PLUMB_STEP_ADD
           : o->role == PLUMB_ROLE_PEEK ? PLUMB_STEP_PEEK
                                        : PLUMB_STEP_REMOVE;
}

static bool in_time(const struct plumb_check_priority *p, uint32_t i)
{
    return plumb_base_in_time(p->m->budget, i);
}

/* From counts to where each begins. */
static bool add_up(const struct plumb_check_priority *p, uint32_t *count,
                   uint32_t keys)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < keys; i++) {
        const uint32_t here = count[i];
        if (!in_time(p, i))
            return false;
        count[i] = sum;
        sum += here;
    }
    return true;
}

/* All operations; are there pairs? */
static bool list_by_step(const struct plumb_check_priority *p, uint32_t *to,
                         bool *pairs)
{
    const struct plumb_check_input *const input = p->input;
    uint32_t at[PLUMB_STEP_REMOVE + 1] = { 0 };
    *pairs = false;
    for (uint32_t i = 0; i < input->count; i++) {
        if (!in_time(p, i))
            return false;
        at[step_of(input->op + i)]++;
        *pairs |= is_pair(input->op + i);
    }
    if (!add_up(p, at, PLUMB_STEP_REMOVE + 1))
        return false;
    for (uint32_t i = 0; i < input->count; i++) {
        if (!in_time(p, i))
            return false;
        to[at[step_of(input->op + i)]++] = i;
    }
    return true;
}

/* These sorts are stable. */
static bool sort_by_second(struct plumb_check_priority *p, const uint32_t *from,
                           uint32_t *to)
{
    const struct plumb_check_input_op *const op = p->input->op;
    const uint32_t n = p->input->count, keys = p->input->values + 2;
    uint32_t *const at =
        plumb_base_arena_zeroed(p->m->scratch, (size_t)keys * sizeof *at);
    if (!at)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!in_time(p, i))
            return false;
        at[second_of(op + from[i])]++;
    }
    if (!add_up(p, at, keys))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!in_time(p, i))
            return false;
        to[at[second_of(op + from[i])]++] = from[i];
    }
    return true;
}

static bool sort_by_tier(struct plumb_check_priority *p, const uint32_t *from,
                         uint32_t *to)
{
    const struct plumb_check_input_op *const op = p->input->op;
    const uint32_t n = p->input->count;
    uint32_t *const start = p->start;
    for (uint32_t i = 0; i < n; i++) {
        if (!in_time(p, i))
            return false;
        start[tier_of(p, op + from[i])]++;
    }
    if (!add_up(p, start, p->tiers + 1))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!in_time(p, i))
            return false;
        const struct plumb_check_input_op *const o = op + from[i];
        const uint32_t slot = start[tier_of(p, o)]++;
        to[slot] = from[i];
        p->step[slot] = (uint8_t)step_of(o);
    }
    memmove(start + 1, start, p->tiers * sizeof *start);
    start[0] = 0;
    return true;
}

static bool is_same_item(const struct plumb_check_input_op *a,
                         const struct plumb_check_input_op *b)
{
    return second_of(a) == second_of(b);
}

/* Each tier begins with an item, and has others only if there are pairs. */
static bool mark_items(struct plumb_check_priority *p, bool pairs)
{
    const struct plumb_check_input_op *const op = p->input->op;
    for (uint32_t c = 0; c < p->nothing; c++) {
        if (!in_time(p, c))
            return false;
        if (p->start[c] < p->start[c + 1])
            p->step[p->start[c]] |= PLUMB_STEP_BEGINS;
    }
    for (uint32_t i = 1; pairs && i < p->start[p->nothing]; i++) {
        if (!in_time(p, i))
            return false;
        if (!is_same_item(op + p->sorted[i - 1], op + p->sorted[i]))
            p->step[i] |= PLUMB_STEP_BEGINS;
    }
    return true;
}

/* p->sorted and p->place serve as room, and may change places. */
bool plumb_check_priority_sort(struct plumb_check_priority *p)
{
    p->nothing = p->input->values + 1;
    p->pending = p->nothing + 1;
    p->tiers = p->pending + 1;
    p->start = plumb_base_arena_zeroed(p->m->scratch, ((size_t)p->tiers + 1) *
                                                          sizeof *p->start);
    if (!p->start)
        return false;
    uint32_t *from = p->place, *to = p->sorted;
    bool pairs;
    if (!list_by_step(p, from, &pairs))
        return false;
    if (pairs) {
        if (!sort_by_second(p, from, to))
            return false;
        from = p->sorted;
        to = p->place;
    }
    if (!sort_by_tier(p, from, to))
        return false;
    p->sorted = to;
    p->place = from;
    return mark_items(p, pairs);
}
