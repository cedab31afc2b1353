/* stack_blame.c - a small part of a stack's history that is a violation.
 *
 * Leaving out all operations of a value, or one that reads, keeps a linearizable
 * history so.  So whatever is still a violation after that is one reason.  It is
 * searched among a few suspects, or else among all: one after the other is found
 * without which what came before it is no violation.  Pending pops stay: they
 * may have taken anything. */
#include "stack_part.h"

#include "base/memory.h"
#include "base/pace.h"
#include "base/sort.h"
#include "check/keyed/keyed.h"
#include "stack_peel.h"

enum { MOST_FOUND = 24 };

/* Operations are in groups that stay or go together. */
struct blaming {
    const struct plumb_check_input *input;
    struct plumb_budget *budget;
    struct plumb_base_arena *arena;
    uint32_t *group; /* by operation; ALWAYS: it stays; GONE: it is out */
    bool *stays;     /* by group; at first by value */
    bool *keep;      /* by operation */
};

#define ALWAYS UINT32_MAX
#define GONE   (UINT32_MAX - 1)

static bool is_violation(struct blaming *b)
{
    struct plumb_check_stack_part part;
    const struct plumb_check_stack_cut cut = { .keep = b->keep,
                                               .rank = PLUMB_NEVER,
                                               .doubted = PLUMB_NO_OP };
    if (plumb_budget_state(b->budget) != PLUMB_OK)
        return false;
    for (uint32_t i = 0; i < b->input->count; i++)
        b->keep[i] = b->group[i] == ALWAYS ||
                     (b->group[i] != GONE && b->stays[b->group[i]]);
    const bool found =
        plumb_check_stack_part_make(&part, b->input, &cut, b->budget) &&
        plumb_check_stack_decide(&part.input, b->budget) ==
            PLUMB_NOT_LINEARIZABLE;
    plumb_check_stack_part_release(&part);
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

/* The last of what is enough is needed: it stays, and the rest is searched in
 * the other direction, for what is close to it. */
static void reduce(struct blaming *b, uint32_t *list, uint32_t count)
{
    uint32_t found = 0;
    while (count && !is_violation(b)) {
        if (found++ == MOST_FOUND || plumb_base_budget_is_tight(b->budget))
            break;
        const uint32_t needed = enough(b, list, count);
        b->stays[list[needed - 1]] = true;
        count = needed - 1;
        plumb_base_reverse(list, count);
    }
    if (count && !is_violation(b))
        for (uint32_t i = 0; i < count; i++)
            b->stays[list[i]] = true;
}

/* ---- suspects ---- */

enum suspicion { FEW, ALL_LEFT, ALL };

/* Marks values. */
static void suspect(struct blaming *b, const struct plumb_check_stack *s,
                    uint32_t empty, enum suspicion how)
{
    for (uint32_t v = 0; v < s->slots; v++)
        b->stays[v] = how == ALL || (how == ALL_LEFT && s->value[v].left > 0);
    if (how == FEW)
        plumb_check_stack_suspect(s, empty, b->arena, b->stays);
}

/* b->keep: the operations of suspects. */
static bool keep_suspects(struct blaming *b, uint32_t empty, enum suspicion how)
{
    const struct plumb_check_input *const input = b->input;
    for (uint32_t i = 0; i < input->count; i++) {
        const struct plumb_check_input_op *const o = &input->op[i];
        if (!plumb_base_in_time(b->budget, i))
            return false;
        if (i == empty || plumb_check_stack_is_taker(o))
            b->keep[i] = true;
        else if (plumb_check_stack_has_value(o))
            b->keep[i] = b->stays[plumb_check_stack_slot(input, o->word[0])];
        else
            b->keep[i] = how == ALL;
    }
    return true;
}

static bool make_part(struct blaming *b, struct plumb_check_stack_part *part)
{
    const struct plumb_check_stack_cut cut = { .keep = b->keep,
                                               .rank = PLUMB_NEVER,
                                               .doubted = PLUMB_NO_OP };
    return plumb_check_stack_part_make(part, b->input, &cut, b->budget);
}

/* The part that is to be reduced.  Few suspects are enough unless pending pops
 * may have taken some; all that are left, unless something found nothing. */
static bool find_suspects(struct blaming *b, const struct plumb_check_stack *s,
                          struct plumb_check_stack_part *part)
{
    const uint32_t empty = plumb_check_stack_first_stuck(s);
    for (enum suspicion how = FEW;; how++) {
        suspect(b, s, empty, how);
        if (!keep_suspects(b, empty, how) || !make_part(b, part))
            return false;
        if (how == ALL || plumb_check_stack_decide(&part->input, b->budget) ==
                              PLUMB_NOT_LINEARIZABLE)
            return true;
        plumb_check_stack_part_release(part);
    }
}

/* ---- groups ---- */

static bool make_groups(struct blaming *b, uint32_t groups)
{
    b->group =
        plumb_base_arena_alloc(b->arena, b->input->count * sizeof *b->group);
    b->stays = plumb_base_arena_zeroed(b->arena, groups * sizeof *b->stays);
    return b->group && b->stays;
}

/* The groups in the order in which they were last heard of.  The list has no
 * group twice: `stays` says which it has until they are taken out again. */
static uint32_t list_groups(struct blaming *b, uint32_t *list)
{
    const struct plumb_check_input *const input = b->input;
    uint32_t count = 0;
    for (uint32_t e = input->events; e-- > 0;) {
        const uint32_t g = b->group[input->event[e] / 2];
        if (g >= GONE || b->stays[g])
            continue;
        b->stays[g] = true;
        list[count++] = g;
    }
    for (uint32_t i = 0; i < count; i++)
        b->stays[list[i]] = false;
    plumb_base_reverse(list, count);
    return count;
}

static bool reduce_groups(struct blaming *b)
{
    uint32_t *const list =
        plumb_base_arena_alloc(b->arena, b->input->count * sizeof *list);
    if (!list)
        return false;
    reduce(b, list, list_groups(b, list));
    is_violation(b); /* sets b->keep */
    return plumb_budget_state(b->budget) == PLUMB_OK;
}

/* As few values as possible. */
static bool reduce_values(struct blaming *b)
{
    const struct plumb_check_input *const input = b->input;
    if (!make_groups(b, input->values + 1))
        return false;
    for (uint32_t i = 0; i < input->count; i++) {
        const struct plumb_check_input_op *const o = &input->op[i];
        b->group[i] = plumb_check_stack_has_value(o)
                          ? plumb_check_stack_slot(input, o->word[0])
                          : ALWAYS;
    }
    return reduce_groups(b);
}

static bool only_reads(const struct plumb_check_input_op *o)
{
    return o->role == PLUMB_ROLE_PEEK || o->term == PLUMB_TERM_EMPTY;
}

/* Then of what reads, each of which is a group now. */
static bool reduce_reads(struct blaming *b)
{
    const struct plumb_check_input *const input = b->input;
    if (!make_groups(b, input->count))
        return false;
    for (uint32_t i = 0; i < input->count; i++) {
        b->group[i] = only_reads(&input->op[i]) ? i : ALWAYS;
        if (!b->keep[i])
            b->group[i] = GONE;
    }
    return reduce_groups(b);
}

/* ---- together ---- */

static bool reduce_part(struct blaming *b,
                        const struct plumb_check_input *input)
{
    b->input = input;
    b->keep = plumb_base_arena_zeroed(b->arena, input->count * sizeof *b->keep);
    return b->keep && reduce_values(b) && reduce_reads(b);
}

/* Pending pops that were called after all others had returned do not matter. */
static bool drop_late_takers(const struct plumb_budget *budget,
                             const struct plumb_check_input *input,
                             bool *blamed)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < input->count; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        if (blamed[i] && !plumb_check_input_is_pending(&input->op[i]) &&
            input->op[i].ret > end)
            end = input->op[i].ret;
    }
    for (uint32_t i = 0; i < input->count; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        if (input->op[i].call > end)
            blamed[i] = false;
    }
    return true;
}

bool plumb_check_stack_report(struct plumb_check_monitoring *m,
                              const struct plumb_check_input *input,
                              bool *blamed, const uint32_t *of)
{
    return drop_late_takers(m->budget, input, blamed) &&
           plumb_check_list_blamed(m, blamed, input->count, of);
}

bool plumb_check_stack_blame(struct plumb_check_monitoring *m,
                             struct plumb_check_stack *s)
{
    struct plumb_base_arena arena = { .budget = m->budget };
    struct plumb_check_stack_part part = { 0 };
    struct blaming b = { .input = m->input,
                         .budget = m->budget,
                         .arena = &arena };
    b.keep = plumb_base_arena_alloc(&arena, m->input->count * sizeof *b.keep);
    b.stays = plumb_base_arena_zeroed(&arena, s->slots * sizeof *b.stays);
    bool done = b.keep && b.stays && find_suspects(&b, s, &part);
    plumb_check_stack_release(s); /* the rest needs the room */
    done = done && reduce_part(&b, &part.input) &&
           plumb_check_stack_report(m, &part.input, b.keep, part.of);
    plumb_check_stack_part_release(&part);
    plumb_base_arena_release(&arena);
    return done;
}
