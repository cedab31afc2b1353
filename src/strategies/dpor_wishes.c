/* dpor_wishes.c - what is asked of choices, now or when they are known.
 *
 * A race asks a choice that one of several threads is planned; if one is, or
 * sleeps, nothing is added.  So what is added depends on what was asked before,
 * and wishes are kept in order.  Plans only grow: what they satisfy once they
 * always do. */
#include "base/bits.h"
#include "dpor.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

static bool is_satisfied(const struct plumb_strategies_choice *c,
                         const struct plumb_strategies_wish *w)
{
    return w->all ? !(w->all & ~c->plan) : w->any & (c->plan | c->asleep);
}

uint32_t plumb_strategies_choice_plan(struct plumb_strategies_choice *c,
                                      const struct plumb_strategies_wish *w)
{
    const uint64_t best = w->any & c->ready & plumb_base_bit(w->thread);
    const uint64_t possible = w->any & c->ready;
    if (is_satisfied(c, w))
        return 0;
    if (w->all) {
        c->plan |= w->all;
        return 0;
    }
    c->plan |= best ? best : possible ? possible & -possible : c->ready;
    return possible ? 1 : w->times;
}

static bool are_equal(const struct plumb_strategies_wish *a,
                      const struct plumb_strategies_wish *b)
{
    return a->any == b->any && a->all == b->all && a->thread == b->thread;
}

static bool make_room(struct plumb_budget *budget,
                      struct plumb_strategies_wishes *to, uint32_t at)
{
    return PLUMB_GROW(budget, to->wish, to->capacity, (size_t)to->count + 1) &&
           PLUMB_GROW_ZEROED(budget, to->last, to->choices, (size_t)at + 1);
}

bool plumb_strategies_wishes_add(struct plumb_budget *budget,
                                 struct plumb_strategies_wishes *to,
                                 const struct plumb_strategies_choice *c,
                                 const struct plumb_strategies_wish *w)
{
    assert(!w->all || !w->any);
    if (is_satisfied(c, w))
        return true;
    if (!make_room(budget, to, w->at))
        return false;
    for (uint32_t i = to->last[w->at]; i; i = to->wish[i - 1].next)
        if (are_equal(&to->wish[i - 1], w)) {
            to->wish[i - 1].times += w->times;
            return true;
        }
    to->wish[to->count] = *w;
    to->wish[to->count].next = to->last[w->at];
    to->last[w->at] = ++to->count;
    return true;
}

void plumb_strategies_wishes_clear(struct plumb_strategies_wishes *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        assert(w->wish[i].at < w->choices);
        w->last[w->wish[i].at] = 0;
    }
    w->count = 0;
}

void plumb_strategies_wishes_release(struct plumb_budget *budget,
                                     struct plumb_strategies_wishes *w)
{
    PLUMB_RELEASE(budget, w->wish, w->capacity);
    PLUMB_RELEASE(budget, w->last, w->choices);
    *w = (struct plumb_strategies_wishes){ 0 };
}
