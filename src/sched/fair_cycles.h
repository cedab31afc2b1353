/* fair_cycles.h - ways through a graph of states that need not end.
 *
 * A cycle is *fair* if every thread takes a step in it or cannot go on in one
 * of its states (weak fairness): no scheduler that lets everyone run in the end
 * is sure to leave it.  All states of a strongly connected component can be
 * visited again and again.  So if for each thread there is a step of it within
 * the component, or a state where it cannot go on, there is a fair cycle; and
 * if there is one, the component around it has these, too. */
#ifndef PLUMB_SCHED_FAIR_CYCLES_H
#define PLUMB_SCHED_FAIR_CYCLES_H

#include "sched/state_graph.h"

/* Steps from node 0; the last `cycle` of them are a fair cycle.  The path to it
 * is a shortest one.  Valid only during the call that tells it. */
struct plumb_fair_cycle {
    const uint32_t *edge;
    uint32_t length, cycle;
};

/* One for each component that has one, the nearest first, until `tell` is
 * false.  False: memory is refused. */
bool plumb_fair_cycles(const struct plumb_state_graph *g,
                       bool (*tell)(void *context,
                                    const struct plumb_fair_cycle *cycle),
                       void *context);

#endif
