/* graph.h - a labelled transition system, made as far as it is looked at.
 *
 * The narrow waist of `plumb verify`: whatever makes states (a model, a table
 * of a test) is a *source*; every algorithm sees numbers and edges alone.
 *
 * States are numbers, 0 is the initial one.  The edges of a state are made by
 * the source when they are asked for the first time, and kept.  Events are
 * numbers too, the same for all graphs of a run: PLUMB_TAU is what nobody
 * sees, PLUMB_TICK is successful termination, the others have names elsewhere.
 *
 * Edges stay as the source made them: parallel ones are not merged, because
 * counts of transitions are compared with other tools' counts. */
#ifndef PLUMB_CSP_STATES_GRAPH_H
#define PLUMB_CSP_STATES_GRAPH_H

#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLUMB_TAU = 0, PLUMB_TICK = 1, PLUMB_FIRST_EVENT = 2 };

struct plumb_csp_edge {
    uint32_t event, target;
};

/* A growing array of edges, which a source adds to. */
struct plumb_csp_edges {
    struct plumb_budget *budget;
    struct plumb_csp_edge *edge;
    size_t count, capacity;
};

/* False when memory is refused. */
bool plumb_csp_edges_add(struct plumb_csp_edges *edges, uint32_t event,
                         uint32_t target);

/* What makes edges.  A state it was not asked about before gets the next free
 * number when an edge leads there first; so the states that are known are
 * always 0 .. states - 1, and a source asked for the edges of 0, 1, 2, ...
 * numbers them in breadth-first order. */
struct plumb_csp_graph_source {
    void *context;
    /* Add the edges of `state`; `states` may grow.  Errors: PLUMB_EMEMORY, or
     * PLUMB_EINPUT with a place in the model (an index out of bounds ...). */
    enum plumb_status (*edges)(void *context, uint32_t state,
                               struct plumb_csp_edges *out,
                               struct plumb_error *err);
    uint32_t (*states)(const void *context);
    uint32_t words; /* of a state; 0: few.  Large ones take long to make */
};

struct plumb_csp_graph;

/* The source has to outlive the graph. */
enum plumb_status plumb_csp_graph_open(
    struct plumb_csp_graph **g, const struct plumb_csp_graph_source *source,
    struct plumb_budget *budget, struct plumb_error *err);
void plumb_csp_graph_free(struct plumb_csp_graph *g);

/* From now on `tell` hears of states as they get their edges, every some
 * thousand; the depth is not known here, and 0. */
typedef void plumb_csp_graph_told(void *context, const char *phase,
                                  uint64_t done, uint64_t depth);
void plumb_csp_graph_tell(struct plumb_csp_graph *g, plumb_csp_graph_told *tell,
                          const char *phase, void *context);

/* What leads out of a state; nothing unless status is PLUMB_OK. */
struct plumb_csp_outgoing {
    enum plumb_status status;
    uint32_t count;
    const struct plumb_csp_edge *edge;
};

/* The edges of `state`, valid until the next call on this graph.  Who goes
 * through a graph need not look at the clock: this does, however often the
 * same edges are asked for, and says PLUMB_ETIME or PLUMB_ESTOP. */
struct plumb_csp_outgoing plumb_csp_graph_edges(struct plumb_csp_graph *g,
                                                uint32_t state,
                                                struct plumb_error *err);

/* They will be asked for soon, if they are known: fetch where they are, and a
 * little later them. */
void plumb_csp_graph_fetch(const struct plumb_csp_graph *g, uint32_t state);
void plumb_csp_graph_fetch_edges(const struct plumb_csp_graph *g,
                                 uint32_t state);

/* Are the edges of `state` known, so that nothing has to be made for them? */
bool plumb_csp_graph_is_made(const struct plumb_csp_graph *g, uint32_t state);

/* From now on it does not: to tell what was found, though time is up. */
void plumb_csp_graph_unhurry(struct plumb_csp_graph *g);

/* States known by now, and how many of them have edges already. */
uint32_t plumb_csp_graph_states(const struct plumb_csp_graph *g);
uint32_t plumb_csp_graph_expanded(const struct plumb_csp_graph *g);
uint64_t plumb_csp_graph_edge_count(const struct plumb_csp_graph *g);

/* Make all edges of all states that can be reached.  `most` bounds the number
 * of states (0: no bound); PLUMB_END if there are more. */
enum plumb_status plumb_csp_graph_complete(struct plumb_csp_graph *g,
                                           uint32_t most,
                                           struct plumb_error *err);

/* A whole graph, as algorithms that need all of it take it: the edges of s are
 * edge[first[s]] .. edge[first[s + 1] - 1].  Immutable. */
struct plumb_csp_lts {
    uint32_t states;
    const uint64_t *first; /* states + 1 of them */
    const struct plumb_csp_edge *edge;
};

/* The view of a complete graph, by state number; it belongs to the graph. */
enum plumb_status plumb_csp_graph_lts(struct plumb_csp_graph *g,
                                      struct plumb_csp_lts *lts,
                                      struct plumb_error *err);

/* A source that is a table, for tests and for quotients: `lts` must outlive
 * it. */
struct plumb_csp_graph_source plumb_csp_lts_source(struct plumb_csp_lts *lts);

#endif
