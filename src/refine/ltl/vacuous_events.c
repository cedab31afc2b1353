/* vacuous_events.c - an event of a formula that never happens: a formula that
 * holds may hold because of that, and nobody meant it so. */
#include "proposition.h"

/* Look for all of the atoms along the edges of a state. */
static enum plumb_status listen(struct plumb_refine_propositions *p,
                                struct plumb_csp_graph *graph, uint32_t state,
                                uint64_t *missing, struct plumb_error *err)
{
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(graph, state, err);
    enum plumb_status status = out.status;
    for (uint32_t k = 0; k < out.count; k++)
        for (uint64_t left = *missing; left && !status; left &= left - 1) {
            const uint32_t atom = (uint32_t)__builtin_ctzll(left);
            bool yes = false;
            status = plumb_refine_propositions_is_event(
                p, atom, out.edge[k].event, &yes, err);
            if (yes)
                *missing &= ~((uint64_t)1 << atom);
        }
    return status;
}

/* Those behind the 64th atom pass for heard. */
static uint64_t events_of(const struct plumb_refine_propositions *p)
{
    uint64_t events = 0;
    for (uint32_t i = 0; i < p->formula->atoms && i < 64; i++)
        if (!p->meaning[i].proposition)
            events |= (uint64_t)1 << i;
    return events;
}

static bool is_about_events_alone(const struct plumb_refine_propositions *p)
{
    for (uint32_t i = 0; i < p->formula->atoms; i++)
        if (p->meaning[i].proposition)
            return false;
    return true;
}

const char *plumb_refine_vacuous_event(struct plumb_refine_propositions *p,
                                       struct plumb_csp_graph *graph)
{
    const uint32_t states = plumb_csp_graph_states(graph);
    const uint64_t events = events_of(p);
    uint64_t missing = events;
    struct plumb_error err;
    if (plumb_csp_graph_expanded(graph) != states)
        return NULL;
    for (uint32_t s = 0; s < states && missing; s++)
        if (listen(p, graph, s, &missing, &err) != PLUMB_OK)
            return NULL;
    /* [] !error says no more than that. */
    const bool alone = missing == events && is_about_events_alone(p);
    return missing && !alone ? p->meaning[__builtin_ctzll(missing)].text : NULL;
}
