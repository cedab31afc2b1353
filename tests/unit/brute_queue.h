/* brute_queue.h - is it a queue?  By trying all orders, though not twice what
 * comes after the same operations have led to the same items. */
#ifndef BRUTE_QUEUE_H
#define BRUTE_QUEUE_H

#include "check/input/monitor_input.h"
#include <stdbool.h>
#include <stdint.h>

enum { BRUTE_MOST = 32 };

struct brute {
    const struct plumb_check_input_op *op;
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
    const struct plumb_check_input_op *const o = &b->op[i];
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

/* What failed.  A place is overwritten when another one wants it. */
enum { BRUTE_PLACES = 1 << 14 };

static struct {
    uint32_t search, done;
    uint64_t items; /* 4 bits each: at most 16 items, of values below 15 */
} brute_failed[BRUTE_PLACES];
static uint32_t brute_searches;

static uint64_t brute_items(const struct brute *b)
{
    uint64_t items = 0;
    for (uint32_t i = b->first; i < b->last; i++)
        items = items << 4 | (b->item[i] + 1);
    return items;
}

static bool brute_search(const struct brute *b);

static bool brute_once(const struct brute *b)
{
    const uint64_t items = brute_items(b);
    const uint64_t mixed = (items * 31 + b->done) * 0x9e3779b97f4a7c15u;
    const uint32_t place = (uint32_t)(mixed >> 50);
    if (brute_failed[place].search == brute_searches &&
        brute_failed[place].done == b->done &&
        brute_failed[place].items == items)
        return false;
    if (brute_search(b))
        return true;
    brute_failed[place].search = brute_searches;
    brute_failed[place].done = b->done;
    brute_failed[place].items = items;
    return false;
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
        if (brute_step(&next, i) && brute_once(&next))
            return true;
    }
    return false;
}

static bool brute_is_queue(const struct plumb_check_input_op *op,
                           uint32_t count, uint32_t end)
{
    const struct brute b = { .op = op, .count = count, .end = end };
    brute_searches++;
    return brute_search(&b);
}

#endif
