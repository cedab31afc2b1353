/* random_events.h - events in their order, though it turns out only later what
 * was called.
 *
 * An event is announced when it happens, and told when all of it is known.  All
 * before the first one that is not told go on to the builder, so that what is
 * kept here is as long as the longest operation lasts, not as the history. */
#ifndef PLUMB_APP_GENERATE_RANDOM_EVENTS_H
#define PLUMB_APP_GENERATE_RANDOM_EVENTS_H

#include "proof/plain.h"
#include <plumb/history.h>

enum { RANDOM_EVENT_VALUES = 4 + PLUMB_MAX_RESULTS };

/* A call has a name and arguments, a response a term and results. */
struct generate_random_event {
    bool told, responds;
    uint32_t thread, symbol; /* the name or the term */
    unsigned count;
    struct plumb_value value[RANDOM_EVENT_VALUES];
};

struct generate_random_events {
    struct plumb_builder *to;
    struct plumb_budget *budget;
    uint32_t object;
    struct generate_random_event *ring; /* by number of the event */
    size_t capacity;                    /* a power of two, or 0 */
    uint64_t first, next;               /* numbers of those that are kept */
};

/* The number of an event that happens now; UINT64_MAX: memory is used up. */
uint64_t generate_random_event_announce(struct generate_random_events *e);

enum plumb_status generate_random_event_tell(
    struct generate_random_events *e, uint64_t number,
    const struct generate_random_event *event, struct plumb_error *err);

void generate_random_events_release(struct generate_random_events *e);

#endif
