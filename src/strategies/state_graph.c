/* state_graph.c - states by their key, in a table with open addressing.
 *
 * A slot has half of the hash beside the number of its node, so that a node is
 * looked at only if it is very likely the one; keys are hashes already and are
 * not hashed again.  Nodes of one key are in the order of their numbers. */
#include "state_graph.h"

#include "base/memory.h"
#include <assert.h>
#include <sys/mman.h>

enum { FIRST_SLOTS = 256, HUGE_PAGE = 1 << 21 };

/* Numbers of steps: of the edge, plus 1; or the node that it leads to. */
static const uint32_t follows = UINT32_C(1) << 31;

void plumb_strategies_state_graph_init(
    struct plumb_strategies_state_graph *g,
    const struct plumb_strategies_machine *machine, struct plumb_budget *budget)
{
    *g = (struct plumb_strategies_state_graph){ .budget = budget,
                                                .machine = machine };
    plumb_base_pairs_init(&g->ready, budget);
    plumb_base_pairs_init(&g->kind, budget);
}

void plumb_strategies_state_graph_release(
    struct plumb_strategies_state_graph *g)
{
    struct plumb_budget *const b = g->budget;
    PLUMB_RELEASE(b, g->node, g->node_capacity);
    PLUMB_RELEASE(b, g->edge, g->edge_capacity);
    PLUMB_RELEASE(b, g->slot, g->slots);
    PLUMB_RELEASE(b, g->first, g->first ? g->nodes : 0);
    plumb_base_pairs_release(&g->ready);
    plumb_base_pairs_release(&g->kind);
    plumb_strategies_state_graph_init(g, g->machine, b);
}

/* ---- kinds ---- */

static uint32_t number_of(struct plumb_strategies_state_graph *g,
                          uint32_t class, uint64_t ready)
{
    const uint32_t set = plumb_base_pairs_number(
        &g->ready,
        (struct plumb_base_pair){ (uint32_t)(ready >> 32), (uint32_t)ready });
    return set == UINT32_MAX
               ? set
               : plumb_base_pairs_number(
                     &g->kind, (struct plumb_base_pair){ class, set });
}

/* Neighbours are often of one kind. */
static uint32_t kind_of(struct plumb_strategies_state_graph *g, uint32_t class,
                        uint64_t ready)
{
    if (!g->nodes || g->last_class != class || g->last_ready != ready) {
        g->last_kind = number_of(g, class, ready);
        g->last_class = class;
        g->last_ready = ready;
    }
    return g->last_kind;
}

static uint32_t class_of(const struct plumb_strategies_state_graph *g,
                         uint32_t node)
{
    return plumb_base_pairs_at(&g->kind, g->node[node].kind).left;
}

uint64_t plumb_strategies_state_graph_ready(
    const struct plumb_strategies_state_graph *g, uint32_t node)
{
    const struct plumb_base_pair p = plumb_base_pairs_at(
        &g->ready, plumb_base_pairs_at(&g->kind, g->node[node].kind).right);
    return (uint64_t)p.left << 32 | p.right;
}

/* ---- the table ---- */

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

static void put(struct plumb_strategies_state_graph *g, uint32_t node)
{
    const struct plumb_base_hash128 *const key = &g->node[node].key;
    size_t i = key->lo & (g->slots - 1);
    while (g->slot[i])
        i = (i + 1) & (g->slots - 1);
    g->slot[i] = slot_for(key, node);
}

/* It is looked at all over: with small pages each look costs two misses.  The
 * system may say no. */
static void ask_for_huge_pages(uint64_t *table, size_t size)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t begin =
        ((uintptr_t)table + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    const uintptr_t end =
        ((uintptr_t)table + size) & ~(uintptr_t)(HUGE_PAGE - 1);
    if (end > begin)
        (void)madvise((char *)table + (begin - (uintptr_t)table), end - begin,
                      MADV_HUGEPAGE);
#else
    (void)table;
    (void)size;
#endif
}

static bool grow_table(struct plumb_strategies_state_graph *g)
{
    const size_t slots = g->slots ? 2 * g->slots : FIRST_SLOTS;
    uint64_t *const table =
        plumb_base_alloc_zeroed(g->budget, slots * sizeof *table);
    if (!table)
        return false;
    ask_for_huge_pages(table, slots * sizeof *table);
    PLUMB_RELEASE(g->budget, g->slot, g->slots);
    g->slot = table;
    g->slots = slots;
    for (uint32_t n = 0; n < g->nodes; n++)
        put(g, n);
    return true;
}

static bool covers(const struct plumb_strategies_state_graph *g,
                   uint32_t narrow, uint32_t wide)
{
    const struct plumb_strategies_machine *const m = g->machine;
    return narrow == wide || (m->covers && m->covers(m->context, narrow, wide));
}

/* Of the nodes with that key the last one; and the last one, plus 1, that covers
 * the class. */
struct found {
    uint32_t last, covering;
};

