/* unfold.h - an automaton as a tree, nothing merged: a position for each
 * beginning of a history. */
#ifndef PLUMB_TESTS_INFER_UNFOLD_H
#define PLUMB_TESTS_INFER_UNFOLD_H

#include "infer/automaton.h"
#include <stdlib.h>

enum { MOST_UNFOLDED = 1 << 18 }; /* positions, and edges */

/* Breadth first.  The tree is valid until the next call. */
static struct plumb_infer_automaton unfold(
    const struct plumb_infer_automaton *a)
{
    /* position n of the tree is from[n] of the automaton */
    static uint32_t from[MOST_UNFOLDED], first[MOST_UNFOLDED + 1];
    static struct plumb_infer_edge edge[MOST_UNFOLDED];
    uint32_t positions = 1, edges = 0;
    from[0] = 0;
    for (uint32_t p = 0; p < positions; p++) {
        first[p] = edges;
        for (uint32_t i = a->first[from[p]]; i < a->first[from[p] + 1]; i++) {
            if (positions == MOST_UNFOLDED || edges == MOST_UNFOLDED)
                abort();
            edge[edges] = a->edge[i];
            if (edge[edges].next != PLUMB_INFER_STUCK) {
                from[positions] = edge[edges].next;
                edge[edges].next = positions++;
            }
            edges++;
        }
    }
    first[positions] = edges;
    return (struct plumb_infer_automaton){ positions, edges, first, edge };
}

#endif
