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
 * the earliest takes something, or none does.  This is a search, and it is given
 * up when it takes long; few pending pops and few values are common. */
#include "check/stack_takers.h"

enum { DEEPEST = 64, LEAST_WORK = 1 << 21, WORK_PER_OP = 8 };

struct search {
    struct plumb_stack_part *part;
    struct plumb_budget *budget;
    uint32_t *taker; /* pending pops, in the order of their calls */
    uint32_t takers;
    uint64_t work, most_work;
    bool gave_up;
    enum plumb_status why;
};

/* ---- the rest ---- */

static bool is_left(const struct plumb_stack *s, const struct plumb_tape_op *o)
{
    if (s->stuck || plumb_stack_is_taker(o))
        return true;
    if (!plumb_stack_has_value(o) || o->word[0] == PLUMB_NO_WORD)
        return false;
    return s->value[plumb_stack_slot(s->tape, o->word[0])].left > 0;
}

static bool make_rest(const struct plumb_stack *s,
                      struct plumb_stack_part *part)
{
    const struct plumb_tape *const tape = s->tape;
    struct plumb_arena scratch;
    plumb_arena_init(&scratch, s->budget);
    bool *const keep = plumb_arena_alloc(&scratch, tape->count * sizeof *keep);
    for (uint32_t i = 0; keep && i < tape->count; i++)
        keep[i] = is_left(s, &tape->op[i]);
    const struct plumb_stack_cut cut = { .keep = keep,
                                         .rank = PLUMB_NEVER,
                                         .believe = true,
                                         .doubted = PLUMB_NO_OP };
    *part = (struct plumb_stack_part){ 0 };
    const bool done =
        keep && plumb_stack_part_make(part, tape, &cut, s->budget);
    plumb_arena_release(&scratch);
    return done;
}

static bool list_takers(struct search *f)
{
    const struct plumb_tape *const tape = &f->part->tape;
    f->taker =
        plumb_arena_alloc(&f->part->arena, tape->count * sizeof *f->taker);
    for (uint32_t i = 0; f->taker && i < tape->count; i++)
        if (plumb_stack_is_taker(&tape->op[i]))
            f->taker[f->takers++] = i;
    return f->taker;
}

/* ---- the search ---- */

/* Peel the part as it is now; from `taker` on all is taken if it is one. */
static bool is_peeled(struct search *f, struct plumb_stack *s, uint32_t taker)
{
    f->work += f->part->tape.count + f->part->tape.values;
    if (!plumb_stack_peel_taking(s, &f->part->tape, taker, f->budget)) {
        f->why = s->why;
        f->gave_up = true;
        return false;
    }
    return plumb_stack_is_peeled(s);
}

static bool is_hopeless(struct search *f, uint32_t taker)
{
    struct plumb_stack s;
    const bool peeled = is_peeled(f, &s, taker);
    plumb_stack_release(&s);
    return !peeled && !f->gave_up;
}

/* May operation i have pushed what a pending pop takes? */
static bool may_be_taken(const struct plumb_stack *s, uint32_t i)
{
    const struct plumb_tape_op *const o = &s->tape->op[i];
    if (o->role != PLUMB_ROLE_ADD)
        return false;
    const struct plumb_stack_value *const v =
        &s->value[plumb_stack_slot(s->tape, o->word[0])];
    if (v->pop != PLUMB_NO_OP)
        return false;
    return v->left > 0 || (s->stuck > 0 && v->low != PLUMB_NO_OP);
}

static bool finds(struct search *f, uint32_t depth);

/* The n-th pending pop takes one of the values that are left in `s`, the last
 * pushed first. */
static bool finds_value(struct search *f, uint32_t depth,
                        const struct plumb_stack *s)
{
    struct plumb_tape_op *const o = &f->part->op[f->taker[depth]];
    for (uint32_t i = s->tape->count; i-- > 0 && !f->gave_up;) {
        if (!may_be_taken(s, i))
            continue;
        o->term = PLUMB_TERM_OK;
        o->word[0] = s->tape->op[i].word[0];
        if (finds(f, depth + 1))
            return true;
        o->term = PLUMB_TERM_ANY;
        o->word[0] = PLUMB_NO_WORD;
    }
    return false;
}

static bool finds(struct search *f, uint32_t depth)
{
    struct plumb_stack s;
    if (depth == DEEPEST || f->work > f->most_work) {
        f->gave_up = true;
        return false;
    }
    bool found = is_peeled(f, &s, PLUMB_NO_OP);
    if (!found && !f->gave_up && depth < f->takers &&
        !is_hopeless(f, f->taker[depth]))
        found = finds_value(f, depth, &s);
    plumb_stack_release(&s);
    return found;
}

enum plumb_verdict plumb_stack_find_takers(struct plumb_stack *s,
                                           struct plumb_stack_part *part)
{
    struct search f = { .part = part, .budget = s->budget };
    if (!make_rest(s, part) || !list_takers(&f)) {
        s->why = PLUMB_EMEMORY;
        return PLUMB_UNDECIDED;
    }
    f.most_work = LEAST_WORK + WORK_PER_OP * (uint64_t)part->tape.count;
    if (finds(&f, 0))
        return PLUMB_LINEARIZABLE;
    s->why = f.why;
    return f.gave_up ? PLUMB_UNDECIDED : PLUMB_NOT_LINEARIZABLE;
}

enum plumb_verdict plumb_stack_decide(const struct plumb_tape *tape,
                                      struct plumb_budget *budget)
{
    struct plumb_stack s;
    struct plumb_stack_part rest = { 0 };
    enum plumb_verdict verdict = PLUMB_UNDECIDED;
    if (plumb_stack_peel(&s, tape, budget)) {
        if (plumb_stack_is_peeled(&s))
            verdict = PLUMB_LINEARIZABLE;
        else if (s.takers == 0)
            verdict = PLUMB_NOT_LINEARIZABLE;
        else
            verdict = plumb_stack_find_takers(&s, &rest);
    }
    plumb_stack_part_release(&rest);
    plumb_stack_release(&s);
    return verdict;
}
