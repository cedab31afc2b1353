/* stack_suspects.c - values each of which has an operation that the others of
 * them cover: none of them can be at the bottom.
 *
 * It begins with the operation that would have had to take effect first, and
 * takes the values that cover it, in a row, each the one that stays longest;
 * then each of these needs an operation that is covered; and so on.  Values that
 * stay long are few. */
#include "stack_peel.h"

#include "base/pace.h"

enum { MOST_SUSPECTS = 48 };

#define NOBODY UINT32_MAX

/* When is a value surely inside: from the rank of a return up to that of a
 * call.  And one of its operations that has no point. */
struct stay {
    uint32_t from, to, op;
};

struct inquiry {
    const struct plumb_check_stack *s;
    struct stay *stay; /* by slot */
    bool *marked;
    uint32_t list[MOST_SUSPECTS], count;
};

static uint32_t slot_of(const struct plumb_check_stack *s,
                        const struct plumb_check_input_op *o)
{
    return plumb_check_stack_slot(s->input, o->word[0]);
}

/* ---- when they were inside ---- */

static void widen(struct inquiry *q, const struct plumb_check_input_op *o)
{
    struct stay *const stay = &q->stay[slot_of(q->s, o)];
    if (o->ret < stay->from)
        stay->from = o->ret;
    if (o->role != PLUMB_ROLE_ADD && o->call > stay->to)
        stay->to = o->call;
}

/* The rank before which it has to take effect. */
static uint32_t end_of(const struct inquiry *q, uint32_t i)
{
    const struct plumb_check_input_op *const op = q->s->input->op;
    if (op[i].role == PLUMB_ROLE_REMOVE)
        return op[i].ret;
    const uint32_t v = slot_of(q->s, &op[i]);
    if (op[i].role == PLUMB_ROLE_ADD)
        return q->stay[v].from;
    const uint32_t pop = q->s->value[v].pop;
    return pop != PLUMB_NO_OP && op[pop].ret < op[i].ret ? op[pop].ret
                                                         : op[i].ret;
}

static bool is_without_point(const struct plumb_check_stack *s, uint32_t i)
{
    const struct plumb_check_input_op *const o = &s->input->op[i];
    return plumb_check_stack_has_value(o) && s->ends.level[0][i] >= 0 &&
           s->value[slot_of(s, o)].left > 0;
}

static bool find_stays(struct inquiry *q, struct plumb_base_arena *arena)
{
    const struct plumb_check_stack *const s = q->s;
    q->stay = plumb_base_arena_alloc(arena, s->slots * sizeof *q->stay);
    if (!q->stay)
        return false;
    for (uint32_t v = 0; v < s->slots; v++) {
        if (!plumb_base_in_time(s->budget, v))
            return false;
        q->stay[v] = (struct stay){ PLUMB_NEVER, 0, PLUMB_NO_OP };
    }
    for (uint32_t i = 0; i < s->input->count; i++) {
        const struct plumb_check_input_op *const o = &s->input->op[i];
        if (!plumb_base_in_time(s->budget, i))
            return false;
        if (plumb_check_stack_has_value(o))
            widen(q, o);
        if (is_without_point(s, i))
            q->stay[slot_of(s, o)].op = i;
    }
    for (uint32_t v = 0; v < s->slots; v++) {
        if (!plumb_base_in_time(s->budget, v))
            return false;
        if (s->value[v].pop == PLUMB_NO_OP)
            q->stay[v].to = PLUMB_NEVER;
    }
    return true;
}

/* ---- who covers an operation ---- */

/* Is v inside at `time`, longer than `than`? */
static bool is_better(const struct inquiry *q, uint32_t v, uint32_t time,
                      uint32_t than)
{
    const struct stay *const stay = &q->stay[v];
    if (stay->from > time || stay->to <= time ||
        plumb_check_stack_is_spoiled(&q->s->value[v]))
        return false;
    return than == NOBODY || stay->to > q->stay[than].to;
}

static uint32_t longest_suspect(const struct inquiry *q, uint32_t time,
                                uint32_t except)
{
    uint32_t best = NOBODY;
    for (uint32_t k = 0; k < q->count; k++)
        if (q->list[k] != except && is_better(q, q->list[k], time, best))
            best = q->list[k];
    return best;
}

/* Only those that are left, unless `any` will do.  NOBODY, too, if there is no
 * time to look for it. */
static uint32_t longest(const struct inquiry *q, uint32_t time, uint32_t except,
                        bool any)
{
    uint32_t best = NOBODY;
    for (uint32_t v = 0; v < q->s->slots; v++) {
        if (!plumb_base_in_time(q->s->budget, v))
            return NOBODY;
        if (v != except && (any || q->s->value[v].left > 0) &&
            is_better(q, v, time, best))
            best = v;
    }
    return best;
}

static bool add(struct inquiry *q, uint32_t v)
{
    if (q->count == MOST_SUSPECTS)
        return false;
    q->marked[v] = true;
    q->list[q->count++] = v;
    return true;
}

/* Values in a row from `time` to `end`. */
static bool cover(struct inquiry *q, uint32_t time, uint32_t end,
                  uint32_t except, bool any)
{
    while (time < end) {
        uint32_t v = longest_suspect(q, time, except);
        if (v == NOBODY) {
            v = longest(q, time, except, any);
            if (v == NOBODY || !add(q, v))
                return false;
        }
        time = q->stay[v].to;
    }
    return true;
}

/* ---- together ---- */

/* Of the value whose operation would have had to take effect first; NOBODY if
 * there is none, or no time. */
static uint32_t first_suspect(const struct inquiry *q)
{
    const struct plumb_check_stack *const s = q->s;
    uint32_t first = NOBODY, end = PLUMB_NEVER;
    for (uint32_t i = 0; i < s->input->count; i++) {
        if (!plumb_base_in_time(s->budget, i))
            return NOBODY;
        if (!is_without_point(s, i) || end_of(q, i) >= end)
            continue;
        end = end_of(q, i);
        first = slot_of(s, &s->input->op[i]);
        q->stay[first].op = i;
    }
    return first;
}

static bool suspect_for_value(struct inquiry *q)
{
    const uint32_t first = first_suspect(q);
    if (first == NOBODY || !add(q, first))
        return false;
    if (plumb_check_stack_is_spoiled(&q->s->value[first]))
        return true;
    for (uint32_t k = 0; k < q->count; k++) {
        const uint32_t v = q->list[k], i = q->stay[v].op;
        if (i == PLUMB_NO_OP ||
            !cover(q, q->s->input->op[i].call, end_of(q, i), v, false))
            return false;
    }
    return true;
}

bool plumb_check_stack_suspect(const struct plumb_check_stack *s,
                               uint32_t empty, struct plumb_base_arena *arena,
                               bool *marked)
{
    struct inquiry q = { .s = s, .marked = marked };
    if (!find_stays(&q, arena))
        return false;
    if (empty == PLUMB_NO_OP)
        return suspect_for_value(&q);
    const struct plumb_check_input_op *const o = &s->input->op[empty];
    return cover(&q, o->call, o->ret, NOBODY, true);
}

uint32_t plumb_check_stack_first_stuck(const struct plumb_check_stack *s)
{
    const struct plumb_check_input *const input = s->input;
    uint32_t first = PLUMB_NO_OP;
    for (uint32_t i = 0; s->stuck && i < input->count; i++)
        if (input->op[i].term == PLUMB_TERM_EMPTY &&
            s->ends.level[0][i] == PLUMB_REACHES_NONE &&
            (first == PLUMB_NO_OP || input->op[i].ret < input->op[first].ret))
            first = i;
    return first;
}
