/* stack_order.c - an order of the operations, from the order of peeling.
 *
 * What was peeled first is at the bottom.  At each point there is a moment when
 * nothing is inside of all that has an operation there.  A value that was
 * peeled later is popped before that moment and pushed after it, earlier or
 * later than those below it:
 *
 *     pops, latest peeled first | found nothing | pushes, first peeled first
 *
 * So each point has a list that grows at both ends while the values come in the
 * order of peeling. */
#include "stack_peel.h"

#include <string.h>

struct lists {
    uint32_t *head, *tail; /* by point */
    /* By operation.  It takes the place of the point that the operation got,
     * which is needed until it is in a list. */
    uint32_t *next;
    /* By operation, if there are peeks: 1 + the next peek of the value, or 0.
     * The first is in the place of its `left`, which is 0 by now. */
    uint32_t *peek;
};

static void append(struct lists *l, uint32_t p, uint32_t i)
{
    l->next[i] = PLUMB_NO_OP;
    if (l->head[p] == PLUMB_NO_OP)
        l->head[p] = i;
    else
        l->next[l->tail[p]] = i;
    l->tail[p] = i;
}

static void prepend(struct lists *l, uint32_t p, uint32_t i)
{
    l->next[i] = l->head[p];
    if (l->head[p] == PLUMB_NO_OP)
        l->tail[p] = i;
    l->head[p] = i;
}

static bool make_lists(struct plumb_check_stack *s, struct lists *l)
{
    const size_t points = s->points, count = s->peeks ? s->input->count : 0;
    l->head = plumb_base_arena_alloc(&s->trees, points * sizeof *l->head);
    l->tail = plumb_base_arena_alloc(&s->trees, points * sizeof *l->tail);
    l->peek = plumb_base_arena_alloc(&s->trees, count * sizeof *l->peek);
    l->next = (uint32_t *)s->ends.level[0];
    if (!l->head || !l->tail || !l->peek)
        return false;
    memset(l->head, 0xff, points * sizeof *l->head);
    return true;
}

/* The point that a peek, or what found nothing, has got. */
static uint32_t point_of(const struct lists *l, uint32_t i)
{
    return ~l->next[i];
}

static bool list_reads(struct plumb_check_stack *s, struct lists *l)
{
    for (uint32_t i = 0; i < s->input->count; i++) {
        const struct plumb_check_input_op *const o = &s->input->op[i];
        if (!plumb_check_stack_may_go_on(s, i))
            return false;
        if (o->term == PLUMB_TERM_EMPTY) {
            append(l, point_of(l, i), i);
        } else if (o->role == PLUMB_ROLE_PEEK && o->term == PLUMB_TERM_OK) {
            struct plumb_check_stack_value *const v =
                &s->value[plumb_check_stack_slot(s->input, o->word[0])];
            l->peek[i] = v->left;
            v->left = i + 1;
        }
    }
    return true;
}

/* A peek that got a point where v is not inside can be where v is pushed or
 * popped: it reaches from there to here. */
static uint32_t clamp(uint32_t p, const struct plumb_check_stack_value *v)
{
    return p < v->low ? v->low : p > v->high ? v->high : p;
}

/* Behind the push if they are at its point, else before what is there. */
static void list_peeks(struct lists *l, const struct plumb_check_stack_value *v)
{
    for (uint32_t next = v->left; next > 0; next = l->peek[next - 1]) {
        const uint32_t p = clamp(point_of(l, next - 1), v);
        if (p == v->low && v->low != v->high)
            append(l, p, next - 1);
        else
            prepend(l, p, next - 1);
    }
}

/* Pushed and popped at one point: all before the moment when it is empty.  A
 * pending pop that comes after all points need not take effect. */
static void list_value(const struct plumb_check_stack *s, struct lists *l,
                       const struct plumb_check_stack_value *v)
{
    if (v->low != v->high)
        append(l, v->low, v->push);
    if (v->pop != PLUMB_NO_OP && v->high < s->points)
        prepend(l, v->high, v->pop);
    list_peeks(l, v);
    if (v->low == v->high)
        prepend(l, v->low, v->push);
}

bool plumb_check_stack_order(struct plumb_check_stack *s,
                             struct plumb_base_arena *arena, uint32_t **order,
                             uint32_t *count)
{
    struct lists l;
    *count = 0;
    *order = plumb_base_arena_alloc(arena, s->input->count * sizeof **order);
    if (!*order || !make_lists(s, &l) || !list_reads(s, &l))
        return false;
    for (uint32_t i = 0; i < s->peels; i++) {
        if (!plumb_check_stack_may_go_on(s, i))
            return false;
        list_value(s, &l, &s->value[s->peeled[i]]);
    }
    for (uint32_t p = 0; p < s->points; p++) {
        if (!plumb_check_stack_may_go_on(s, p))
            return false;
        for (uint32_t i = l.head[p]; i != PLUMB_NO_OP; i = l.next[i])
            (*order)[(*count)++] = i;
    }
    plumb_base_arena_release(&s->trees);
    return true;
}
