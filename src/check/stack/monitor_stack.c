/* monitor_stack.c - last in, first out, no value pushed twice.
 *
 * The work is done by peeling (stack_peel.h), in O(n log n).  Pending pops take
 * part only if it cannot be peeled without them (stack_takers.c). */
#include "check/input/monitor.h"

#include "spec/stores/container.h"
#include "stack_part.h"

static bool has_empty_pops(const struct plumb_check_input *input)
{
    for (uint32_t i = 0; i < input->count; i++)
        if (input->op[i].role == PLUMB_ROLE_REMOVE &&
            input->op[i].term == PLUMB_TERM_EMPTY)
            return true;
    return false;
}

/* An input does not tell a pop that waits from one that does not. */
static const char *objection(const struct plumb_check_monitoring *m)
{
    if (m->spec->given[PLUMB_CAP])
        return "a capacity limit";
    if (m->spec->param[PLUMB_BLOCKING] && has_empty_pops(m->input))
        return "a blocking stack returned empty";
    return NULL;
}

static void accept(struct plumb_check_monitoring *m,
                   struct plumb_check_stack *s)
{
    if (plumb_check_stack_order(s, m->arena, &m->order, &m->order_count))
        m->verdict = PLUMB_LINEARIZABLE;
    else
        m->why = PLUMB_EMEMORY;
}

/* What the pending pops of `part` took, into the operations of the input. */
static void copy_takers(const struct plumb_check_stack_part *part,
                        struct plumb_check_input_op *op)
{
    for (uint32_t i = 0; i < part->input.count; i++) {
        const struct plumb_check_input_op *const o = &part->op[i];
        if (!plumb_check_input_is_pending(o) || o->role != PLUMB_ROLE_REMOVE ||
            o->term != PLUMB_TERM_OK)
            continue;
        uint32_t push = 0;
        while (part->op[push].role != PLUMB_ROLE_ADD ||
               part->op[push].word[0] != o->word[0])
            push++;
        op[part->of[i]].term = PLUMB_TERM_OK;
        op[part->of[i]].word[0] = op[part->of[push]].word[0];
    }
}

static void accept_taken(struct plumb_check_monitoring *m,
                         const struct plumb_check_stack_part *part)
{
    struct plumb_check_input input = *m->input;
    struct plumb_check_stack s;
    struct plumb_check_input_op *const op =
        plumb_base_arena_copy(m->scratch, input.op, input.count * sizeof *op);
    if (!op) {
        m->why = PLUMB_EMEMORY;
        return;
    }
    copy_takers(part, op);
    input.op = op;
    if (plumb_check_stack_peel(&s, &input, m->budget))
        accept(m, &s);
    else
        m->why = s.why;
    plumb_check_stack_release(&s);
}

static void reject(struct plumb_check_monitoring *m,
                   struct plumb_check_stack *s)
{
    if (plumb_check_stack_blame(m, s) && plumb_check_stack_earliest(m))
        m->verdict = PLUMB_NOT_LINEARIZABLE;
    else
        m->why = PLUMB_EMEMORY;
}

static void decide_with_takers(struct plumb_check_monitoring *m,
                               struct plumb_check_stack *s)
{
    struct plumb_check_stack_part rest;
    const enum plumb_verdict verdict = plumb_check_stack_find_takers(s, &rest);
    m->why = s->why;
    if (verdict == PLUMB_LINEARIZABLE)
        accept_taken(m, &rest);
    plumb_check_stack_part_release(&rest);
    if (verdict == PLUMB_NOT_LINEARIZABLE)
        reject(m, s);
    else if (verdict == PLUMB_UNDECIDED && m->why == PLUMB_OK)
        m->declined = "pending removals";
}

bool plumb_check_monitor_stack(struct plumb_check_monitoring *m)
{
    struct plumb_check_stack s;
    m->verdict = PLUMB_UNDECIDED;
    m->declined = objection(m);
    if (m->declined)
        return true;
    if (!plumb_check_stack_peel(&s, m->input, m->budget)) {
        m->declined = s.declined;
        m->why = s.why;
    } else if (plumb_check_stack_is_peeled(&s)) {
        accept(m, &s);
    } else if (s.takers == 0) {
        reject(m, &s);
    } else {
        decide_with_takers(m, &s);
    }
    plumb_check_stack_release(&s);
    return m->why == PLUMB_OK;
}
