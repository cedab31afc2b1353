/* state_graph.h - the states of a program and the steps between them.
 *
 * Nodes are numbered in the order they were found; 0 is the beginning.  Steps
 * that leave a node are a list, the latest first. */
#ifndef PLUMB_STRATEGIES_STATE_GRAPH_H
#define PLUMB_STRATEGIES_STATE_GRAPH_H

#include "base/hash.h"
#include "machine.h"

#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plumb_strategies_state_node {
    struct plumb_base_hash128 key;
    uint64_t ready; /* threads that can go on                  */
    uint32_t edges; /* the first that leaves it, plus 1        */
    uint32_t class;
    uint32_t same; /* another node with its key, plus 1        */
    bool open;     /* the search stands on or below it        */
};

struct plumb_strategies_state_edge {
    uint32_t to;
    uint32_t next; /* edge from the same node, plus 1 */
    uint8_t thread, option;
};

struct plumb_strategies_state_graph {
    struct plumb_budget *budget;
    const struct plumb_strategies_machine *machine; /* whose classes they are */
    struct plumb_strategies_state_node *node;
    struct plumb_strategies_state_edge *edge;
    uint64_t *slot; /* hash table: upper half of the hash, node + 1 */
    uint32_t nodes, edges;
    size_t node_capacity, edge_capacity, slots;
};

void plumb_strategies_state_graph_init(
    struct plumb_strategies_state_graph *g,
    const struct plumb_strategies_machine *machine,
    struct plumb_budget *budget);
void plumb_strategies_state_graph_release(
    struct plumb_strategies_state_graph *g);

/* Each false: memory is refused.  `node` becomes one with this key whose class
 * covers `class`; it is new if that is the number of nodes there were. */
bool plumb_strategies_state_graph_enter(struct plumb_strategies_state_graph *g,
                                        struct plumb_base_hash128 key,
                                        uint32_t class, uint32_t *node);
bool plumb_strategies_state_graph_connect(
    struct plumb_strategies_state_graph *g, uint32_t from, uint32_t to,
    unsigned thread, unsigned option);

/* ---- ways through the graph that need not end (fair_cycles.c) ----
 *
 * A cycle is *fair* if every thread that can go on in one of its states takes a
 * step in it (strong fairness): no scheduler that serves whoever asks again and
 * again is sure to leave it.  All states of a strongly connected component can
 * be visited again and again.  So if for each thread that is ready in some
 * state of the component there is a step of it within, there is a fair cycle. */

/* Steps from node 0; the last `cycle` of them are a fair cycle.  The path to it
 * is a shortest one.  Valid only during the call that tells it. */
struct plumb_strategies_fair_cycle {
    const uint32_t *edge;
    uint32_t length, cycle;
};

/* One for each component that has one, the nearest first, until `tell` is
 * false.  False: memory is refused. */
bool plumb_strategies_fair_cycles(
    const struct plumb_strategies_state_graph *g,
    bool (*tell)(void *context,
                 const struct plumb_strategies_fair_cycle *cycle),
    void *context);

#endif
