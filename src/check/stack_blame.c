/* stack_blame.c - a small part of a stack's history that is a violation.
 *
 * Leaving out all operations of a value, or a peek, keeps a linearizable
 * history so.  So whatever is still a violation after that is one reason.  With
 * an operation that found nothing, the reason is a row of values such that one
 * of them was inside at any time of it.  Otherwise it is among the values that
 * could not be peeled: one after the other is found without which what came
 * before it is no violation.  Pending pops stay: they may have taken anything. */
#include "check/stack_blame.h"

#include "base/memory.h"
#include <string.h>

enum { MOST_FOUND = 24 };

/* Operations are in groups that stay or go together. */
struct blaming {
    const struct plumb_tape *tape;
    struct plumb_budget *budget;
    struct plumb_arena *arena;
    uint32_t *group; /* by operation; ALWAYS: it stays */
    bool *stays;     /* by group */
    bool *keep;      /* by operation */
    uint32_t groups;
};

#define ALWAYS UINT32_MAX

static bool is_violation(struct blaming *b)
{
    struct plumb_stack_part part;
    const struct plumb_stack_cut cut = { .keep = b->keep,
                                         .rank = PLUMB_NEVER,
                                         .doubted = PLUMB_NO_OP };
    for (uint32_t i = 0; i < b->tape->count; i++)
        b->keep[i] = b->group[i] == ALWAYS || b->stays[b->group[i]];
    const bool found =
        plumb_stack_part_make(&part, b->tape, &cut, b->budget) &&
        plumb_stack_decide(&part.tape, b->budget) == PLUMB_NOT_LINEARIZABLE;
    plumb_stack_part_release(&part);
    return found;
}

/* ---- as few groups as possible ---- */

static bool is_violation_with(struct blaming *b, const uint32_t *list,
                              uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        b->stays[list[i]] = true;
    const bool found = is_violation(b);
    for (uint32_t i = 0; i < count; i++)
        b->stays[list[i]] = false;
    return found;
}

/* All of the list together with what stays is a violation; how much of its
 * beginning is enough?  Doubling first: often it is little. */
