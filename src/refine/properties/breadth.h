/* breadth.h - the tree of a breadth-first search, and ways in it.
 *
 * Places are numbers; each is met once, and by which edge of which place is
 * kept, so that the shortest way to it can be shown. */
#ifndef PLUMB_REFINE_PROPERTIES_BREADTH_H
#define PLUMB_REFINE_PROPERTIES_BREADTH_H

#include "base/arena.h"
#include "refine/engines/refine.h"

#define PLUMB_NOWHERE UINT32_MAX

/* The mark of a place that was met; other bits are free for others. */
#define PLUMB_REFINE_MET 1

/* The edge by which a place was met first. */
struct plumb_refine_breadth_origin {
    uint32_t place, index;
};

struct plumb_refine_breadth {
    struct plumb_budget *budget;
    uint8_t *met; /* marks */
    struct plumb_refine_breadth_origin *from;
    uint32_t *queue; /* all places that were met, nearest first */
    size_t met_room, from_room, queue_room, places;
    size_t head, count; /* the next to look at; how many were met */
};

void plumb_refine_breadth_release(struct plumb_refine_breadth *b);

/* Forget everything, but keep the room for it. */
void plumb_refine_breadth_clear(struct plumb_refine_breadth *b);

/* Marks of so many places can be read and set.  False when memory is refused. */
bool plumb_refine_breadth_reserve(struct plumb_refine_breadth *b,
                                  size_t places);

/* The index-th edge of `from` leads to `place`; the first place comes from
 * PLUMB_NOWHERE.  False when memory is refused. */
bool plumb_refine_breadth_meet(struct plumb_refine_breadth *b, uint32_t place,
                               uint32_t from, uint32_t index);

/* How many hops it is to a place that was met. */
uint32_t plumb_refine_breadth_distance(const struct plumb_refine_breadth *b,
                                       uint32_t place);

/* The way to a place: hops from place to place, `stride` places to a state.
 * NULL when memory is refused. */
struct plumb_refine_hop *plumb_refine_breadth_way(
    const struct plumb_refine_breadth *b, uint32_t place, uint32_t stride,
    struct plumb_base_arena *arena, uint32_t *length);

/* ---- tau_cycle.c: the nearest cycle of taus in a graph that is all known ---- */

/* A way to a state that is on a cycle, path[0 .. cycle), and round. */
struct plumb_refine_tau_cycle {
    const struct plumb_refine_hop *path;
    uint32_t length, cycle, state;
};

/* `b` has met all states.  PLUMB_END if there is a cycle, PLUMB_OK if there is
 * none; what `b` knows is used up. */
enum plumb_status plumb_refine_tau_cycle(struct plumb_csp_graph *g,
                                         struct plumb_refine_breadth *b,
                                         struct plumb_base_arena *arena,
                                         struct plumb_refine_tau_cycle *found,
                                         struct plumb_error *err);

#endif
