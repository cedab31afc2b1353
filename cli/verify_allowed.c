/* verify_allowed.c - following a trace in the specification.
 *
 * All states it can be in after each event, as a set of bits: plain, because
 * one trace is short. */
#include "verify_allowed.h"

#include "base/memory.h"
#include <string.h>

struct crowd {
    struct plumb_graph *graph;
    uint32_t *member; /* states, each once */
    size_t count, capacity;
    bool well;
};

static bool has(const struct crowd *c, uint32_t state)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->member[i] == state)
            return true;
    return false;
}

static void join(struct crowd *c, uint32_t state)
{
    if (!c->well || has(c, state))
        return;
    void *member = c->member;
    c->well = plumb_grow(NULL, &member, &c->capacity, c->count + 1,
                         sizeof *c->member);
    c->member = member;
    if (c->well)
        c->member[c->count++] = state;
}

/* All states that `event` leads to, from any member of `from`. */
static void follow(struct crowd *from, uint32_t event, struct crowd *to)
{
    for (size_t i = 0; i < from->count && to->well; i++) {
        const struct plumb_edge *edge;
        struct plumb_error err;
        uint32_t count;
        if (plumb_graph_edges(from->graph, from->member[i], &edge, &count,
                              &err) != PLUMB_OK) {
            to->well = false;
            return;
        }
        for (uint32_t k = 0; k < count; k++)
            if (edge[k].event == event)
                join(to, edge[k].target);
    }
}

static void clear(struct crowd *c)
{
    plumb_release(NULL, c->member, c->capacity * sizeof *c->member);
    c->member = NULL;
    c->count = c->capacity = 0;
}

static uint32_t event_of(struct plumb_judgement *j, const struct plumb_hop *hop)
{
    const struct plumb_edge *edge;
    struct plumb_error err;
    uint32_t count;
    if (plumb_graph_edges(j->impl.graph, hop->state, &edge, &count, &err) !=
        PLUMB_OK)
        return PLUMB_TAU;
    return edge[hop->index].event;
}

/* Where the specification can be before the last event. */
static void walk(struct plumb_judgement *j, struct crowd *c)
{
    join(c, 0);
    follow(c, PLUMB_TAU, c);
    for (uint32_t i = 0; i + 1 < j->length && c->well; i++) {
        const uint32_t event = event_of(j, &j->path[i]);
        struct crowd next = { .graph = c->graph, .well = true };
        if (event == PLUMB_TAU)
            continue;
        follow(c, event, &next);
        follow(&next, PLUMB_TAU, &next);
        clear(c);
        *c = next;
    }
}

static void add_events(struct plumb_judgement *j, const struct crowd *c,
                       struct plumb_text *out)
{
    enum { MOST = 8 };
    uint32_t told[MOST], count = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct plumb_edge *edge;
        struct plumb_error err;
        uint32_t edges;
        if (plumb_graph_edges(c->graph, c->member[i], &edge, &edges, &err) !=
            PLUMB_OK)
            return;
        for (uint32_t k = 0; k < edges && count < MOST; k++) {
            bool known = edge[k].event == PLUMB_TAU;
            for (uint32_t t = 0; t < count; t++)
                known = known || told[t] == edge[k].event;
            if (known)
                continue;
            told[count++] = edge[k].event;
            plumb_text_add(out, count == 1 ? "" : ", ");
            plumb_event_numbers_text(j->world.events, edge[k].event, out);
        }
    }
    plumb_text_add(out, count == MOST ? ", ..." : count ? "" : "nothing");
}

void verify_allowed(struct plumb_judgement *j, struct plumb_text *out)
{
    struct crowd c = { .graph = j->spec.graph, .well = true };
    if (j->length == 0)
        return;
    walk(j, &c);
    plumb_text_add(out, "  the last event, ");
    plumb_event_numbers_text(j->world.events,
                             event_of(j, &j->path[j->length - 1]), out);
    plumb_text_add(out, ", is not possible in the specification");
    if (c.well) {
        plumb_text_add(out, ";\n  it could do: ");
        add_events(j, &c, out);
    }
    plumb_text_add(out, "\n");
    clear(&c);
}
