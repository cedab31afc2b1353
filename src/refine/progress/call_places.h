/* call_places.h - the places of a graph: states with the operations open there.
 *
 * Usually a state is one place, because who has called what is seen from where
 * the processes are.  Places are numbered breadth first. */
#ifndef PLUMB_REFINE_PROGRESS_CALL_PLACES_H
#define PLUMB_REFINE_PROGRESS_CALL_PLACES_H

#include "base/arena.h"
#include "base/vector.h"
#include "refine/object_progress.h"

struct plumb_refine_place_edge {
    uint32_t target;
    uint32_t response : 1, atomic : 1, actors : 30; /* a number in `actors` */
};

struct plumb_refine_call_places {
    struct plumb_csp_graph *g;
    const struct plumb_refine_progress_labels *labels;
    struct plumb_budget *budget;
    struct plumb_base_pairs place; /* as in refine/object_progress.h */
    struct plumb_base_lists open;
    PLUMB_VECTOR(uint64_t) first; /* edge of each place, and where all end */
    PLUMB_VECTOR(struct plumb_refine_place_edge) edge;
    struct plumb_base_pairs actors; /* sets of processes, in two halves */
    PLUMB_VECTOR(uint64_t)
    waiting; /* of each list, who has called, a bit each */
    PLUMB_VECTOR(uint64_t) stepping; /* of each list, the processes of those */
    /* Of each client: who takes part in calls and responses; in no other's; in
     * those of the others alone. */
    uint64_t callers[PLUMB_MOST_CLIENTS], own[PLUMB_MOST_CLIENTS],
        foreign[PLUMB_MOST_CLIENTS];
    uint64_t called; /* clients that ever call, a bit each */
    /* After an error of the model: the edge it is about. */
    uint32_t wrong_place, wrong_edge;
};

/* All of them; to be released in any case.  PLUMB_EINPUT: calls and responses
 * do not pair, or the processes of clients cannot be told. */
enum plumb_status plumb_refine_call_places_open(
    struct plumb_refine_call_places *p, struct plumb_csp_graph *g,
    const struct plumb_refine_progress_labels *labels,
    struct plumb_budget *budget, struct plumb_error *err);
void plumb_refine_call_places_release(struct plumb_refine_call_places *p);

/* The shortest way to a place, as hops from state to state; NULL when memory or
 * time is refused. */
struct plumb_refine_hop *plumb_refine_call_places_way(
    const struct plumb_refine_call_places *p, uint32_t place,
    struct plumb_base_arena *arena, uint32_t *length);

static inline uint64_t plumb_refine_place_actors(
    const struct plumb_refine_call_places *p,
    const struct plumb_refine_place_edge *e)
{
    const struct plumb_base_pair half =
        plumb_base_pairs_at(&p->actors, e->actors);
    return (uint64_t)half.left << 32 | half.right;
}

/* Who has an operation open there. */
static inline uint64_t plumb_refine_place_waiting(
    const struct plumb_refine_call_places *p, uint32_t place)
{
    return p->waiting.at[plumb_base_pairs_at(&p->place, place).right];
}

static inline bool plumb_refine_place_waits(
    const struct plumb_refine_call_places *p, uint32_t place, uint32_t client)
{
    return plumb_refine_place_waiting(p, place) >> client & 1;
}

/* Is it a step that the client takes, whoever is in it; and alone? */
static inline bool plumb_refine_place_alone(
    const struct plumb_refine_call_places *p,
    const struct plumb_refine_place_edge *e, uint32_t client)
{
    const uint64_t actors = plumb_refine_place_actors(p, e);
    return actors & p->own[client] && !(actors & p->foreign[client]);
}

#endif
