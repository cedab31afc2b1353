/* stack_peel.c - values that can be at the bottom, one after the other.
 *
 * Points become bare, operations that reach a bare point get it, values all of
 * whose operations have a point are peeled, and make points bare.  What follows
 * from a bare point is done before the next is looked at: it is close in time,
 * and in memory. */
#include "stack_peel.h"

static void place(struct plumb_check_stack *s, uint32_t i, uint32_t p)
{
    struct plumb_check_stack_value *const v =
        plumb_check_stack_value_of(s, &s->input->op[i]);
    plumb_check_reach_set(&s->ends, i, ~(int32_t)p);
    if (--v->left == 0)
        s->peeled[s->alive - ++s->ready] = (uint32_t)(v - s->value);
}

/* No value covers p: whatever can be there may be there. */
static void meet_bare(struct plumb_check_stack *s, uint32_t p)
{
    const uint32_t first = s->oldest[p];
    for (uint32_t i = s->called[p];;) {
        i = plumb_check_reach_last(&s->ends, first, i, (int32_t)p);
        if (i == PLUMB_NO_REACH)
            return;
        place(s, i, p);
    }
}

/* One value covers p: its peeks may be there. */
static void meet_single(struct plumb_check_stack *s, uint32_t p)
{
    for (uint32_t k = s->first_peek[p];;) {
        k = plumb_check_reach_last(&s->seen, 0, k, (int32_t)p);
        if (k == PLUMB_NO_REACH)
            return;
        plumb_check_reach_set(&s->seen, k, PLUMB_REACHES_NONE);
        if (s->ends.level[0][s->peek[k]] >= 0)
            place(s, s->peek[k], p);
    }
}

/* A bare point stays so; pushing at the last of them and popping at the first
 * keeps v out of the way of all that was peeled at the others. */
static void settle(struct plumb_check_stack *s,
                   struct plumb_check_stack_value *v)
{
    const uint32_t at = plumb_check_bits_previous(&s->bare, v->low);
    const uint32_t end = v->high < s->points
                             ? plumb_check_bits_next(&s->bare, v->high)
                             : s->points;
    v->low = at;
    v->high = at >= v->high ? at : end < s->points ? end : s->points;
}

enum { POINT_STEPS = 16 }; /* of a point are as much as some of a pass */

/* Who follows points one after the other asks like this. */
static bool may_follow(struct plumb_check_stack *s)
{
    if (!plumb_base_pace_allows(&s->pace, POINT_STEPS))
        s->why = PLUMB_EMEMORY;
    return s->why == PLUMB_OK;
}

/* The points first ... last are covered by one less. */
static bool uncover(struct plumb_check_stack *s, uint32_t first, uint32_t last)
{
    plumb_check_cover_lower(&s->cover, first, last);
    for (uint32_t p = first; p <= last; p++) {
        p = plumb_check_cover_next(&s->cover, p, last, 0);
        if (p == PLUMB_NO_POINT)
            break;
        if (!may_follow(s))
            return false;
        plumb_check_bits_add(&s->bare, p);
        meet_bare(s, p);
    }
    for (uint32_t p = first; s->peeks && p <= last; p++) {
        p = plumb_check_cover_next(&s->cover, p, last, 1);
        if (p == PLUMB_NO_POINT)
            break;
        if (!may_follow(s))
            return false;
        if (plumb_check_bits_next(&s->bare, p) != p)
            meet_single(s, p);
    }
    return true;
}

/* All that are ready, the last first: it is close to what came before it. */
static bool peel_ready(struct plumb_check_stack *s)
{
    while (s->ready > 0) {
        const uint32_t slot = s->peeled[s->alive - s->ready--];
        struct plumb_check_stack_value *const v = &s->value[slot];
        const uint32_t first = v->low + 1, end = v->high;
        s->peeled[s->peels++] = slot;
        if (!may_follow(s))
            return false;
        settle(s, v);
        if (first < end && !uncover(s, first, end - 1))
            return false;
    }
    return true;
}

static bool peel_all(struct plumb_check_stack *s)
{
    for (uint32_t p = 0; s->peeks && p < s->points; p++) {
        if (!plumb_check_stack_may_go_on(s, p))
            return false;
        if (s->cover.least[0][p] == 1)
            meet_single(s, p);
    }
    for (uint32_t p = 0; p < s->points; p++) {
        p = plumb_check_bits_next(&s->bare, p);
        if (p == PLUMB_NO_POINT)
            break;
        if (!may_follow(s))
            return false;
        meet_bare(s, p);
        if (!peel_ready(s))
            return false;
    }
    return true;
}

bool plumb_check_stack_may_go_on(struct plumb_check_stack *s, uint32_t step)
{
    enum { ASK_BUDGET = 1 << 13 };
    if (step % ASK_BUDGET == 0)
        s->why = plumb_budget_state(s->budget);
    return s->why == PLUMB_OK;
}

bool plumb_check_stack_peel_taking(struct plumb_check_stack *s,
                                   const struct plumb_check_input *input,
                                   uint32_t taker, struct plumb_budget *budget)
{
    *s = (struct plumb_check_stack){ .input = input,
                                     .budget = budget,
                                     .taker = taker,
                                     .pace = { .budget = budget } };
    plumb_base_arena_init(&s->keep, budget);
    plumb_base_arena_init(&s->trees, budget);
    const bool done = plumb_check_stack_find_ranges(s) && peel_all(s);
    plumb_base_arena_release(&s->trees);
    return done;
}

bool plumb_check_stack_peel(struct plumb_check_stack *s,
                            const struct plumb_check_input *input,
                            struct plumb_budget *budget)
{
    return plumb_check_stack_peel_taking(s, input, PLUMB_NO_OP, budget);
}

void plumb_check_stack_release(struct plumb_check_stack *s)
{
    plumb_base_arena_release(&s->keep);
    plumb_base_arena_release(&s->trees);
}
