/* graph.c - edges, kept as they were made.
 *
 * All edges are in one array, those of a state side by side.  As long as
 * states are asked about in order (0, 1, 2, ...), the edges of s end where
 * those of s + 1 begin: it is enough to know how many each has, in a byte, and
 * where those of every 16th begin.  From the first state out of order on, or
 * with more edges than that, each has where they begin and how many. */
#include "graph.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include <assert.h>
#include <string.h>

#define UNMADE UINT32_MAX

enum { BLOCK = 16, MOST_FEW = UINT8_MAX };
enum { TOLD_EVERY = 4096 };
/* Edges between looks at the clock; a new state, whose terms may grow and take
 * long to make, counts as many. */
enum { LOOK_EVERY = 8192, NEW_STATE = LOOK_EVERY / 16, NEW_EDGE = 8 };

/* Where edges of a state begin, or UNMADE, and how many they are. */
struct span {
    uint32_t start, count;
};

struct plumb_csp_graph {
    struct plumb_csp_graph_source source;
    struct plumb_budget *budget;
    struct plumb_csp_edges edges;
    /* In order. */
    uint8_t *few;    /* edges of each state                           */
    uint32_t *block; /* where those of each BLOCK-th state begin       */
    size_t few_room, block_room;
    /* Out of order, then the others are not used. */
    bool scattered;
    struct span *span; /* of each state's edges                        */
    size_t span_room;
    uint32_t known; /* how many entries of span[] are valid            */
    uint32_t expanded;
    uint64_t *first; /* of the view; NULL until it is asked for          */
    struct plumb_csp_edge *sorted;
    uint64_t work; /* since the last look at the clock */
    bool unhurried;
    plumb_csp_graph_told *tell; /* or NULL */
    const char *phase;
    void *told;
};

/* A little more at a time once it is large: pages that were not touched
 * cost nothing, but the budget counts them. */
static bool grow_edges(struct plumb_csp_edges *e)
{
    enum { LARGE = 1 << 16 };
    const size_t more =
        e->capacity < LARGE ? e->capacity / 2 + 64 : e->capacity / 32;
    const size_t wanted = e->capacity + more;
    struct plumb_csp_edge *const moved =
        plumb_base_resize(e->budget, e->edge, e->capacity * sizeof *e->edge,
                          wanted * sizeof *e->edge);
    if (!moved)
        return false;
    e->edge = moved;
    e->capacity = wanted;
    return true;
}

bool plumb_csp_edges_add(struct plumb_csp_edges *edges, uint32_t event,
                         uint32_t target)
{
    if (edges->count == edges->capacity && !grow_edges(edges))
        return false;
    edges->edge[edges->count++] = (struct plumb_csp_edge){ event, target };
    return true;
}

enum plumb_status plumb_csp_graph_open(
    struct plumb_csp_graph **g, const struct plumb_csp_graph_source *source,
    struct plumb_budget *budget, struct plumb_error *err)
{
    struct plumb_csp_graph *const made =
        plumb_base_alloc_zeroed(budget, sizeof *made);
    if (!made)
        return plumb_base_fail_memory(err);
    made->source = *source;
    made->budget = made->edges.budget = budget;
    *g = made;
    return PLUMB_OK;
}

static void forget_view(struct plumb_csp_graph *g)
{
    const size_t states = plumb_csp_graph_states(g);
    if (g->first)
        PLUMB_RELEASE(g->budget, g->first, states + 1);
    if (g->sorted)
        PLUMB_RELEASE(g->budget, g->sorted, g->edges.count);
    g->first = NULL;
    g->sorted = NULL;
}

void plumb_csp_graph_free(struct plumb_csp_graph *g)
{
    if (!g)
        return;
    forget_view(g);
    PLUMB_RELEASE(g->budget, g->edges.edge, g->edges.capacity);
    PLUMB_RELEASE(g->budget, g->few, g->few_room);
    PLUMB_RELEASE(g->budget, g->block, g->block_room);
    PLUMB_RELEASE(g->budget, g->span, g->span_room);
    plumb_base_release(g->budget, g, sizeof *g);
}

void plumb_csp_graph_tell(struct plumb_csp_graph *g, plumb_csp_graph_told *tell,
                          const char *phase, void *context)
{
    g->tell = tell;
    g->phase = phase;
    g->told = context;
}

uint32_t plumb_csp_graph_states(const struct plumb_csp_graph *g)
{
    return g->source.states(g->source.context);
}

uint32_t plumb_csp_graph_expanded(const struct plumb_csp_graph *g)
{
    return g->expanded;
}

uint64_t plumb_csp_graph_edge_count(const struct plumb_csp_graph *g)
{
    return g->edges.count;
}

/* ---- where edges are ---- */

