/* priority_sort.c - operations by priority, item, and what they do to it.
 *
 * Words are small numbers in the order of values, so that counting sorts, from
 * the last key to the first: by step, by the second word if there are pairs,
 * and by tier. */
#include "check/priority.h"

#include <string.h>

static bool is_pair(const struct plumb_tape_op *o)
{
    return o->nargs + o->nres > 1;
}

/* nil is the smallest value. */
static uint32_t place_of(uint32_t word)
{
    return word == PLUMB_NIL_WORD ? 0 : word + 1;
}

static uint32_t tier_of(const struct plumb_priority *p,
                        const struct plumb_tape_op *o)
{
    if (o->role != PLUMB_ROLE_ADD && o->term != PLUMB_TERM_OK)
        return o->term == PLUMB_TERM_EMPTY ? p->nothing : p->pending;
    const uint32_t place = place_of(o->word[0]);
    return p->largest_first ? p->nothing - 1 - place : place;
}

/* Within a tier: 0 for what is no pair. */
static uint32_t second_of(const struct plumb_tape_op *o)
{
    return is_pair(o) ? place_of(o->word[1]) + 1 : 0;
}

static enum plumb_step step_of(const struct plumb_tape_op *o)
{
    return o->role == PLUMB_ROLE_ADD    ? PLUMB_STEP_ADD
           : o->role == PLUMB_ROLE_PEEK ? PLUMB_STEP_PEEK
                                        : PLUMB_STEP_REMOVE;
}

/* From counts to where each begins. */
static void add_up(uint32_t *count, uint32_t keys)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < keys; i++) {
        const uint32_t here = count[i];
        count[i] = sum;
        sum += here;
    }
}

/* All operations; are there pairs? */
static bool list_by_step(const struct plumb_tape *tape, uint32_t *to)
{
    uint32_t at[PLUMB_STEP_REMOVE + 1] = { 0 };
    bool pairs = false;
    for (uint32_t i = 0; i < tape->count; i++) {
        at[step_of(tape->op + i)]++;
        pairs |= is_pair(tape->op + i);
    }
    add_up(at, PLUMB_STEP_REMOVE + 1);
    for (uint32_t i = 0; i < tape->count; i++)
        to[at[step_of(tape->op + i)]++] = i;
    return pairs;
}

/* These sorts are stable. */
static bool sort_by_second(struct plumb_priority *p, const uint32_t *from,
                           uint32_t *to)
{
    const struct plumb_tape_op *const op = p->tape->op;
    const uint32_t n = p->tape->count, keys = p->tape->values + 2;
    uint32_t *const at =
        plumb_arena_zeroed(p->m->scratch, (size_t)keys * sizeof *at);
    if (!at)
        return false;
    for (uint32_t i = 0; i < n; i++)
        at[second_of(op + from[i])]++;
    add_up(at, keys);
    for (uint32_t i = 0; i < n; i++)
        to[at[second_of(op + from[i])]++] = from[i];
    return true;
}

static void sort_by_tier(struct plumb_priority *p, const uint32_t *from,
                         uint32_t *to)
{
    const struct plumb_tape_op *const op = p->tape->op;
    const uint32_t n = p->tape->count;
    uint32_t *const start = p->start;
    for (uint32_t i = 0; i < n; i++)
        start[tier_of(p, op + from[i])]++;
    add_up(start, p->tiers + 1);
    for (uint32_t i = 0; i < n; i++) {
        const struct plumb_tape_op *const o = op + from[i];
        const uint32_t slot = start[tier_of(p, o)]++;
        to[slot] = from[i];
        p->step[slot] = (uint8_t)step_of(o);
    }
    memmove(start + 1, start, p->tiers * sizeof *start);
    start[0] = 0;
}

static bool is_same_item(const struct plumb_tape_op *a,
                         const struct plumb_tape_op *b)
{
    return second_of(a) == second_of(b);
}

/* Each tier begins with an item, and has others only if there are pairs. */
static void mark_items(struct plumb_priority *p, bool pairs)
{
    const struct plumb_tape_op *const op = p->tape->op;
    for (uint32_t c = 0; c < p->nothing; c++)
        if (p->start[c] < p->start[c + 1])
            p->step[p->start[c]] |= PLUMB_STEP_BEGINS;
    for (uint32_t i = 1; pairs && i < p->start[p->nothing]; i++)
        if (!is_same_item(op + p->sorted[i - 1], op + p->sorted[i]))
            p->step[i] |= PLUMB_STEP_BEGINS;
}

/* p->sorted and p->place serve as room, and may change places. */
bool plumb_priority_sort(struct plumb_priority *p)
{
    p->nothing = p->tape->values + 1;
    p->pending = p->nothing + 1;
    p->tiers = p->pending + 1;
    p->start = plumb_arena_zeroed(p->m->scratch,
                                  ((size_t)p->tiers + 1) * sizeof *p->start);
    if (!p->start)
        return false;
    uint32_t *from = p->place, *to = p->sorted;
    const bool pairs = list_by_step(p->tape, from);
    if (pairs) {
        if (!sort_by_second(p, from, to))
            return false;
        from = p->sorted;
        to = p->place;
    }
    sort_by_tier(p, from, to);
    p->sorted = to;
    p->place = from;
    mark_items(p, pairs);
    return true;
}
