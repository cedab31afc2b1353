/* fair_cycles.h - ways through a graph of states that need not end.
 *
 * A cycle is *fair* if every thread that can go on in one of its states takes a
 * step in it (strong fairness): no scheduler that serves whoever asks again and
 * again is sure to leave it.  All states of a strongly connected component can
 * be visited again and again.  So if for each thread that is ready in some
 * state of the component there is a step of it within, there is a fair cycle. */
#ifndef PLUMB_STRATEGIES_FAIR_CYCLES_H
#define PLUMB_STRATEGIES_FAIR_CYCLES_H

#include "state_graph.h"

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
