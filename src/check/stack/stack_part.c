/* stack_part.c - see stack_part.h.  Values get new numbers, close together. */
#include "stack_part.h"

#include "base/pace.h"

static bool is_open(const struct plumb_check_input_op *o, uint32_t rank)
{
    return o->call < rank && o->ret >= rank;
}

static bool is_there(const struct plumb_check_input *from, uint32_t i,
                     const struct plumb_check_stack_cut *cut)
{
    const struct plumb_check_input_op *const o = &from->op[i];
    if (o->call >= cut->rank)
        return false;
    if (is_open(o, cut->rank) && o->role != PLUMB_ROLE_ADD)
        return o->role == PLUMB_ROLE_REMOVE;
    return !cut->keep || cut->keep[i];
}

static void forget(struct plumb_check_input_op *o, bool result)
{
    o->ret = PLUMB_NEVER;
    if (result) {
        o->term = PLUMB_TERM_ANY;
        if (o->role != PLUMB_ROLE_ADD)
            o->word[0] = PLUMB_NO_WORD;
    }
}

static void add_op(struct plumb_check_stack_part *part,
                   const struct plumb_check_input *from, uint32_t i,
                   const struct plumb_check_stack_cut *cut)
{
    const uint32_t at = part->input.count++;
    const struct plumb_check_input_op *const o = &from->op[i];
    part->op[at] = *o;
    part->of[at] = i;
    if (!is_open(o, cut->rank))
        return;
    const bool believed = cut->believe && i != cut->doubted &&
                          o->role == PLUMB_ROLE_REMOVE &&
                          o->term == PLUMB_TERM_OK;
    forget(&part->op[at], !believed);
}

/* `at` is where each operation of `from` went. */
static bool add_events(struct plumb_check_stack_part *part, uint32_t *event,
                       const struct plumb_check_input *from, const uint32_t *at)
{
    for (uint32_t e = 0; e < from->events; e++) {
        if (!plumb_base_in_time(part->arena.budget, e))
            return false;
        const uint32_t i = at[from->event[e] / 2];
        const bool returns = plumb_check_input_is_return(from->event[e]);
        if (i == PLUMB_NO_OP ||
            (returns && plumb_check_input_is_pending(&part->op[i])))
            continue;
        event[part->input.events++] = 2 * i + returns;
    }
    return true;
}

static bool number_values(struct plumb_check_stack_part *part, uint32_t *number,
                          uint32_t values)
{
    struct plumb_budget *const budget = part->arena.budget;
    if (!plumb_base_paced_set(budget, number, 0xff, values * sizeof *number))
        return false;
    part->input.values = 0;
    for (uint32_t i = 0; i < part->input.count; i++) {
        uint32_t *const word = &part->op[i].word[0];
        if (!plumb_base_in_time(budget, i))
            return false;
        if (*word >= values)
            continue;
        if (number[*word] == PLUMB_NO_WORD)
            number[*word] = part->input.values++;
        *word = number[*word];
    }
    return true;
}

static bool count_there(const struct plumb_check_input *from,
                        const struct plumb_check_stack_cut *cut,
                        const struct plumb_budget *budget, size_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        *count += is_there(from, i, cut);
    }
    return true;
}

static bool add_ops(struct plumb_check_stack_part *part,
                    const struct plumb_check_input *from,
                    const struct plumb_check_stack_cut *cut, uint32_t *at)
{
    for (uint32_t i = 0; i < from->count; i++) {
        if (!plumb_base_in_time(part->arena.budget, i))
            return false;
        at[i] = is_there(from, i, cut) ? part->input.count : PLUMB_NO_OP;
        if (at[i] != PLUMB_NO_OP)
            add_op(part, from, i, cut);
    }
    return true;
}

bool plumb_check_stack_part_make(struct plumb_check_stack_part *part,
                                 const struct plumb_check_input *from,
                                 const struct plumb_check_stack_cut *cut,
                                 struct plumb_budget *budget)
{
    struct plumb_base_arena *const arena = &part->arena;
    size_t count;
    *part = (struct plumb_check_stack_part){ .input = *from };
    part->input.count = part->input.events = 0;
    plumb_base_arena_init(arena, budget);
    if (!count_there(from, cut, budget, &count))
        return false;
    part->op = plumb_base_arena_alloc(arena, count * sizeof *part->op);
    part->of = plumb_base_arena_alloc(arena, count * sizeof *part->of);
    uint32_t *const event =
        plumb_base_arena_alloc(arena, 2 * count * sizeof *event);
    const size_t room = from->count > from->values ? from->count : from->values;
    uint32_t *const table = plumb_base_arena_alloc(arena, room * sizeof *table);
    if (!part->op || !part->of || !event || !table ||
        !add_ops(part, from, cut, table) ||
        !add_events(part, event, from, table) ||
        !number_values(part, table, from->values))
        return false;
    part->input.op = part->op;
    part->input.event = event;
    return true;
}

void plumb_check_stack_part_release(struct plumb_check_stack_part *part)
{
    plumb_base_arena_release(&part->arena);
}
