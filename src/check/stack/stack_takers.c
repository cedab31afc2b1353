/* stack_takers.c - what may pending pops have taken?
 *
 * What can be peeled while they take nothing need not be looked at again: if
 * one of them took such a value, it might as well have taken none.  (But where
 * an operation found nothing, all values count.)
 *
 * If the rest cannot be peeled even when every value has a taker of its own,
 * called as early as the earliest pending pop, it is a violation.  Otherwise the
 * pending pops are tried on the values that are left.  They differ in their
 * calls alone, and what a later one may do an earlier one may do as well: so
 * the earliest takes something, or none does.  If something found nothing, what
 * was inside before it has to be taken by somebody.  This is a search, and it is
 * given up when it takes long; few pending pops and few values are common. */
#include "stack_part.h"

#include "base/pace.h"
#include "stack_peel.h"

enum { DEEPEST = 1024, LEAST_WORK = 1 << 23, WORK_PER_OP = 8 };

struct search {
    struct plumb_check_stack_part *part;
    struct plumb_budget *budget;
    uint32_t *taker; /* pending pops, in the order of their calls */
    uint32_t takers;
    uint64_t work, most_work;
    bool gave_up;
    enum plumb_status why;
};

/* ---- the rest ---- */

static bool is_left(const struct plumb_check_stack *s,
                    const struct plumb_check_input_op *o)
{
    if (s->stuck || plumb_check_stack_is_taker(o))
        return true;
    if (!plumb_check_stack_has_value(o) || o->word[0] == PLUMB_NO_WORD)
        return false;
    return s->value[plumb_check_stack_slot(s->input, o->word[0])].left > 0;
}

static bool make_rest(const struct plumb_check_stack *s,
                      struct plumb_check_stack_part *part)
{
    const struct plumb_check_input *const input = s->input;
    struct plumb_base_arena scratch = { .budget = s->budget };
    bool *const keep =
        plumb_base_arena_alloc(&scratch, input->count * sizeof *keep);
    bool in_time = true;
    for (uint32_t i = 0; keep && in_time && i < input->count; i++) {
        keep[i] = is_left(s, &input->op[i]);
        in_time = plumb_base_in_time(s->budget, i);
    }
    const struct plumb_check_stack_cut cut = { .keep = keep,
                                               .rank = PLUMB_NEVER,
                                               .believe = true,
                                               .doubted = PLUMB_NO_OP };
    *part = (struct plumb_check_stack_part){ 0 };
    const bool done = keep && in_time &&
                      plumb_check_stack_part_make(part, input, &cut, s->budget);
    plumb_base_arena_release(&scratch);
    return done;
}

static bool list_takers(struct search *f)
{
    const struct plumb_check_input *const input = &f->part->input;
    f->taker = plumb_base_arena_alloc(&f->part->arena,
                                      input->count * sizeof *f->taker);
    for (uint32_t i = 0; f->taker && i < input->count; i++) {
        if (!plumb_base_in_time(f->budget, i))
            return false;
        if (plumb_check_stack_is_taker(&input->op[i]))
            f->taker[f->takers++] = i;
    }
    return f->taker;
}

/* ---- the search ---- */

/* Peel the part as it is now; from `taker` on all is taken if it is one. */
static bool is_peeled(struct search *f, struct plumb_check_stack *s,
                      uint32_t taker)
{
    f->work += f->part->input.count + f->part->input.values;
    if (!plumb_check_stack_peel_taking(s, &f->part->input, taker, f->budget)) {
        f->why = s->why;
        f->gave_up = true;
        return false;
    }
    return plumb_check_stack_is_peeled(s);
}

static bool is_hopeless(struct search *f, uint32_t taker)
{
    struct plumb_check_stack s;
    const bool peeled = is_peeled(f, &s, taker);
    plumb_check_stack_release(&s);
    return !peeled && !f->gave_up;
}

/* May operation i have pushed what a pending pop takes? */
static bool may_be_taken(const struct plumb_check_stack *s, uint32_t i)
{
    const struct plumb_check_input_op *const o = &s->input->op[i];
    if (o->role != PLUMB_ROLE_ADD)
        return false;
    const struct plumb_check_stack_value *const v =
        &s->value[plumb_check_stack_slot(s->input, o->word[0])];
    if (v->pop != PLUMB_NO_OP)
        return false;
    return v->left > 0 || (s->stuck > 0 && v->low != PLUMB_NO_OP);
}

static bool finds(struct search *f, uint32_t depth);

/* Pending pop `taker` takes the value `word`: is that all? */
static bool finds_with(struct search *f, uint32_t depth, uint32_t taker,
                       uint32_t word)
{
    struct plumb_check_input_op *const o = &f->part->op[taker];
    o->term = PLUMB_TERM_OK;
    o->word[0] = word;
    if (finds(f, depth + 1))
        return true;
    o->term = PLUMB_TERM_ANY;
    o->word[0] = PLUMB_NO_WORD;
    return false;
}

