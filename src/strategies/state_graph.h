/* state_graph.h - the states of a program and the steps between them.
 *
 * Nodes are numbered in the order they were found, depth first; 0 is the
 * beginning.  So most steps lead from a node to the next number: such a step is
 * a flag of the node that it leads to, and only the others are in a list.
 *
 * A state takes 24 bytes, and 11 to 22 of the table. */
#ifndef PLUMB_STRATEGIES_STATE_GRAPH_H
#define PLUMB_STRATEGIES_STATE_GRAPH_H

#include "base/pair_index.h"
#include "machine.h"

#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STATE_OPEN = 1,    /* the search stands on or below it             */
    STATE_FOLLOWS = 2, /* the first step found of the node before leads here */
    STATE_AGAIN = 4    /* a later node has its key, too                */
};

struct plumb_strategies_state_node {
    struct plumb_base_hash128 key;
    uint32_t kind;
    uint8_t thread; /* FOLLOWS: whose step that is; its option is 0 */
    uint8_t flags;
};

/* Any other step. */
struct plumb_strategies_state_edge {
    uint32_t to;
    uint32_t from; /* once they are linked: the next of that node, or 0 */
    uint8_t thread, option;
};

struct plumb_strategies_state_graph {
    struct plumb_budget *budget;
    const struct plumb_strategies_machine *machine; /* whose classes they are */
    struct plumb_strategies_state_node *node;
    struct plumb_strategies_state_edge *edge;
    struct plumb_base_pairs ready; /* sets of threads that can go on */
    struct plumb_base_pairs kind;  /* ... with a class               */
    uint64_t *slot;      /* hash table: upper half of the hash, node + 1 */
    uint32_t *first;     /* per node, once linked: its latest edge, or 0 */
    uint64_t last_ready; /* the last that was asked for ... */
    uint32_t last_class, last_kind;
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
 * covers `class`; it is new if that is the number of nodes there were.  `ready`:
 * what can go on there. */
bool plumb_strategies_state_graph_enter(struct plumb_strategies_state_graph *g,
                                        struct plumb_base_hash128 key,
                                        uint32_t class, uint64_t ready,
                                        uint32_t *node);
bool plumb_strategies_state_graph_connect(
    struct plumb_strategies_state_graph *g, uint32_t from, uint32_t to,
    unsigned thread, unsigned option);

static inline void plumb_strategies_state_graph_close(
    struct plumb_strategies_state_graph *g, uint32_t node)
{
    g->node[node].flags &= (uint8_t)~STATE_OPEN;
}

uint64_t plumb_strategies_state_graph_ready(
    const struct plumb_strategies_state_graph *g, uint32_t node);

/* ---- steps, once no more are found ----
 *
 * A step has a number, not 0. */

struct plumb_strategies_state_step {
    uint32_t to;
    uint8_t thread, option;
};

bool plumb_strategies_state_graph_link(struct plumb_strategies_state_graph *g);
struct plumb_strategies_state_step plumb_strategies_state_graph_step(
    const struct plumb_strategies_state_graph *g, uint32_t number);
/* Those that leave a node, the latest first; 0: no more. */
uint32_t plumb_strategies_state_graph_first(
    const struct plumb_strategies_state_graph *g, uint32_t node);
uint32_t plumb_strategies_state_graph_next(
    const struct plumb_strategies_state_graph *g, uint32_t node,
    uint32_t number);

/* ---- ways through the graph that need not end (fair_cycles.c) ----
 *
 * A cycle is *fair* if every thread that can go on in one of its states takes a
 * step in it (strong fairness): no scheduler that serves whoever asks again and
 * again is sure to leave it.  All states of a strongly connected component can
 * be visited again and again.  So if for each thread that is ready in some
 * state of the component there is a step of it within, there is a fair cycle. */

/* Numbers of steps from node 0; the last `cycle` of them are a fair cycle.  The path to it
 * is a shortest one.  Valid only during the call that tells it. */
struct plumb_strategies_fair_cycle {
    const uint32_t *step;
    uint32_t length, cycle;
};

/* Of a linked graph one for each component that has one, the nearest first,
 * until `tell` is false.  False: memory is refused. */
bool plumb_strategies_fair_cycles(
    const struct plumb_strategies_state_graph *g,
    bool (*tell)(void *context,
                 const struct plumb_strategies_fair_cycle *cycle),
    void *context);

#endif
