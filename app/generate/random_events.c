/* random_events.c - events in their order, though it turns out only later what
 * was called. */
#include "random_events.h"

#include "base/memory.h"
#include <assert.h>

static struct generate_random_event *at(const struct generate_random_events *e,
                                        uint64_t number)
{
    assert(e->capacity && (e->capacity & (e->capacity - 1)) == 0);
    return e->ring + (number & (e->capacity - 1));
}

static bool double_ring(struct generate_random_events *e)
{
    const size_t old = e->capacity, size = sizeof *e->ring;
    struct generate_random_events more = *e;
    more.capacity = old ? 2 * old : 64;
    more.ring = plumb_base_alloc_zeroed(e->budget, more.capacity * size);
    if (!more.ring)
        return false;
    for (uint64_t i = e->first; i < e->next; i++)
        *at(&more, i) = *at(e, i);
    plumb_base_release(e->budget, e->ring, old * size);
    *e = more;
    return true;
}

uint64_t generate_random_event_announce(struct generate_random_events *e)
{
    if (e->next - e->first == e->capacity && !double_ring(e))
        return UINT64_MAX;
    at(e, e->next)->told = false;
    return e->next++;
}

static enum plumb_status pass_on(const struct generate_random_events *e,
                                 const struct generate_random_event *v,
                                 struct plumb_error *err)
{
    if (v->responds)
        return plumb_builder_respond(e->to, v->thread, e->object,
                                     PLUMB_OUTCOME_OK, v->symbol, v->value,
                                     v->count, NULL, err);
    return plumb_builder_call(e->to, v->thread, e->object, v->symbol, v->value,
                              v->count, NULL, err);
}

enum plumb_status generate_random_event_tell(
    struct generate_random_events *e, uint64_t number,
    const struct generate_random_event *event, struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    assert(number >= e->first && number < e->next && !at(e, number)->told);
    *at(e, number) = *event;
    at(e, number)->told = true;
    for (; e->first < e->next && at(e, e->first)->told && status == PLUMB_OK;
         e->first++)
        status = pass_on(e, at(e, e->first), err);
    return status;
}

void generate_random_events_release(struct generate_random_events *e)
{
    PLUMB_RELEASE(e->budget, e->ring, e->capacity);
}
