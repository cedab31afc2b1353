/* events.c - which events of two threads may not change places.
 *
 * The order of a SPAWN and what the new thread does, and of what a thread does
 * and its JOIN, is not told by the events alone; nor need it be, for they are
 * never both enabled. */
#include "base/range.h"
#include "machine.h"

static bool touches(const struct plumb_strategies_event *e)
{
    return e->kind == PLUMB_EVENT_READ || e->kind == PLUMB_EVENT_WRITE ||
           e->kind == PLUMB_EVENT_FAILED;
}

static bool locks(const struct plumb_strategies_event *e)
{
    return e->kind == PLUMB_EVENT_LOCK || e->kind == PLUMB_EVENT_UNLOCK;
}

bool plumb_strategies_events_depend(const struct plumb_strategies_event *a,
                                    const struct plumb_strategies_event *b)
{
    if (touches(a))
        return touches(b) &&
               (a->kind == PLUMB_EVENT_WRITE || b->kind == PLUMB_EVENT_WRITE) &&
               plumb_base_ranges_meet(a->at, a->size, b->at, b->size);
    if (locks(a) || a->kind == PLUMB_EVENT_SYNC)
        return (locks(b) || b->kind == PLUMB_EVENT_SYNC) && a->at == b->at;
    switch (a->kind) {
    case PLUMB_EVENT_CALL:
        return b->kind == PLUMB_EVENT_RETURN;
    case PLUMB_EVENT_RETURN:
        return b->kind == PLUMB_EVENT_CALL;
    case PLUMB_EVENT_SPAWN:
        return b->kind == PLUMB_EVENT_SPAWN;
    default:
        return false;
    }
}
