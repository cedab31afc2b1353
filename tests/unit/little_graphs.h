/* little_graphs.h - random graphs of a few states, and what is true of them by
 * definition: sets of states are bits of a number. */
#ifndef PLUMB_TESTS_LITTLE_GRAPHS_H
#define PLUMB_TESTS_LITTLE_GRAPHS_H

#include "base/rng.h"
#include "csp/states/graph.h"
#include <string.h>

enum { LITTLE_STATES = 6, LITTLE_EVENTS = 5, LITTLE_EDGES = 24 };

/* Events are tau, tick and up to three more. */
struct little {
    uint32_t states, edges;
    uint64_t first[LITTLE_STATES + 1];
    struct plumb_csp_edge edge[LITTLE_EDGES];
    uint32_t source[LITTLE_EDGES];
    struct plumb_csp_lts lts;
};

/* From edges in any order to a table; states that cannot be reached stay. */
static inline void little_close(struct little *g)
{
    struct plumb_csp_edge sorted[LITTLE_EDGES];
    uint32_t source[LITTLE_EDGES], n = 0;
    for (uint32_t s = 0; s < g->states; s++) {
        g->first[s] = n;
        for (uint32_t i = 0; i < g->edges; i++)
            if (g->source[i] == s) {
                source[n] = s;
                sorted[n++] = g->edge[i];
            }
    }
    g->first[g->states] = n;
    memcpy(g->edge, sorted, n * sizeof *sorted);
    memcpy(g->source, source, n * sizeof *source);
    g->lts = (struct plumb_csp_lts){ g->states, g->first, g->edge };
}

static inline struct plumb_csp_edge little_edge(struct plumb_base_rng *rng,
                                                uint32_t states,
                                                uint32_t events, uint32_t taus)
{
    uint32_t event = plumb_base_rng_below(rng, events) + PLUMB_FIRST_EVENT;
    if (plumb_base_rng_chance(rng, taus))
        event = PLUMB_TAU;
    else if (plumb_base_rng_chance(rng, 8))
        event = PLUMB_TICK;
    return (struct plumb_csp_edge){ event, plumb_base_rng_below(rng, states) };
}

static inline void little_random(struct little *g, struct plumb_base_rng *rng)
{
    const uint32_t events = 1 + plumb_base_rng_below(rng, 3);
    const uint32_t taus = plumb_base_rng_below(rng, 70);
    memset(g, 0, sizeof *g);
    g->states = 1 + plumb_base_rng_below(rng, LITTLE_STATES);
    g->edges = plumb_base_rng_below(rng, 2 * g->states + 3);
    for (uint32_t i = 0; i < g->edges; i++) {
        g->source[i] = plumb_base_rng_below(rng, g->states);
        g->edge[i] = little_edge(rng, g->states, events, taus);
    }
    little_close(g);
}

/* Nearly the same graph: an edge is left out, added or led elsewhere. */
static inline void little_mutate(struct little *g, struct plumb_base_rng *rng)
{
    const uint32_t at = g->edges ? plumb_base_rng_below(rng, g->edges) : 0;
    switch (plumb_base_rng_below(rng, 4)) {
    case 0:
        if (g->edges) {
            g->edges--;
            g->edge[at] = g->edge[g->edges];
            g->source[at] = g->source[g->edges];
        }
        break;
    case 1:
        if (g->edges < LITTLE_EDGES) {
            g->source[g->edges] = plumb_base_rng_below(rng, g->states);
            g->edge[g->edges++] = little_edge(rng, g->states, 2, 50);
        }
        break;
    case 2:
        if (g->edges)
            g->edge[at].target = plumb_base_rng_below(rng, g->states);
        break;
    default:
        if (g->edges && g->edges < LITTLE_EDGES &&
            g->states < LITTLE_STATES) { /* a tau in the middle of an edge */
            g->source[g->edges] = g->states;
            g->edge[g->edges++] = g->edge[at];
            g->edge[at] = (struct plumb_csp_edge){ PLUMB_TAU, g->states++ };
        }
        break;
    }
    little_close(g);
}

/* ---- by definition ---- */

/* Targets of edges with this event from any of `from`. */
static inline uint32_t little_step(const struct little *g, uint32_t from,
                                   uint32_t event)
{
    uint32_t to = 0;
    for (uint32_t i = 0; i < g->edges; i++)
        if ((from >> g->source[i] & 1) && g->edge[i].event == event)
            to |= 1u << g->edge[i].target;
    return to;
}

static inline uint32_t little_by_taus(const struct little *g, uint32_t from)
{
    for (uint32_t all;; from = all) {
        all = from | little_step(g, from, PLUMB_TAU);
        if (all == from)
            return all;
    }
}

/* Where a graph can be after the event, and any taus; 0 if it cannot do it. */
static inline uint32_t little_after(const struct little *g, uint32_t closed,
                                    uint32_t event)
{
    return little_by_taus(g, little_step(g, closed, event));
}

/* The visible events of one state. */
static inline uint32_t little_offers(const struct little *g, uint32_t state)
{
    uint32_t events = 0;
    for (uint32_t e = PLUMB_TICK; e < LITTLE_EVENTS; e++)
        if (little_step(g, 1u << state, e))
            events |= 1u << e;
    return events;
}

static inline bool little_is_stable(const struct little *g, uint32_t state)
{
    return !little_step(g, 1u << state, PLUMB_TAU);
}

/* Some state that can be reached by taus can reach itself by taus. */
static inline bool little_diverges(const struct little *g, uint32_t state)
{
    const uint32_t reached = little_by_taus(g, 1u << state);
    for (uint32_t s = 0; s < g->states; s++)
        if ((reached >> s & 1) &&
            (little_by_taus(g, little_step(g, 1u << s, PLUMB_TAU)) >> s & 1))
            return true;
    return false;
}

static inline bool little_any_diverges(const struct little *g, uint32_t set)
{
    for (uint32_t s = 0; s < g->states; s++)
        if ((set >> s & 1) && little_diverges(g, s))
            return true;
    return false;
}

/* Can some stable state of the set refuse all events of `refused`? */
static inline bool little_can_refuse(const struct little *g, uint32_t set,
                                     uint32_t refused)
{
    for (uint32_t s = 0; s < g->states; s++)
        if ((set >> s & 1) && little_is_stable(g, s) &&
            !(little_offers(g, s) & refused))
            return true;
    return false;
}

#endif
