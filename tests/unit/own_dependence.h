/* own_dependence.h - which steps may not change places, written a second time
 * for tests: from what events mean, not from src/strategies/events.c. */
#ifndef PLUMB_TESTS_OWN_DEPENDENCE_H
#define PLUMB_TESTS_OWN_DEPENDENCE_H

#include "strategies/explore.h"

static inline bool overlaps(const struct plumb_strategies_event *a,
                            const struct plumb_strategies_event *b)
{
    for (uint64_t i = a->at; i < a->at + a->size; i++)
        if (i >= b->at && i < b->at + b->size)
            return true;
    return false;
}

/* Of two kinds, in either order. */
static inline bool are(const struct plumb_strategies_event *a,
                       const struct plumb_strategies_event *b,
                       enum plumb_strategies_event_kind x,
                       enum plumb_strategies_event_kind y)
{
    return (a->kind == x && b->kind == y) || (a->kind == y && b->kind == x);
}

static inline bool reads(const struct plumb_strategies_event *e)
{
    return e->kind == PLUMB_EVENT_READ || e->kind == PLUMB_EVENT_FAILED;
}

static inline bool writes(const struct plumb_strategies_event *e)
{
    return e->kind == PLUMB_EVENT_WRITE;
}

static inline bool is_of_object(const struct plumb_strategies_event *e)
{
    return e->kind == PLUMB_EVENT_SYNC || e->kind == PLUMB_EVENT_LOCK ||
           e->kind == PLUMB_EVENT_UNLOCK;
}

static inline bool have_an_order(const struct plumb_strategies_step *s,
                                 const struct plumb_strategies_step *t,
                                 bool calls)
{
    const struct plumb_strategies_event *const a = &s->event, *const b =
                                                                  &t->event;
    if (s->thread == t->thread)
        return true;
    if ((writes(a) && (writes(b) || reads(b))) || (writes(b) && reads(a)))
        return overlaps(a, b);
    if (are(a, b, PLUMB_EVENT_LOCK, PLUMB_EVENT_UNLOCK) ||
        are(a, b, PLUMB_EVENT_LOCK, PLUMB_EVENT_LOCK))
        return a->at == b->at;
    if ((a->kind == PLUMB_EVENT_SYNC && is_of_object(b)) ||
        (b->kind == PLUMB_EVENT_SYNC && is_of_object(a)))
        return a->at == b->at;
    if (are(a, b, PLUMB_EVENT_SPAWN, PLUMB_EVENT_SPAWN))
        return true;
    if (a->kind == PLUMB_EVENT_SPAWN && a->at == t->thread)
        return true;
    if (b->kind == PLUMB_EVENT_JOIN && b->at == s->thread)
        return true;
    return calls && are(a, b, PLUMB_EVENT_CALL, PLUMB_EVENT_RETURN);
}

#endif