static uint32_t enough(struct blaming *b, const uint32_t *list, uint32_t count)
{
    uint32_t low = 0, high = 1; /* low is not enough */
    while (high < count && !is_violation_with(b, list, high)) {
        low = high;
        high *= 2;
    }
    if (high > count)
        high = count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (is_violation_with(b, list, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void reverse(uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint32_t other = list[i];
        list[i] = list[count - 1 - i];
        list[count - 1 - i] = other;
    }
}

/* The last of what is enough is needed: it stays, and the rest is searched in
 * the other direction, for what is close to it. */
static void reduce(struct blaming *b, uint32_t *list, uint32_t count)
{
    uint32_t found = 0;
    while (count && !is_violation(b)) {
        if (found++ == MOST_FOUND || plumb_budget_is_tight(b->budget))
            break;
        const uint32_t needed = enough(b, list, count);
        b->stays[list[needed - 1]] = true;
        count = needed - 1;
        reverse(list, count);
    }
    if (count && !is_violation(b))
        for (uint32_t i = 0; i < count; i++)
            b->stays[list[i]] = true;
}

/* ---- what an operation met that found nothing ---- */

struct stay {
    uint32_t from, to; /* surely inside: ranks of a return and of a call */
};

/* When was each value surely inside?  NULL when memory is used up. */
static struct stay *find_stays(const struct blaming *b)
{
    const struct plumb_tape *const tape = b->tape;
    const size_t slots = (size_t)tape->values + 1;
    struct stay *const stay = plumb_arena_alloc(b->arena, slots * sizeof *stay);
    bool *const popped = plumb_arena_zeroed(b->arena, slots * sizeof *popped);
    if (!stay || !popped)
        return NULL;
    for (size_t v = 0; v < slots; v++)
        stay[v] = (struct stay){ PLUMB_NEVER, 0 };
    for (uint32_t i = 0; i < tape->count; i++) {
        const struct plumb_tape_op *const o = &tape->op[i];
        if (!plumb_stack_has_value(o))
            continue;
        const uint32_t v = plumb_stack_slot(tape, o->word[0]);
        if (o->ret < stay[v].from)
            stay[v].from = o->ret;
        if (o->role != PLUMB_ROLE_ADD && o->call > stay[v].to)
            stay[v].to = o->call;
        popped[v] |= o->role == PLUMB_ROLE_REMOVE;
    }
    for (size_t v = 0; v < slots; v++)
        if (!popped[v])
            stay[v].to = PLUMB_NEVER;
    return stay;
}

/* Of those inside at `time`, the one that stays longest; ALWAYS if none is. */
static uint32_t longest(const struct blaming *b, const struct stay *stay,
                        uint32_t time)
{
    uint32_t best = ALWAYS;
    for (uint32_t v = 0; v <= b->tape->values; v++)
        if (stay[v].from <= time && stay[v].to > time &&
            (best == ALWAYS || stay[v].to > stay[best].to))
            best = v;
    return best;
}

/* Values in a row over operation `empty`, each the longest; false if it takes
 * many, or memory is used up. */
static bool cover_empty(struct blaming *b, uint32_t empty)
{
    const struct plumb_tape_op *const o = &b->tape->op[empty];
    const struct stay *const stay = find_stays(b);
    uint32_t time = o->call;
    for (uint32_t k = 0; stay && k < MOST_FOUND; k++) {
        const uint32_t v = longest(b, stay, time);
        if (v == ALWAYS)
            return false;
        b->stays[v] = true;
        time = stay[v].to;
        if (time >= o->ret)
            return true;
    }
    return false;
}

/* The first to return of those that found nothing and have no point. */
static uint32_t first_empty(const struct plumb_stack *s)
{
    const struct plumb_tape *const tape = s->tape;
    uint32_t first = PLUMB_NO_OP;
    for (uint32_t i = 0; s->stuck && i < tape->count; i++)
        if (tape->op[i].term == PLUMB_TERM_EMPTY &&
            s->ends.level[0][i] == PLUMB_REACHES_NONE &&
            (first == PLUMB_NO_OP || tape->op[i].ret < tape->op[first].ret))
            first = i;
    return first;
}

/* ---- groups ---- */

static bool make_groups(struct blaming *b, const struct plumb_tape *tape,
                        uint32_t groups)
{
    const size_t count = tape->count;
    b->tape = tape;
    b->groups = groups;
    b->group = plumb_arena_alloc(b->arena, count * sizeof *b->group);
    b->keep = plumb_arena_zeroed(b->arena, count * sizeof *b->keep);
    b->stays = plumb_arena_zeroed(b->arena, groups * sizeof *b->stays);
    return b->group && b->keep && b->stays;
}

/* A group for each value, and one for all that found nothing but `empty`. */
static bool group_by_value(struct blaming *b, const struct plumb_tape *tape,
                           uint32_t empty)
{
    if (!make_groups(b, tape, tape->values + 2))
        return false;
    for (uint32_t i = 0; i < tape->count; i++) {
        const struct plumb_tape_op *const o = &tape->op[i];
        if (i == empty || plumb_stack_is_taker(o))
            b->group[i] = ALWAYS;
        else if (plumb_stack_has_value(o))
            b->group[i] = plumb_stack_slot(tape, o->word[0]);
        else
            b->group[i] = tape->values + 1;
    }
    return true;
}

/* The values that `among` has, in the order in which they were last heard of;
 * `among` is emptied. */
static uint32_t list_values(const struct blaming *b, bool *among,
                            uint32_t *list)
{
    const struct plumb_tape *const tape = b->tape;
    uint32_t count = 0;
    for (uint32_t e = tape->events; e-- > 0;) {
        const uint32_t v = b->group[tape->event[e] / 2];
        if (v == ALWAYS || !among[v])
            continue;
        among[v] = false;
        list[count++] = v;
    }
    reverse(list, count);
    return count;
}

/* Of the values in b->stays as few as possible. */
static bool reduce_values(struct blaming *b)
{
    uint32_t *const list =
        plumb_arena_alloc(b->arena, b->groups * sizeof *list);
    if (!list)
        return false;
    reduce(b, list, list_values(b, b->stays, list));
    return true;
}

/* Then of the peeks, each of which is a group now. */
static bool reduce_peeks(struct blaming *b)
{
    const struct plumb_tape *const tape = b->tape;
    uint32_t *const list =
        plumb_arena_alloc(b->arena, tape->count * sizeof *list);
    uint32_t count = 0;
    bool *const keep = b->keep;
    if (!list || !make_groups(b, tape, tape->count + 1))
        return false;
    for (uint32_t i = 0; i < tape->count; i++) {
        const bool is_peek = tape->op[i].role == PLUMB_ROLE_PEEK &&
                             tape->op[i].term == PLUMB_TERM_OK;
        b->group[i] = !keep[i] ? tape->count : is_peek ? i : ALWAYS;
        if (keep[i] && is_peek)
            list[count++] = i;
    }
    reduce(b, list, count);
    return true;
}

/* ---- together ---- */

/* Which values to begin with: false to begin with all. */
static bool suspect(struct blaming *b, const struct plumb_stack *s,
                    uint32_t empty)
{
    if (empty != PLUMB_NO_OP)
        return cover_empty(b, empty) && is_violation(b);
    for (uint32_t v = 0; v < s->slots; v++)
        b->stays[v] = s->value[v].left > 0;
    return true;
}

static bool find_blame(struct blaming *b, const struct plumb_stack *s)
{
    const uint32_t empty = first_empty(s);
    if (!group_by_value(b, s->tape, empty))
        return false;
    if (!suspect(b, s, empty))
        memset(b->stays, true, b->groups * sizeof *b->stays);
    if (!reduce_values(b))
        return false;
    is_violation(b); /* says which operations these are */
    if (!reduce_peeks(b))
        return false;
    is_violation(b);
    return true;
}

/* Pending pops that were called after all others had returned do not matter. */
static void drop_late_takers(const struct plumb_tape *tape, bool *blamed)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < tape->count; i++)
        if (blamed[i] && !plumb_tape_is_pending(&tape->op[i]) &&
            tape->op[i].ret > end)
            end = tape->op[i].ret;
    for (uint32_t i = 0; i < tape->count; i++)
        if (tape->op[i].call > end)
            blamed[i] = false;
}

static bool report(struct plumb_monitoring *m, bool *blamed)
{
    const struct plumb_tape *const tape = m->tape;
    drop_late_takers(tape, blamed);
    m->blames = 0;
    for (uint32_t i = 0; i < tape->count; i++)
        m->blames += blamed[i];
    m->blame = plumb_arena_alloc(m->arena, m->blames * sizeof *m->blame);
    if (!m->blame)
        return false;
    m->blames = 0;
    for (uint32_t i = 0; i < tape->count; i++)
        if (blamed[i])
            m->blame[m->blames++] = i;
    return true;
}

bool *plumb_stack_blame(struct plumb_monitoring *m, const struct plumb_stack *s)
{
    struct blaming b = { .budget = m->budget, .arena = m->scratch };
    if (!find_blame(&b, s) || !report(m, b.keep))
        return NULL;
    return b.keep;
}
