/* stack_peel.h - is a stack's history linearizable, with no value twice?
 *
 * A *point* is a moment in time right after a call and right before a return:
 * no other moments need be looked at (docs/how-monitors-work.md).  Each
 * operation may take effect at one of a range of points, several at the same
 * point in any order.  Between the last point where v may be pushed and the
 * first where it may be popped, v is surely inside: it *covers* these points.
 *
 * A value can be at the bottom iff each of its operations has a point that no
 * other value covers.  If so, v can be left out without changing the verdict;
 * what it covered is then less covered.  The history is linearizable iff all
 * values go that way. */
#ifndef PLUMB_CHECK_STACK_STACK_PEEL_H
#define PLUMB_CHECK_STACK_STACK_PEEL_H

#include "base/pace.h"
#include "check/bit_tree.h"
#include "check/input/monitor_input.h"
#include "cover_tree.h"
#include "reach_tree.h"

#define PLUMB_NO_OP UINT32_MAX

/* A value: the operations that push and pop it, and until it is peeled
 * - low: the last point where it may be pushed;
 * - high: the first point where it may be popped;
 * - left: how many of its operations have no point yet;
 * and then: where it is pushed and popped. */
struct plumb_check_stack_value {
    uint32_t push, pop, low, high, left;
};

struct plumb_check_stack {
    const struct plumb_check_input *input;
    struct plumb_budget *budget;
    /* What the order is made of; what is needed for peeling alone. */
    struct plumb_base_arena keep, trees;

    struct plumb_check_stack_value *value;
    uint32_t slots; /* values, and nil */
    uint32_t alive; /* values that were pushed, popped or seen at all */
    /* Values in the order in which they went; and from the end of the array
     * backwards those that are ready to go. */
    uint32_t *peeled;
    uint32_t peels, ready;
    uint32_t empties; /* operations that found nothing */
    uint32_t stuck;   /* of those: for which there is no point */
    uint32_t takers;  /* pending pops that may have taken anything */

    uint32_t points;
    /* By point: operations called before it, and the first of those that may
     * have its end behind it. */
    uint32_t *called, *oldest;
    /* Last points of operations; ~p when it has got point p.  Peeks, by the
     * first point that their own value covers: where only that value does,
     * they can be.  peek[] says which operations these are, and first_peek[p]
     * how many of them have begun before p. */
    struct plumb_check_reach ends, seen;
    uint32_t *peek, *first_peek;
    uint32_t peeks;
    struct plumb_check_cover cover;
    struct plumb_check_bits bare; /* points that no value covers */

    /* Values that were not popped may all be taken after the call of this
     * operation, if there is one, which is at that point. */
    uint32_t taker, taken_from;

    struct plumb_base_pace pace;
    const char *declined;  /* why it cannot be decided this way, or NULL */
    enum plumb_status why; /* it had to stop: the budget is used up */
};

/* Peel the input.  Pending pops do not take effect, unless one has a term: then
 * it does, with that result.  False if `declined` or `why` are set. */
bool plumb_check_stack_peel(struct plumb_check_stack *s,
                            const struct plumb_check_input *input,
                            struct plumb_budget *budget);

/* As if every value that was not popped could be taken by a pop of its own that
 * is called with operation `taker` and never returns. */
bool plumb_check_stack_peel_taking(struct plumb_check_stack *s,
                                   const struct plumb_check_input *input,
                                   uint32_t taker, struct plumb_budget *budget);
void plumb_check_stack_release(struct plumb_check_stack *s);

/* stack_ranges.c: everything but peeled[]. */
bool plumb_check_stack_find_ranges(struct plumb_check_stack *s);

/* False if the budget is used up; asks every some thousand steps. */
bool plumb_check_stack_may_go_on(struct plumb_check_stack *s, uint32_t step);

/* Set in `left`: the value can never go, it was popped twice or never pushed. */
#define PLUMB_STACK_SPOILED (UINT32_C(1) << 31)

static inline bool plumb_check_stack_is_spoiled(
    const struct plumb_check_stack_value *v)
{
    return v->left & PLUMB_STACK_SPOILED;
}

static inline bool plumb_check_stack_covers(
    const struct plumb_check_stack_value *v)
{
    return v->low + 1 < v->high;
}

static inline bool plumb_check_stack_is_peeled(
    const struct plumb_check_stack *s)
{
    return s->peels == s->alive && s->stuck == 0;
}

/* stack_order.c: an order of the operations of a stack that is peeled, in
 * `arena`; `s` can only be released after that.  False when memory is used up.
 */
bool plumb_check_stack_order(struct plumb_check_stack *s,
                             struct plumb_base_arena *arena, uint32_t **order,
                             uint32_t *count);

static inline uint32_t plumb_check_stack_slot(
    const struct plumb_check_input *input, uint32_t word)
{
    return word == PLUMB_NIL_WORD ? input->values : word;
}

static inline struct plumb_check_stack_value *plumb_check_stack_value_of(
    struct plumb_check_stack *s, const struct plumb_check_input_op *o)
{
    return s->value + plumb_check_stack_slot(s->input, o->word[0]);
}

/* Is it of a value: a push, or a pop or peek that found one? */
static inline bool plumb_check_stack_has_value(
    const struct plumb_check_input_op *o)
{
    return o->role == PLUMB_ROLE_ADD || o->term == PLUMB_TERM_OK;
}

/* A pending pop that may have taken anything. */
static inline bool plumb_check_stack_is_taker(
    const struct plumb_check_input_op *o)
{
    return o->role == PLUMB_ROLE_REMOVE && o->term == PLUMB_TERM_ANY;
}

/* ---- stack_suspects.c ---- */

/* `s` cannot be peeled.  Marks values (by slot, all false before) that are a
 * violation by themselves, unless pending pops have taken some; together with
 * operation `empty` if there is one, which found nothing.  False if memory is
 * used up, or there would be many. */
bool plumb_check_stack_suspect(const struct plumb_check_stack *s,
                               uint32_t empty, struct plumb_base_arena *arena,
                               bool *marked);

/* The first to return of those that found nothing and have no point, or
 * PLUMB_NO_OP. */
uint32_t plumb_check_stack_first_stuck(const struct plumb_check_stack *s);

#endif
