/* stack_ranges.c - where each operation of a stack may take effect, and which
 * points each value covers: what there is to know before peeling. */
#include "base/pace.h"
#include "stack_peel.h"

static bool decline(struct plumb_check_stack *s, const char *why)
{
    s->declined = why;
    return false;
}

static bool out_of_memory(struct plumb_check_stack *s)
{
    s->why = PLUMB_EMEMORY;
    return false;
}

/* ---- who is there ---- */

static bool note_push(struct plumb_check_stack *s, uint32_t i,
                      const struct plumb_check_input_op *o)
{
    struct plumb_check_stack_value *const v = plumb_check_stack_value_of(s, o);
    if (!plumb_check_input_is_pending(o) && o->term != PLUMB_TERM_OK)
        return decline(s, "a push that returned full");
    if (v->push != PLUMB_NO_OP)
        return decline(s, "values repeat");
    v->push = i;
    return true;
}

/* A pending peek does not matter; a pending pop only if it has a term. */
static void note_taken(struct plumb_check_stack *s, uint32_t i,
                       const struct plumb_check_input_op *o)
{
    struct plumb_check_stack_value *const v = plumb_check_stack_value_of(s, o);
    if (o->role == PLUMB_ROLE_PEEK) {
        v->left++;
        s->peeks++;
        return;
    }
    if (v->pop != PLUMB_NO_OP)
        v->left |= PLUMB_STACK_SPOILED;
    v->pop = i;
    v->left += !plumb_check_input_is_pending(o);
}

static bool note(struct plumb_check_stack *s, uint32_t i)
{
    const struct plumb_check_input_op *const o = &s->input->op[i];
    if (o->role == PLUMB_ROLE_OTHER || o->role > PLUMB_ROLE_PEEK)
        return decline(s, "not an operation of a stack");
    if (plumb_check_stack_has_value(o) && o->word[0] == PLUMB_NO_WORD)
        return decline(s, "an operation without its value");
    if (o->role == PLUMB_ROLE_ADD)
        return note_push(s, i, o);
    if (o->term == PLUMB_TERM_OK)
        note_taken(s, i, o);
    else if (o->term == PLUMB_TERM_EMPTY)
        s->empties++;
    else if (!plumb_check_input_is_pending(o))
        return decline(s, "not a result of a stack operation");
    else
        s->takers += o->role == PLUMB_ROLE_REMOVE;
    return true;
}

/* A pending push of what no completed operation has seen may be left out:
 * whoever takes it is pending too. */
static void count_alive(struct plumb_check_stack *s,
                        struct plumb_check_stack_value *v)
{
    if (v->push == PLUMB_NO_OP)
        v->left |= v->left ? PLUMB_STACK_SPOILED : 0;
    else if (v->left || !plumb_check_input_is_pending(&s->input->op[v->push]))
        v->left++;
    s->alive += v->left > 0;
}

static bool call_the_roll(struct plumb_check_stack *s)
{
    s->slots = s->input->values + 1;
    s->value = plumb_base_arena_alloc(&s->keep, s->slots * sizeof *s->value);
    if (!s->value)
        return out_of_memory(s);
    if (!plumb_base_paced_set(s->budget, s->value, 0xff,
                              s->slots * sizeof *s->value))
        return out_of_memory(s);
    for (uint32_t v = 0; v < s->slots; v++) {
        if (!plumb_check_stack_may_go_on(s, v))
            return false;
        s->value[v].left = 0;
    }
    for (uint32_t i = 0; i < s->input->count; i++)
        if (!plumb_check_stack_may_go_on(s, i) || !note(s, i))
            return false;
    for (uint32_t v = 0; v < s->slots; v++) {
        if (!plumb_check_stack_may_go_on(s, v))
            return false;
        count_alive(s, &s->value[v]);
    }
    return true;
}

/* ---- points ---- */

/* A return after a call, perhaps with other returns in between. */
static bool count_points(struct plumb_check_stack *s)
{
    uint32_t fresh = 0;
    s->points = 0;
    for (uint32_t e = 0; e < s->input->events; e++) {
        const uint32_t returns =
            plumb_check_input_is_return(s->input->event[e]);
        if (!plumb_check_stack_may_go_on(s, e))
            return false;
        s->points += fresh & returns;
        fresh = !returns;
    }
    return true;
}

