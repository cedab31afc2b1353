/* brute_queue.h - is it a queue?  By trying all orders. */
#ifndef BRUTE_QUEUE_H
#define BRUTE_QUEUE_H

#include "check/tape.h"
#include <stdbool.h>
#include <stdint.h>

enum { BRUTE_MOST = 32 };

struct brute {
    const struct plumb_tape_op *op;
    uint32_t count;
    uint32_t end; /* what happened after this rank is not known */
    uint32_t done;
    uint32_t item[BRUTE_MOST], first, last;
};

static bool brute_is_there(const struct brute *b, uint32_t i)
{
    return b->op[i].call <= b->end;
}

static uint32_t brute_ret(const struct brute *b, uint32_t i)
{
    return b->op[i].ret <= b->end ? b->op[i].ret : PLUMB_NEVER;
}

/* The step of the specification; false if it does not allow the answer. */
static bool brute_step(struct brute *b, uint32_t i)
{
    const struct plumb_tape_op *const o = &b->op[i];
    const bool known = brute_ret(b, i) != PLUMB_NEVER;
    if (o->role == PLUMB_ROLE_ADD) {
        b->item[b->last++] = o->word[0];
        return true;
    }
    if (b->first == b->last)
        return !known || o->term == PLUMB_TERM_EMPTY;
    if (known && (o->term != PLUMB_TERM_OK || b->item[b->first] != o->word[0]))
        return false;
    b->first += o->role == PLUMB_ROLE_REMOVE;
    return true;
}

static bool brute_search(const struct brute *b)
{
    uint32_t horizon = PLUMB_NEVER;
    for (uint32_t i = 0; i < b->count; i++)
        if (brute_is_there(b, i) && !(b->done >> i & 1) &&
            brute_ret(b, i) < horizon)
            horizon = brute_ret(b, i);
    if (horizon == PLUMB_NEVER)
        return true;
    for (uint32_t i = 0; i < b->count; i++) {
        if (!brute_is_there(b, i) || b->done >> i & 1 ||
            b->op[i].call > horizon)
            continue;
        struct brute next = *b;
        next.done |= UINT32_C(1) << i;
        if (brute_step(&next, i) && brute_search(&next))
            return true;
    }
    return false;
}

static bool brute_is_queue(const struct plumb_tape_op *op, uint32_t count,
                           uint32_t end)
{
    const struct brute b = { .op = op, .count = count, .end = end };
    return brute_search(&b);
}

#endif
