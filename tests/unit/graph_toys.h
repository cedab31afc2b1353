/* graph_toys.h - small graphs as tables, at random. */
#ifndef PLUMB_TESTS_GRAPH_TOYS_H
#define PLUMB_TESTS_GRAPH_TOYS_H

#include "base/rng.h"
#include "csp/states/graph.h"
#include <string.h>

enum { TOY_STATES = 8, TOY_DEGREE = 4, TOY_EDGES = TOY_STATES * TOY_DEGREE };

struct toy_graph {
    struct plumb_csp_lts lts;
    uint64_t first[TOY_STATES + 1];
    struct plumb_csp_edge edge[TOY_EDGES];
};

static inline void toy_random(struct toy_graph *t, struct plumb_base_rng *rng,
                              uint32_t states, uint32_t degree, uint32_t events)
{
    uint64_t at = 0;
    t->lts = (struct plumb_csp_lts){ states, t->first, t->edge };
    for (uint32_t s = 0; s < states; s++) {
        t->first[s] = at;
        for (uint32_t n = plumb_base_rng_below(rng, degree + 1); n; n--)
            t->edge[at++] =
                (struct plumb_csp_edge){ plumb_base_rng_below(rng, events),
                                         plumb_base_rng_below(rng, states) };
    }
    t->first[states] = at;
}

static inline uint32_t toy_degree(const struct toy_graph *t, uint32_t s)
{
    return (uint32_t)(t->first[s + 1] - t->first[s]);
}

static inline const struct plumb_csp_edge *toy_edges(const struct toy_graph *t,
                                                     uint32_t s)
{
    return t->edge + t->first[s];
}

#endif