/* `taker` takes one of the values that are left in `s`, the last pushed first.
 */
static bool finds_value(struct search *f, uint32_t depth, uint32_t taker,
                        const struct plumb_check_stack *s)
{
    for (uint32_t i = s->input->count; i-- > 0 && !f->gave_up;)
        if (may_be_taken(s, i) &&
            finds_with(f, depth, taker, s->input->op[i].word[0]))
            return true;
    return false;
}

/* What was pushed before the call of `empty`, which found nothing, and was not
 * popped: how many, and the last of them in *push. */
static uint32_t count_in_the_way(const struct plumb_check_stack *s,
                                 uint32_t empty, uint32_t *push)
{
    const struct plumb_check_input_op *const op = s->input->op;
    uint32_t count = 0;
    for (uint32_t i = 0; i < empty; i++) {
        if (op[i].role != PLUMB_ROLE_ADD || op[i].ret > op[empty].call ||
            s->value[plumb_check_stack_slot(s->input, op[i].word[0])].pop !=
                PLUMB_NO_OP)
            continue;
        *push = i;
        count++;
    }
    return count;
}

static bool is_unused(const struct search *f, uint32_t k, uint32_t rank)
{
    const struct plumb_check_input_op *const o = &f->part->op[f->taker[k]];
    return o->term == PLUMB_TERM_ANY && o->call < rank;
}

/* All values in the way of `empty` have to be taken before it returns.  If
 * there are any: `push` by one of the pending pops, the last called first, for
 * it is of the least use elsewhere. */
static bool finds_taker(struct search *f, uint32_t depth, uint32_t push,
                        uint32_t empty)
{
    const struct plumb_check_input_op *const op = f->part->op;
    for (uint32_t k = f->takers; k-- > 0 && !f->gave_up;)
        if (is_unused(f, k, op[empty].ret) &&
            finds_with(f, depth, f->taker[k], op[push].word[0]))
            return true;
    return false;
}

static uint32_t count_unused(const struct search *f, uint32_t rank)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < f->takers; k++)
        count += is_unused(f, k, rank);
    return count;
}

/* `s` cannot be peeled.  Somebody takes something. */
static bool finds_more(struct search *f, uint32_t depth,
                       const struct plumb_check_stack *s)
{
    uint32_t first = 0, push = PLUMB_NO_OP;
    while (first < f->takers && !is_unused(f, first, PLUMB_NEVER))
        first++;
    if (first == f->takers)
        return false;
    const uint32_t empty = plumb_check_stack_first_stuck(s);
    if (empty != PLUMB_NO_OP) {
        const uint32_t ret = s->input->op[empty].ret;
        if (count_in_the_way(s, empty, &push) > count_unused(f, ret))
            return false;
    }
    if (is_hopeless(f, f->taker[first]))
        return false;
    return push == PLUMB_NO_OP ? finds_value(f, depth, f->taker[first], s)
                               : finds_taker(f, depth, push, empty);
}

static bool finds(struct search *f, uint32_t depth)
{
    struct plumb_check_stack s;
    if (depth == DEEPEST || f->work > f->most_work) {
        f->gave_up = true;
        return false;
    }
    bool found = is_peeled(f, &s, PLUMB_NO_OP);
    if (!found && !f->gave_up)
        found = finds_more(f, depth, &s);
    plumb_check_stack_release(&s);
    return found;
}

enum plumb_verdict plumb_check_stack_find_takers(
    struct plumb_check_stack *s, struct plumb_check_stack_part *part)
{
    struct search f = { .part = part, .budget = s->budget };
    if (!make_rest(s, part) || !list_takers(&f)) {
        s->why = PLUMB_EMEMORY;
        return PLUMB_UNDECIDED;
    }
    f.most_work = LEAST_WORK + WORK_PER_OP * (uint64_t)part->input.count;
    if (finds(&f, 0))
        return PLUMB_LINEARIZABLE;
    s->why = f.why;
    return f.gave_up ? PLUMB_UNDECIDED : PLUMB_NOT_LINEARIZABLE;
}

enum plumb_verdict plumb_check_stack_decide(
    const struct plumb_check_input *input, struct plumb_budget *budget)
{
    struct plumb_check_stack s;
    struct plumb_check_stack_part rest = { 0 };
    enum plumb_verdict verdict = PLUMB_UNDECIDED;
    if (plumb_check_stack_peel(&s, input, budget)) {
        if (plumb_check_stack_is_peeled(&s))
            verdict = PLUMB_LINEARIZABLE;
        else if (s.takers == 0)
            verdict = PLUMB_NOT_LINEARIZABLE;
        else
            verdict = plumb_check_stack_find_takers(&s, &rest);
    }
    plumb_check_stack_part_release(&rest);
    plumb_check_stack_release(&s);
    return verdict;
}
