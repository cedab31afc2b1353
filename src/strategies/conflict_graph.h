/* conflict_graph.h - is an execution conflict-serializable?
 *
 * Each operation, from its CALL to its RETURN, is a transaction, with what the
 * threads do that it started.  One comes before another if a step of it comes
 * before a step of the other that depends on it (machine.h): an access to the
 * same memory of which one writes, the same lock or other object, or the next
 * operation of the same thread.  Steps that do not depend on each other can
 * change places.  So the execution is equivalent to a serial one if and only if
 * no transaction comes before itself (Papadimitriou 1979; as checked by Farzan
 * and Madhusudan 2008, whom section 5.6 of Line-Up compares itself with).  The
 * graph is the same for all executions of a trace: dpor runs one of each.
 *
 * What is no part of an operation is left out.  The order of CALLs and RETURNs
 * is not asked for: that is linearizability's. */
#ifndef PLUMB_STRATEGIES_CONFLICT_GRAPH_H
#define PLUMB_STRATEGIES_CONFLICT_GRAPH_H

#include "explore.h"

#include <stddef.h>

enum { PLUMB_TRANSACTIONS = 64 };

struct plumb_strategies_conflict_access;

/* All zero is one that nothing was asked of yet. */
struct plumb_strategies_conflict_graph {
    struct plumb_budget *budget;
    /* Accesses that are nobody's; or NULL. */
    bool (*leaves_out)(const struct plumb_strategies_event *event);
    unsigned transactions;
    /* Of each: the `at` of its CALL, and its thread. */
    uint64_t call[PLUMB_TRANSACTIONS];
    uint8_t thread[PLUMB_TRANSACTIONS];
    /* Bit b of [a]: a step of `a` comes before one of `b` that conflicts with
     * it; a comes before b in any way, or by others. */
    uint64_t conflicts[PLUMB_TRANSACTIONS], precedes[PLUMB_TRANSACTIONS];
    /* ... and two such steps. */
    uint32_t step[PLUMB_TRANSACTIONS][PLUMB_TRANSACTIONS][2];
    struct plumb_strategies_conflict_access *access;
    size_t accesses, capacity;
};

/* False: there is no memory, or there are more operations than this is for. */
bool plumb_strategies_conflict_graph_make(
    struct plumb_strategies_conflict_graph *g,
    const struct plumb_strategies_execution *x);
void plumb_strategies_conflict_graph_release(
    struct plumb_strategies_conflict_graph *g);

bool plumb_strategies_conflict_graph_is_cyclic(
    const struct plumb_strategies_conflict_graph *g);

/* Does `a` conflict with `b` of another thread, which comes after it, on some
 * cycle? */
bool plumb_strategies_conflict_graph_on_cycle(
    const struct plumb_strategies_conflict_graph *g, unsigned a, unsigned b);

#endif