static uint32_t count_of(const struct plumb_csp_graph *g, uint32_t state)
{
    return g->scattered ? g->span[state].count : g->few[state];
}

static size_t start_of(const struct plumb_csp_graph *g, uint32_t state)
{
    if (g->scattered)
        return g->span[state].start;
    assert(state < g->expanded);
    size_t start = g->block[state / BLOCK];
    for (uint32_t s = state - state % BLOCK; s < state; s++)
        start += g->few[s];
    return start;
}

bool plumb_csp_graph_is_made(const struct plumb_csp_graph *g, uint32_t state)
{
    if (!g->scattered)
        return state < g->expanded;
    return state < g->known && g->span[state].start != UNMADE;
}

void plumb_csp_graph_fetch(const struct plumb_csp_graph *g, uint32_t state)
{
    if (g->scattered && state < g->known)
        __builtin_prefetch(g->span + state);
}

void plumb_csp_graph_fetch_edges(const struct plumb_csp_graph *g,
                                 uint32_t state)
{
    if (g->scattered && plumb_csp_graph_is_made(g, state))
        __builtin_prefetch(g->edges.edge + g->span[state].start);
}

/* Some more room, not twice as much: there are many states. */
static void *grown(struct plumb_budget *budget, void *array, size_t *room,
                   size_t need, size_t size)
{
    enum { FIRST = 256, LARGE = 1 << 16 };
    size_t wanted = *room + *room / (*room < LARGE ? 8 : 32) + FIRST;
    if (wanted < need)
        wanted = need;
    void *const moved =
        plumb_base_resize(budget, array, *room * size, wanted * size);
    if (!moved)
        return array;
    *room = wanted;
    return moved;
}

#define MAKE_ROOM(g, array, room, need)                                        \
    PLUMB_GROW_BY(grown, (g)->budget, array, room, need)

static bool make_room_in_order(struct plumb_csp_graph *g, uint32_t state)
{
    return MAKE_ROOM(g, g->few, g->few_room, (size_t)state + 1) &&
           MAKE_ROOM(g, g->block, g->block_room, (size_t)state / BLOCK + 1);
}

static bool make_room_scattered(struct plumb_csp_graph *g)
{
    const size_t need = plumb_csp_graph_states(g);
    if (!MAKE_ROOM(g, g->span, g->span_room, need))
        return false;
    for (; g->known < need; g->known++)
        g->span[g->known].start = UNMADE;
    return true;
}

/* From now on states may come in any order. */
static bool scatter(struct plumb_csp_graph *g)
{
    if (!make_room_scattered(g))
        return false;
    uint32_t start = 0;
    for (uint32_t s = 0; s < g->expanded; s++) {
        if (!plumb_base_in_time(g->budget, s))
            return false;
        g->span[s].start = start;
        g->span[s].count = g->few[s];
        start += g->few[s];
    }
    g->scattered = true;
    return true;
}

static bool note_in_order(struct plumb_csp_graph *g, uint32_t state,
                          size_t begin, size_t count)
{
    assert(state == g->expanded && count <= MOST_FEW);
    if (!make_room_in_order(g, state))
        return false;
    g->few[state] = (uint8_t)count;
    if (state % BLOCK == 0)
        g->block[state / BLOCK] = (uint32_t)begin;
    return true;
}

/* The edges of `state` are those from `begin` on. */
static bool note(struct plumb_csp_graph *g, uint32_t state, size_t begin)
{
    const size_t count = g->edges.count - begin;
    if (!g->scattered && state == g->expanded && count <= MOST_FEW)
        return note_in_order(g, state, begin, count);
    if (g->scattered ? !make_room_scattered(g) : !scatter(g))
        return false;
    assert(state < g->known && g->span[state].start == UNMADE);
    g->span[state].start = (uint32_t)begin;
    g->span[state].count = (uint32_t)count;
    return true;
}

/* ---- time ---- */

void plumb_csp_graph_unhurry(struct plumb_csp_graph *g)
{
    g->unhurried = true;
}

static enum plumb_status look_up(struct plumb_csp_graph *g,
                                 struct plumb_error *err)
{
    g->work = 0;
    return g->unhurried || plumb_budget_state(g->budget) == PLUMB_OK
               ? PLUMB_OK
               : plumb_base_fail_budget(g->budget, err);
}

static enum plumb_status spend(struct plumb_csp_graph *g, uint64_t work,
                               struct plumb_error *err)
{
    g->work += work;
    return g->work < LOOK_EVERY ? PLUMB_OK : look_up(g, err);
}

static uint64_t cost_of_state(const struct plumb_csp_graph *g, uint64_t edges)
{
    enum { MANY_WORDS = 256 };
    return (NEW_STATE + NEW_EDGE * edges) * (1 + g->source.words / MANY_WORDS);
}

/* ---- making edges ---- */