static bool make_room(struct plumb_check_stack *s)
{
    const uint32_t count = s->input->count;
    if (!count_points(s))
        return false;
    s->peeled = plumb_base_arena_alloc(&s->keep, s->alive * sizeof *s->peeled);
    s->called =
        plumb_base_arena_alloc(&s->trees, s->points * sizeof *s->called);
    s->oldest =
        plumb_base_arena_alloc(&s->trees, s->points * sizeof *s->oldest);
    s->peek = plumb_base_arena_alloc(&s->trees, 2 * s->peeks * sizeof *s->peek);
    return (s->peeled && s->called && s->oldest && s->peek &&
            plumb_check_reach_init(&s->ends, &s->keep, count) &&
            plumb_check_cover_init(&s->cover, &s->trees, s->points) &&
            plumb_check_bits_init(&s->bare, &s->trees, s->points)) ||
           out_of_memory(s);
}

/* Time goes on, so the last call of a pop or peek is the first point where it
 * may be popped. */
static void meet_call(struct plumb_check_stack *s, uint32_t i, uint32_t point,
                      uint32_t *peeks)
{
    const struct plumb_check_input_op *const o = &s->input->op[i];
    if (i == s->taker)
        s->taken_from = point;
    if (o->role == PLUMB_ROLE_ADD || o->term != PLUMB_TERM_OK)
        return;
    plumb_check_stack_value_of(s, o)->high = point;
    if (o->role != PLUMB_ROLE_PEEK)
        return;
    s->peek[*peeks] = i;
    s->peek[s->peeks + *peeks] = point;
    ++*peeks;
}

/* What returns first of a value ends its push, and its pop ends its peeks: they
 * come in that order. */
static void meet_return(struct plumb_check_stack *s, uint32_t i, uint32_t point)
{
    const struct plumb_check_input_op *const o = &s->input->op[i];
    int32_t *const end = s->ends.level[0];
    if (o->term == PLUMB_TERM_EMPTY) {
        end[i] = (int32_t)point;
        return;
    }
    struct plumb_check_stack_value *const v = plumb_check_stack_value_of(s, o);
    if (v->low == PLUMB_NO_OP) {
        v->low = point;
        if (v->push != PLUMB_NO_OP)
            end[v->push] = (int32_t)point;
    }
    if (o->role == PLUMB_ROLE_ADD)
        return;
    if (o->role == PLUMB_ROLE_PEEK && v->pop != PLUMB_NO_OP && end[v->pop] >= 0)
        end[i] = end[v->pop];
    else
        end[i] = (int32_t)point;
}

/* Has its range come to an end, or will it have none? */
static bool is_over(struct plumb_check_stack *s, uint32_t i)
{
    const struct plumb_check_input_op *const o = &s->input->op[i];
    if (s->ends.level[0][i] >= 0)
        return true;
    return plumb_check_input_is_pending(o) &&
           (o->role != PLUMB_ROLE_ADD ||
            plumb_check_stack_value_of(s, o)->left == 0);
}

/* A point after `calls` calls. */
static void add_point(struct plumb_check_stack *s, uint32_t p, uint32_t calls)
{
    uint32_t oldest = p ? s->oldest[p - 1] : 0;
    while (oldest < calls && is_over(s, oldest))
        oldest++;
    s->called[p] = calls;
    s->oldest[p] = oldest;
}

static bool meet_events(struct plumb_check_stack *s)
{
    uint32_t calls = 0, points = 0, peeks = 0;
    bool fresh = false;
    for (uint32_t e = 0; e < s->input->events; e++) {
        const uint32_t event = s->input->event[e];
        if (!plumb_check_stack_may_go_on(s, e))
            return false;
        if (!plumb_check_input_is_return(event)) {
            meet_call(s, event / 2, points, &peeks);
            calls = event / 2 + 1;
            fresh = true;
        } else {
            if (fresh)
                add_point(s, points++, calls);
            fresh = false;
            meet_return(s, event / 2, points - 1);
        }
    }
    return true;
}

/* ---- covers ---- */

/* The first point where a value that was not popped may go. */
static uint32_t leaving(const struct plumb_check_stack *s,
                        const struct plumb_check_stack_value *v)
{
    if (s->taker == PLUMB_NO_OP)
        return s->points;
    if (v->high == PLUMB_NO_OP || v->high < s->taken_from)
        return s->taken_from;
    return v->high;
}

