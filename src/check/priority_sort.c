/* priority_sort.c - operations by priority and item, and their gaps.
 *
 * Words are small numbers in the order of values, so that counting sorts: once
 * by priority, and before that by the second word if there are pairs. */
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

static uint32_t class_of(const struct plumb_priority *p,
                         const struct plumb_tape_op *o)
{
    const uint32_t last = p->classes - 1;
    if (o->term == PLUMB_TERM_EMPTY)
        return last;
    const uint32_t place = place_of(o->word[0]);
    return p->largest_first ? last - 1 - place : place;
}

uint32_t plumb_priority_class_of(const struct plumb_priority *p, uint32_t op)
{
    return class_of(p, p->tape->op + op);
}

/* Within a class: 0 for what is no pair. */
static uint32_t second_of(const struct plumb_tape_op *o)
{
    return is_pair(o) ? place_of(o->word[1]) + 1 : 0;
}

/* Pending reads never matter, and pending removals are thieves. */
static bool is_sorted(const struct plumb_tape_op *o)
{
    return o->role == PLUMB_ROLE_ADD || !plumb_tape_is_pending(o);
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

/* Of one item: what adds it, what peeks at it, what removes it. */
static uint32_t step_of(const struct plumb_tape_op *o)
{
    return o->role == PLUMB_ROLE_ADD ? 0 : o->role == PLUMB_ROLE_PEEK ? 1 : 2;
}

/* All that are sorted, by their steps; how many they are. */
static uint32_t list_by_step(const struct plumb_tape *tape, uint32_t *to,
                             bool *pairs)
{
    uint32_t at[4] = { 0 };
    *pairs = false;
    for (uint32_t i = 0; i < tape->count; i++)
        if (is_sorted(tape->op + i)) {
            at[step_of(tape->op + i)]++;
            *pairs |= is_pair(tape->op + i);
        }
    add_up(at, 4);
    for (uint32_t i = 0; i < tape->count; i++)
        if (is_sorted(tape->op + i))
            to[at[step_of(tape->op + i)]++] = i;
    return at[3];
}

/* These sorts are stable. */
static bool sort_by_second(struct plumb_priority *p, const uint32_t *from,
                           uint32_t n, uint32_t *to)
{
    const struct plumb_tape_op *const op = p->tape->op;
    const uint32_t keys = p->tape->values + 2;
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

static void sort_by_class(struct plumb_priority *p, const uint32_t *from,
                          uint32_t n, uint32_t *to)
{
    const struct plumb_tape_op *const op = p->tape->op;
    uint32_t *const start = p->start;
    for (uint32_t i = 0; i < n; i++)
        start[class_of(p, op + from[i])]++;
    add_up(start, p->classes + 1);
    for (uint32_t i = 0; i < n; i++)
        to[start[class_of(p, op + from[i])]++] = from[i];
    memmove(start + 1, start, p->classes * sizeof *start);
    start[0] = 0;
}

/* `room` is for as many operations as p->sorted; one of the two is where they
 * are in the end, and the other one is free. */
bool plumb_priority_sort(struct plumb_priority *p, uint32_t **room)
{
    p->classes = p->tape->values + 2;
    p->start = plumb_arena_zeroed(p->m->scratch,
                                  ((size_t)p->classes + 1) * sizeof *p->start);
    if (!p->start)
        return false;
    bool pairs;
    uint32_t *from = *room, *to = p->sorted;
    const uint32_t n = list_by_step(p->tape, from, &pairs);
    if (pairs) {
        if (!sort_by_second(p, from, n, to))
            return false;
        from = p->sorted;
        to = *room;
    }
    sort_by_class(p, from, n, to);
    p->sorted = to;
    *room = from;
    return true;
}

/* ---- gaps ---- */

static void add_thief(struct plumb_priority *p, uint32_t op)
{
    p->thief[p->thieves++] =
        (struct plumb_thief){ op, p->span[op].first, PLUMB_NO_OP };
}

/* Removals that have not returned by the cut; where it is made use of what they
 * return later, those that never do. */
static void find_thieves(struct plumb_priority *p)
{
    p->thieves = p->busy = 0;
    for (uint32_t i = 0; i < p->tape->count; i++) {
        const struct plumb_tape_op *const o = p->tape->op + i;
        if (p->span[i].first == PLUMB_NEVER)
            return;
        if (o->role == PLUMB_ROLE_REMOVE && p->span[i].last == PLUMB_NEVER &&
            (!p->known || plumb_tape_is_pending(o)))
            add_thief(p, i);
    }
}

/* Look at the first so many events only. */
void plumb_priority_cut(struct plumb_priority *p, uint32_t events)
{
    const struct plumb_tape *const tape = p->tape;
    uint32_t gap = 0;
    bool called = false;
    memset(p->span, 0xff, tape->count * sizeof *p->span);
    for (uint32_t i = 0; i < events; i++) {
        const bool returns = plumb_tape_is_return(tape->event[i]);
        struct plumb_span *const s = p->span + tape->event[i] / 2;
        gap += called && returns;
        called = !returns;
        if (returns)
            s->last = gap - 1;
        else
            s->first = gap;
    }
    p->gaps = gap + 1;
    find_thieves(p);
}
