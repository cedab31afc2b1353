/* brute_stack.h - small histories of a stack, and the definition of
 * linearizable, tried out: every order, one operation after the other. */
#ifndef PLUMB_TESTS_BRUTE_STACK_H
#define PLUMB_TESTS_BRUTE_STACK_H

#include "base/rng.h"
#include "check/input/monitor_input.h"
#include <string.h>

enum { BRUTE_OPS = 16, BRUTE_EVENTS = 2 * BRUTE_OPS };

/* An input with room for its operations and events. */
struct small {
    struct plumb_check_input_op op[BRUTE_OPS];
    uint32_t event[BRUTE_EVENTS];
    struct plumb_check_input input;
};

struct brute {
    const struct plumb_check_input *input;
    uint32_t stack[BRUTE_OPS], height;
    uint32_t done; /* operations that have taken effect, as bits */
};

/* May `o` be next?  Nothing that is left returned before its call. */
static inline bool brute_may_be_next(const struct brute *b, uint32_t i)
{
    if (b->done >> i & 1)
        return false;
    for (uint32_t j = 0; j < b->input->count; j++)
        if (!(b->done >> j & 1) && b->input->op[j].ret < b->input->op[i].call)
            return false;
    return true;
}

static inline bool brute_is_done(const struct brute *b)
{
    for (uint32_t i = 0; i < b->input->count; i++)
        if (!(b->done >> i & 1) && b->input->op[i].ret != PLUMB_NEVER)
            return false;
    return true;
}

/* One step of the sequential stack; false if it cannot answer that. */
static inline bool brute_step(struct brute *b,
                              const struct plumb_check_input_op *o)
{
    if (o->role == PLUMB_ROLE_ADD) {
        b->stack[b->height++] = o->word[0];
        return true;
    }
    if (o->term == PLUMB_TERM_EMPTY)
        return b->height == 0;
    if (b->height == 0)
        return o->term == PLUMB_TERM_ANY;
    if (o->term == PLUMB_TERM_OK && b->stack[b->height - 1] != o->word[0])
        return false;
    b->height -= o->role == PLUMB_ROLE_REMOVE;
    return true;
}

static inline bool brute_goes_on(const struct brute *b)
{
    if (brute_is_done(b))
        return true;
    for (uint32_t i = 0; i < b->input->count; i++) {
        struct brute next = *b;
        if (!brute_may_be_next(b, i) || !brute_step(&next, &b->input->op[i]))
            continue;
        next.done |= (uint32_t)1 << i;
        if (brute_goes_on(&next))
            return true;
    }
    return false;
}

static inline bool brute_is_linearizable(const struct plumb_check_input *input)
{
    const struct brute b = { .input = input };
    return brute_goes_on(&b);
}

/* Is `order` what a witness has to be? */
static inline bool brute_accepts(const struct plumb_check_input *input,
                                 const uint32_t *order, uint32_t count)
{
    struct brute b = { .input = input };
    for (uint32_t k = 0; k < count; k++) {
        if (order[k] >= input->count || !brute_may_be_next(&b, order[k]) ||
            !brute_step(&b, &input->op[order[k]]))
            return false;
        b.done |= (uint32_t)1 << order[k];
    }
    return brute_is_done(&b);
}

/* The part of `from` that is before rank `cut`, of the operations in `keep`. */
static inline void small_part(struct small *to,
                              const struct plumb_check_input *from,
                              uint32_t keep, uint32_t cut)
{
    uint32_t at[BRUTE_OPS];
    to->input = *from;
    to->input.count = to->input.events = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        if (!(keep >> i & 1) || from->op[i].call >= cut)
            continue;
        struct plumb_check_input_op *const o =
            &to->op[at[i] = to->input.count++];
        *o = from->op[i];
        if (o->ret < cut)
            continue;
        o->ret = PLUMB_NEVER;
        o->term = PLUMB_TERM_ANY;
        if (o->role != PLUMB_ROLE_ADD)
            o->word[0] = PLUMB_NO_WORD;
    }
    for (uint32_t e = 0; e < from->events; e++) {
        const uint32_t i = from->event[e] / 2;
        const uint32_t rank =
            from->event[e] & 1 ? from->op[i].ret : from->op[i].call;
        if (keep >> i & 1 && rank < cut)
            to->event[to->input.events++] = 2 * at[i] + (from->event[e] & 1);
    }
    to->input.op = to->op;
    to->input.event = to->event;
}

#endif
