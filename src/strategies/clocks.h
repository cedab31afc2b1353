/* clocks.h - which events of an execution happen before which, and which race.
 *
 * Event i happens before event j if i = j, or j is a later event of the same
 * thread, or dependent on i and later, or there is a chain of such steps.  Each
 * event has a row: for every thread the number of the last of its events that
 * happens before this one, plus 1; 0 is none.
 *
 * Events i and j of two threads are a *race* if they are dependent, nothing is
 * between them (no k with i before k before j), and j could have come first.
 * These are the pairs whose order a reduction has to try both ways.
 *
 * Which events of an object with SYNC could have come first is not known here;
 * all that were before are given instead. */
#ifndef PLUMB_STRATEGIES_CLOCKS_H
#define PLUMB_STRATEGIES_CLOCKS_H

#include "machine.h"

#include <plumb/budget.h>
#include <stddef.h>

struct plumb_strategies_clock_event;
struct plumb_strategies_clock_access;
struct plumb_strategies_clock_cell;

struct plumb_strategies_clocks {
    struct plumb_budget *budget;
    uint32_t length; /* events */

    /* What the last event pushed, or asked about by plumb_strategies_clocks_wait, races
     * with, latest first; and what happens before it in every execution in
     * which it comes before those. */
    unsigned races;
    uint32_t race[PLUMB_MAX_THREADS];
    uint32_t past[PLUMB_MAX_THREADS];
    /* Likewise, if it is an event of an object that had a SYNC, it included:
     * the events of that object before it, by plumb_strategies_clocks_walk; 0 is none. */
    uint32_t object;

    unsigned width; /* of a row: as many threads as there were, rounded up */
    unsigned threads;
    uint32_t *row;
    struct plumb_strategies_clock_event *event;
    struct plumb_strategies_clock_access
        *access; /* to cells, in the order of events */
    struct plumb_strategies_clock_cell
        *cell;      /* 8 bytes of memory, or a lock     */
    uint32_t *slot; /* hash table: number of a cell + 1 */
    size_t row_capacity, event_capacity, access_capacity, cell_capacity, slots;
    uint32_t accesses, cells;

    /* Per thread its last event, the SPAWN of it, its last CALL and RETURN:
     * each plus 1. */
    uint32_t last[PLUMB_MAX_THREADS], born[PLUMB_MAX_THREADS],
        call[PLUMB_MAX_THREADS], ret[PLUMB_MAX_THREADS];
};

void plumb_strategies_clocks_init(struct plumb_strategies_clocks *c,
                                  struct plumb_budget *budget);
void plumb_strategies_clocks_release(struct plumb_strategies_clocks *c);

/* FAILED becomes READ, or WRITE where it has to be taken for one.  False when
 * memory is refused; then only releasing is left. */
bool plumb_strategies_clocks_push(struct plumb_strategies_clocks *c,
                                  unsigned thread,
                                  struct plumb_strategies_event *event);
void plumb_strategies_clocks_pop(struct plumb_strategies_clocks *c);

/* What an event was taken for. */
enum plumb_strategies_event_kind plumb_strategies_clocks_kind(
    const struct plumb_strategies_clocks *c, uint32_t event);

/* The races of a LOCK or SYNC that the thread waits for. */
void plumb_strategies_clocks_wait(struct plumb_strategies_clocks *c,
                                  unsigned thread,
                                  const struct plumb_strategies_event *event);

/* The event the walk is at; the walk goes on to the one before, and becomes 0
 * at the last.  Each event of an object happens before the next. */
uint32_t plumb_strategies_clocks_walk(const struct plumb_strategies_clocks *c,
                                      uint32_t *walk);

/* What happens before anything the thread does next; NULL is nothing. */
const uint32_t *plumb_strategies_clocks_of(
    const struct plumb_strategies_clocks *c, unsigned thread);

static inline const uint32_t *plumb_strategies_clocks_row(
    const struct plumb_strategies_clocks *c, uint32_t event)
{
    return c->row + (size_t)event * c->width;
}

#endif
