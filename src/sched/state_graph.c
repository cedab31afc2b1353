/* state_graph.c - states by their key, in a table with open addressing.
 *
 * A slot has half of the hash beside the number of its node, so that a node is
 * looked at only if it is very likely the one; keys are hashes already and are
 * not hashed again. */
#include "sched/state_graph.h"

#include "base/memory.h"

enum { FIRST_SLOTS = 256 };

void plumb_state_graph_init(struct plumb_state_graph *g,
                            struct plumb_budget *budget)
{
    *g = (struct plumb_state_graph){ .budget = budget };
}

void plumb_state_graph_release(struct plumb_state_graph *g)
{
    struct plumb_budget *const b = g->budget;
    plumb_release(b, g->node, g->node_capacity * sizeof *g->node);
    plumb_release(b, g->edge, g->edge_capacity * sizeof *g->edge);
    plumb_release(b, g->slot, g->slots * sizeof *g->slot);
    plumb_state_graph_init(g, b);
}

static uint64_t slot_for(const struct plumb_hash128 *key, uint32_t node)
{
    return (key->hi & ~(uint64_t)UINT32_MAX) | (node + 1);
}

static bool is_in_slot(const struct plumb_state_graph *g, uint64_t slot,
                       const struct plumb_hash128 *key)
{
    if ((slot ^ key->hi) >> 32)
        return false;
    const struct plumb_hash128 *const other = &g->node[(uint32_t)slot - 1].key;
    return other->lo == key->lo && other->hi == key->hi;
}

/* Where a key is, or would be. */
static uint64_t *find(const struct plumb_state_graph *g,
                      const struct plumb_hash128 *key)
{
    size_t i = key->lo & (g->slots - 1);
    while (g->slot[i] && !is_in_slot(g, g->slot[i], key))
        i = (i + 1) & (g->slots - 1);
    return g->slot + i;
}

/* Keys are distinct, so that none has to be compared. */
static bool grow_table(struct plumb_state_graph *g)
{
    const size_t slots = g->slots ? 2 * g->slots : FIRST_SLOTS;
    uint64_t *const table =
        plumb_alloc_zeroed(g->budget, slots * sizeof *table);
    if (!table)
        return false;
    plumb_release(g->budget, g->slot, g->slots * sizeof *g->slot);
    g->slot = table;
    g->slots = slots;
    for (uint32_t n = 0; n < g->nodes; n++) {
        size_t i = g->node[n].key.lo & (slots - 1);
        while (table[i])
            i = (i + 1) & (slots - 1);
        table[i] = slot_for(&g->node[n].key, n);
    }
    return true;
}

static bool add_node(struct plumb_state_graph *g,
                     const struct plumb_hash128 *key)
{
    void *block = g->node;
    if (g->nodes == UINT32_MAX - 1 ||
        !plumb_grow(g->budget, &block, &g->node_capacity, (size_t)g->nodes + 1,
                    sizeof *g->node))
        return false;
    g->node = block;
    g->node[g->nodes++] = (struct plumb_state_node){ .key = *key };
    return true;
}

bool plumb_state_graph_enter(struct plumb_state_graph *g,
                             struct plumb_hash128 key, uint32_t *node)
{
    if (2 * (size_t)g->nodes >= g->slots && !grow_table(g))
        return false;
    uint64_t *const slot = find(g, &key);
    if (!*slot) {
        if (!add_node(g, &key))
            return false;
        *slot = slot_for(&key, g->nodes - 1);
    }
    *node = (uint32_t)*slot - 1;
    return true;
}

bool plumb_state_graph_connect(struct plumb_state_graph *g, uint32_t from,
                               uint32_t to, unsigned thread, unsigned option)
{
    void *block = g->edge;
    if (g->edges == UINT32_MAX - 1 ||
        !plumb_grow(g->budget, &block, &g->edge_capacity, (size_t)g->edges + 1,
                    sizeof *g->edge))
        return false;
    g->edge = block;
    g->edge[g->edges++] =
        (struct plumb_state_edge){ .to = to,
                                   .next = g->node[from].edges,
                                   .thread = (uint8_t)thread,
                                   .option = (uint8_t)option };
    g->node[from].edges = g->edges;
    return true;
}