static enum plumb_status make(struct plumb_csp_graph *g, uint32_t state,
                              struct plumb_error *err)
{
    const size_t begin = g->edges.count;
    enum plumb_status status =
        g->source.edges(g->source.context, state, &g->edges, err);
    if (status == PLUMB_EMEMORY) /* time ends what makes room, too */
        status = plumb_base_fail_budget(g->budget, err);
    if (status == PLUMB_OK)
        status = spend(g, cost_of_state(g, g->edges.count - begin), err);
    if (status == PLUMB_OK &&
        (g->edges.count >= UNMADE || !note(g, state, begin)))
        status = plumb_base_fail_budget(g->budget, err);
    if (status == PLUMB_OK)
        g->expanded++;
    else
        g->edges.count = begin;
    if (g->tell && g->expanded % TOLD_EVERY == 0)
        g->tell(g->told, g->phase, g->expanded, 0);
    return status;
}

struct plumb_csp_outgoing plumb_csp_graph_edges(struct plumb_csp_graph *g,
                                                uint32_t state,
                                                struct plumb_error *err)
{
    assert(state == 0 || state < plumb_csp_graph_states(g));
    struct plumb_csp_outgoing out = { .status = PLUMB_OK };
    if (!plumb_csp_graph_is_made(g, state)) {
        forget_view(g);
        out.status = make(g, state, err);
    }
    if (out.status == PLUMB_OK)
        out.status = spend(g, count_of(g, state) + (uint64_t)1, err);
    if (out.status == PLUMB_OK)
        out.count = count_of(g, state);
    if (out.count)
        out.edge = g->edges.edge + start_of(g, state);
    return out;
}

enum plumb_status plumb_csp_graph_complete(struct plumb_csp_graph *g,
                                           uint32_t most,
                                           struct plumb_error *err)
{
    for (uint32_t s = 0; s < plumb_csp_graph_states(g) || s == 0; s++) {
        if (most && plumb_csp_graph_states(g) > most)
            return PLUMB_END;
        const struct plumb_csp_outgoing out = plumb_csp_graph_edges(g, s, err);
        PLUMB_TRY(out.status);
    }
    return PLUMB_OK;
}

static bool fill_first(struct plumb_csp_graph *g, uint32_t states)
{
    uint64_t at = 0;
    for (uint32_t s = 0; s < states; s++) {
        if (!plumb_base_in_time(g->budget, s))
            return false;
        g->first[s] = at;
        at += count_of(g, s);
    }
    g->first[states] = at;
    return true;
}

/* Edges in the order of states, if they were made in another. */
static bool sort_edges(struct plumb_csp_graph *g, uint32_t states)
{
    g->sorted = plumb_base_alloc(g->budget, g->edges.count * sizeof *g->sorted);
    if (!g->sorted)
        return g->edges.count == 0;
    for (uint32_t s = 0; s < states; s++) {
        if (!plumb_base_in_time(g->budget, s))
            return false;
        if (g->span[s].count)
            memcpy(g->sorted + g->first[s], g->edges.edge + g->span[s].start,
                   g->span[s].count * sizeof *g->sorted);
    }
    return true;
}

enum plumb_status plumb_csp_graph_lts(struct plumb_csp_graph *g,
                                      struct plumb_csp_lts *lts,
                                      struct plumb_error *err)
{
    const uint32_t states = plumb_csp_graph_states(g);
    assert(g->expanded == states);
    if (!g->first) {
        g->first = plumb_base_alloc(g->budget,
                                    ((size_t)states + 1) * sizeof *g->first);
        if (!g->first)
            return plumb_base_fail_memory(err);
        if (!fill_first(g, states) ||
            (g->scattered && !sort_edges(g, states))) {
            forget_view(g);
            return plumb_base_fail_budget(g->budget, err);
        }
    }
    *lts =
        (struct plumb_csp_lts){ .states = states,
                                .first = g->first,
                                .edge = g->sorted ? g->sorted : g->edges.edge };
    return PLUMB_OK;
}

/* ---- tables ---- */

static enum plumb_status table_edges(void *context, uint32_t state,
                                     struct plumb_csp_edges *out,
                                     struct plumb_error *err)
{
    const struct plumb_csp_lts *const lts = context;
    for (uint64_t i = lts->first[state]; i < lts->first[state + 1]; i++)
        if (!plumb_csp_edges_add(out, lts->edge[i].event, lts->edge[i].target))
            return plumb_base_fail_memory(err);
    return PLUMB_OK;
}

static uint32_t table_states(const void *context)
{
    const struct plumb_csp_lts *const lts = context;
    return lts->states;
}

struct plumb_csp_graph_source plumb_csp_lts_source(struct plumb_csp_lts *lts)
{
    return (struct plumb_csp_graph_source){ lts, table_edges, table_states, 0 };
}