static bool count_covers(struct plumb_check_stack *s)
{
    int32_t *const count = s->cover.least[0];
    for (uint32_t i = 0; i < s->slots; i++) {
        struct plumb_check_stack_value *const v = &s->value[i];
        if (!plumb_check_stack_may_go_on(s, i))
            return false;
        if (v->left == 0 || plumb_check_stack_is_spoiled(v))
            continue;
        if (v->pop == PLUMB_NO_OP)
            v->high = leaving(s, v);
        if (!plumb_check_stack_covers(v))
            continue;
        count[v->low + 1]++;
        if (v->high < s->points)
            count[v->high]--;
    }
    int32_t now = 0;
    for (uint32_t p = 0; p < s->points; p++) {
        if (!plumb_check_stack_may_go_on(s, p))
            return false;
        count[p] = now += count[p];
        if (now == 0)
            plumb_check_bits_add(&s->bare, p);
    }
    return plumb_check_cover_build(&s->cover, s->budget) || out_of_memory(s);
}

/* What found nothing needs a point that is bare from the first. */
static bool place_empties(struct plumb_check_stack *s)
{
    int32_t *const end = s->ends.level[0];
    uint32_t first = 0;
    for (uint32_t i = 0; s->empties && i < s->input->count; i++) {
        if (!plumb_check_stack_may_go_on(s, i))
            return false;
        if (s->input->op[i].term != PLUMB_TERM_EMPTY)
            continue;
        while (s->called[first] <= i)
            first++;
        const uint32_t p = plumb_check_bits_next(&s->bare, first);
        const bool found = p <= (uint32_t)end[i];
        end[i] = found ? ~(int32_t)p : PLUMB_REACHES_NONE;
        s->stuck += !found;
    }
    return true;
}

/* The part of peek k that its own value covers.  False if it covers none. */
static bool clip_peek(struct plumb_check_stack *s, uint32_t k, uint32_t *first,
                      int32_t *last)
{
    const uint32_t i = s->peek[k];
    const struct plumb_check_stack_value *const v =
        plumb_check_stack_value_of(s, &s->input->op[i]);
    if (plumb_check_stack_is_spoiled(v))
        return false;
    *first = s->peek[s->peeks + k];
    *last = s->ends.level[0][i];
    if (*first <= v->low)
        *first = v->low + 1;
    if (*last >= (int32_t)v->high)
        *last = (int32_t)v->high - 1;
    return (int32_t)*first <= *last;
}

/* Peeks in the order of their clipped parts: a counting sort. */
static bool sort_peeks(struct plumb_check_stack *s)
{
    uint32_t *const from =
        plumb_base_arena_zeroed(&s->trees, (s->points + 2) * sizeof *from);
    uint32_t *const sorted =
        plumb_base_arena_alloc(&s->trees, s->peeks * sizeof *sorted);
    if (!from || !sorted ||
        !plumb_check_reach_init(&s->seen, &s->trees, s->peeks))
        return out_of_memory(s);
    uint32_t first;
    int32_t last;
    for (uint32_t k = 0; k < s->peeks; k++) {
        if (!plumb_check_stack_may_go_on(s, k))
            return false;
        if (clip_peek(s, k, &first, &last))
            from[first + 2]++;
    }
    for (uint32_t p = 1; p < s->points + 2; p++) {
        if (!plumb_check_stack_may_go_on(s, p))
            return false;
        from[p] += from[p - 1];
    }
    for (uint32_t k = 0; k < s->peeks; k++) {
        if (!plumb_check_stack_may_go_on(s, k))
            return false;
        if (!clip_peek(s, k, &first, &last))
            continue;
        const uint32_t at = from[first + 1]++;
        sorted[at] = s->peek[k];
        s->seen.level[0][at] = last;
    }
    if (!plumb_check_reach_build(&s->seen, s->budget))
        return out_of_memory(s);
    s->peek = sorted;
    s->first_peek = from + 1;
    return true;
}

bool plumb_check_stack_find_ranges(struct plumb_check_stack *s)
{
    if (!call_the_roll(s) || !make_room(s) || !meet_events(s) ||
        !count_covers(s) || !place_empties(s))
        return false;
    if (!plumb_check_reach_build(&s->ends, s->budget))
        return out_of_memory(s);
    return s->peeks == 0 || sort_peeks(s);
}