static struct found find(const struct plumb_strategies_state_graph *g,
                         const struct plumb_base_hash128 *key, uint32_t class)
{
    struct found f = { 0, 0 };
    for (size_t i = key->lo & (g->slots - 1); g->slot[i];
         i = (i + 1) & (g->slots - 1)) {
        if (!is_in_slot(g, g->slot[i], key))
            continue;
        f.last = (uint32_t)g->slot[i];
        if (covers(g, class_of(g, f.last - 1), class))
            f.covering = f.last;
        if (!(g->node[f.last - 1].flags & STATE_AGAIN))
            break;
    }
    return f;
}

/* ---- nodes and edges ---- */

static bool add_node(struct plumb_strategies_state_graph *g,
                     const struct plumb_base_hash128 *key, uint32_t kind)
{
    if (g->nodes == follows - 1 ||
        !PLUMB_GROW(g->budget, g->node, g->node_capacity, (size_t)g->nodes + 1))
        return false;
    g->node[g->nodes] = (struct plumb_strategies_state_node){
        .key = *key, .kind = kind, .flags = STATE_OPEN
    };
    put(g, g->nodes++);
    return true;
}

bool plumb_strategies_state_graph_enter(struct plumb_strategies_state_graph *g,
                                        struct plumb_base_hash128 key,
                                        uint32_t class, uint64_t ready,
                                        uint32_t *node)
{
    /* at most three quarters are in use */
    if (4 * (size_t)g->nodes >= 3 * g->slots && !grow_table(g))
        return false;
    __builtin_prefetch(g->slot + (key.lo & (g->slots - 1)));
    const uint32_t kind = kind_of(g, class, ready); /* most nodes are new */
    if (kind == UINT32_MAX)
        return false;
    const struct found f = find(g, &key, class);
    if (f.covering) {
        *node = f.covering - 1;
        return true;
    }
    *node = g->nodes;
    if (!add_node(g, &key, kind))
        return false;
    if (f.last)
        g->node[f.last - 1].flags |= STATE_AGAIN;
    return true;
}

/* The first step that leaves `from` leads to the next node, just found. */
static bool leads_on(const struct plumb_strategies_state_graph *g,
                     uint32_t from, uint32_t to, unsigned option)
{
    return to == from + 1 && to == g->nodes - 1 && option == 0 &&
           !(g->node[to].flags & STATE_FOLLOWS) &&
           !(g->edges && g->edge[g->edges - 1].from == from);
}

bool plumb_strategies_state_graph_connect(
    struct plumb_strategies_state_graph *g, uint32_t from, uint32_t to,
    unsigned thread, unsigned option)
{
    assert(from < g->nodes && to < g->nodes);
    if (leads_on(g, from, to, option)) {
        g->node[to].flags |= STATE_FOLLOWS;
        g->node[to].thread = (uint8_t)thread;
        return true;
    }
    if (g->edges == follows - 1 ||
        !PLUMB_GROW(g->budget, g->edge, g->edge_capacity, (size_t)g->edges + 1))
        return false;
    g->edge[g->edges++] =
        (struct plumb_strategies_state_edge){ .to = to,
                                              .from = from,
                                              .thread = (uint8_t)thread,
                                              .option = (uint8_t)option };
    return true;
}

/* ---- steps ---- */

bool plumb_strategies_state_graph_link(struct plumb_strategies_state_graph *g)
{
    assert(!g->first);
    g->first = plumb_base_alloc_zeroed(g->budget, g->nodes * sizeof *g->first);
    if (!g->first)
        return false;
    for (uint32_t i = 0; i < g->edges; i++) {
        uint32_t *const first = &g->first[g->edge[i].from];
        g->edge[i].from = *first;
        *first = i + 1;
    }
    return true;
}

struct plumb_strategies_state_step plumb_strategies_state_graph_step(
    const struct plumb_strategies_state_graph *g, uint32_t number)
{
    assert(number);
    if (number & follows)
        return (struct plumb_strategies_state_step){
            .to = number & ~follows, .thread = g->node[number & ~follows].thread
        };
    const struct plumb_strategies_state_edge *const e = g->edge + number - 1;
    return (struct plumb_strategies_state_step){ e->to, e->thread, e->option };
}

/* The step to the next node is the first that was found. */
static uint32_t step_on(const struct plumb_strategies_state_graph *g,
                        uint32_t node)
{
    const uint32_t next = node + 1;
    return next < g->nodes && g->node[next].flags & STATE_FOLLOWS
               ? follows | next
               : 0;
}

uint32_t plumb_strategies_state_graph_first(
    const struct plumb_strategies_state_graph *g, uint32_t node)
{
    assert(g->first && node < g->nodes);
    return g->first[node] ? g->first[node] : step_on(g, node);
}

uint32_t plumb_strategies_state_graph_next(
    const struct plumb_strategies_state_graph *g, uint32_t node,
    uint32_t number)
{
    if (number & follows)
        return 0;
    const uint32_t next = g->edge[number - 1].from;
    return next ? next : step_on(g, node);
}
