/* state_graph.c - states by their key, in a table with open addressing.
 *
 * A slot has half of the hash beside the number of its node, so that a node is
 * looked at only if it is very likely the one; keys are hashes already and are
 * not hashed again.  Not base/index.h, whose slots are written once: here a slot
 * changes when a key gets another node. */
#include "state_graph.h"

#include "base/memory.h"
#include <assert.h>

enum { FIRST_SLOTS = 256 };

void plumb_strategies_state_graph_init(
    struct plumb_strategies_state_graph *g,
    const struct plumb_strategies_machine *machine, struct plumb_budget *budget)
{
    *g = (struct plumb_strategies_state_graph){ .budget = budget,
                                                .machine = machine };
}

void plumb_strategies_state_graph_release(
    struct plumb_strategies_state_graph *g)
{
    struct plumb_budget *const b = g->budget;
    PLUMB_RELEASE(b, g->node, g->node_capacity);
    PLUMB_RELEASE(b, g->edge, g->edge_capacity);
    PLUMB_RELEASE(b, g->slot, g->slots);
    plumb_strategies_state_graph_init(g, g->machine, b);
}

static uint64_t slot_for(const struct plumb_base_hash128 *key, uint32_t node)
{
    return (key->hi & ~(uint64_t)UINT32_MAX) | (node + 1);
}

static bool is_in_slot(const struct plumb_strategies_state_graph *g,
                       uint64_t slot, const struct plumb_base_hash128 *key)
{
    if ((slot ^ key->hi) >> 32)
        return false;
    return plumb_base_hash128_equal(g->node[(uint32_t)slot - 1].key, *key);
}

/* Where a key is, or would be. */
static uint64_t *find(const struct plumb_strategies_state_graph *g,
                      const struct plumb_base_hash128 *key)
{
    size_t i = key->lo & (g->slots - 1);
    while (g->slot[i] && !is_in_slot(g, g->slot[i], key))
        i = (i + 1) & (g->slots - 1);
    return g->slot + i;
}

/* Only the latest node of a key is in the table; the others follow it. */
static bool grow_table(struct plumb_strategies_state_graph *g)
{
    const size_t slots = g->slots ? 2 * g->slots : FIRST_SLOTS;
    uint64_t *const table =
        plumb_base_alloc_zeroed(g->budget, slots * sizeof *table);
    if (!table)
        return false;
    PLUMB_RELEASE(g->budget, g->slot, g->slots);
    g->slot = table;
    g->slots = slots;
    for (uint32_t n = 0; n < g->nodes; n++)
        *find(g, &g->node[n].key) = slot_for(&g->node[n].key, n);
    return true;
}

static bool add_node(struct plumb_strategies_state_graph *g,
                     const struct plumb_base_hash128 *key, uint32_t class,
                     uint32_t same)
{
    if (g->nodes == UINT32_MAX - 1 ||
        !PLUMB_GROW(g->budget, g->node, g->node_capacity, (size_t)g->nodes + 1))
        return false;
    g->node[g->nodes++] = (struct plumb_strategies_state_node){ .key = *key,
                                                                .class = class,
                                                                .same = same };
    return true;
}

static bool covers(const struct plumb_strategies_state_graph *g,
                   uint32_t narrow, uint32_t wide)
{
    const struct plumb_strategies_machine *const m = g->machine;
    return narrow == wide || (m->covers && m->covers(m->context, narrow, wide));
}

/* Of a node and those that follow it one that covers the class, plus 1. */
static uint32_t find_class(const struct plumb_strategies_state_graph *g,
                           uint32_t node, uint32_t class)
{
    while (node && !covers(g, g->node[node - 1].class, class))
        node = g->node[node - 1].same;
    return node;
}

bool plumb_strategies_state_graph_enter(struct plumb_strategies_state_graph *g,
                                        struct plumb_base_hash128 key,
                                        uint32_t class, uint32_t *node)
{
    if (2 * (size_t)g->nodes >= g->slots && !grow_table(g))
        return false;
    uint64_t *const slot = find(g, &key);
    uint32_t found = find_class(g, (uint32_t)*slot, class);
    if (!found) {
        if (!add_node(g, &key, class, (uint32_t)*slot))
            return false;
        found = g->nodes;
        *slot = slot_for(&key, found - 1);
    }
    *node = found - 1;
    return true;
}

bool plumb_strategies_state_graph_connect(
    struct plumb_strategies_state_graph *g, uint32_t from, uint32_t to,
    unsigned thread, unsigned option)
{
    assert(from < g->nodes && to < g->nodes);
    if (g->edges == UINT32_MAX - 1 ||
        !PLUMB_GROW(g->budget, g->edge, g->edge_capacity, (size_t)g->edges + 1))
        return false;
    g->edge[g->edges++] =
        (struct plumb_strategies_state_edge){ .to = to,
                                              .next = g->node[from].edges,
                                              .thread = (uint8_t)thread,
                                              .option = (uint8_t)option };
    g->node[from].edges = g->edges;
    return true;
}
