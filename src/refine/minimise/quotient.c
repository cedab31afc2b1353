/* quotient.c - one state for each block.
 *
 * The node with the lowest number in a block has no tau to another node of the
 * block (condensed.h), so its own edges are all that the block can do: only
 * its states are looked at.  If the block diverges, there is a cycle in it. */
#include "bisimulation.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/sort_numbers.h"
#include "condensed.h"
#include <assert.h>

struct making {
    const struct plumb_csp_lts *lts;
    const struct plumb_refine_partition *p;
    struct plumb_refine_condensed nodes;
    uint32_t *lowest; /* node of each block                     */
    uint64_t *at;     /* where the next edge of a block belongs */
    uint64_t *word;   /* edges, as one word each                */
    uint64_t words;
    bool divergence;
    struct plumb_base_pace pace;
};

static bool is_inert(const struct making *m, uint32_t state,
                     struct plumb_csp_edge edge)
{
    return edge.event == PLUMB_TAU &&
           m->p->block[edge.target] == m->p->block[state];
}

static bool speaks(const struct making *m, uint32_t state)
{
    return m->nodes.node[state] == m->lowest[m->p->block[state]];
}

static bool find_lowest(struct making *m)
{
    if (!plumb_base_paced_set(m->pace.budget, m->lowest, 0xff,
                              m->p->blocks * sizeof *m->lowest))
        return false;
    for (uint32_t s = 0; s < m->p->states; s++) {
        uint32_t *const low = m->lowest + m->p->block[s];
        if (!plumb_base_pace_allows(&m->pace, 1))
            return false;
        if (m->nodes.node[s] < *low)
            *low = m->nodes.node[s];
    }
    return true;
}

static bool has_loop(const struct making *m, uint32_t block)
{
    return m->divergence && m->nodes.cycle[m->lowest[block]];
}

static uint64_t degree(const struct making *m, uint32_t state)
{
    return m->lts->first[state + 1] - m->lts->first[state];
}

/* The next edge of a block: while they are only counted, `word` is NULL. */
static void add_edge(struct making *m, uint32_t block, uint32_t event,
                     uint32_t target)
{
    uint64_t *const at = m->at + block + !m->word;
    if (m->word)
        m->word[*at] = ((uint64_t)event << 32) | target;
    ++*at;
}

static void add_edges_of(struct making *m, uint32_t s)
{
    for (uint64_t i = m->lts->first[s]; i < m->lts->first[s + 1]; i++) {
        const struct plumb_csp_edge e = m->lts->edge[i];
        if (!is_inert(m, s, e))
            add_edge(m, m->p->block[s], e.event, m->p->block[e.target]);
    }
}

static bool add_edges(struct making *m)
{
    for (uint32_t b = 0; b < m->p->blocks; b++) {
        if (!plumb_base_pace_allows(&m->pace, 1))
            return false;
        if (has_loop(m, b))
            add_edge(m, b, PLUMB_TAU, b);
    }
    for (uint32_t s = 0; s < m->p->states; s++) {
        if (!plumb_base_pace_allows(&m->pace, 1 + degree(m, s)))
            return false;
        if (speaks(m, s))
            add_edges_of(m, s);
    }
    return true;
}

/* at[b + 1] is the number of edges of b, and becomes where those of b + 1
 * begin; adding them moves at[b] to where the edges of b end. */
static bool lay_out(struct making *m)
{
    for (uint32_t b = 0; b < m->p->blocks; b++) {
        if (!plumb_base_pace_allows(&m->pace, 1))
            return false;
        m->at[b + 1] += m->at[b];
    }
    m->words = m->at[m->p->blocks];
    return true;
}

/* Sort the edges of each block and keep each once: so many. */
static bool merge_edges(struct making *m, uint64_t *first, uint64_t *edges)
{
    uint64_t begin = 0, kept = 0;
    for (uint32_t b = 0; b < m->p->blocks; b++) {
        const uint64_t end = m->at[b];
        assert(begin <= end && end <= m->words);
        if (!plumb_base_pace_allows(&m->pace, 1 + 4 * (end - begin)) ||
            !plumb_base_sort_words(m->pace.budget, m->word + begin,
                                   (size_t)(end - begin)))
            return false;
        first[b] = kept;
        for (uint64_t i = begin; i < end; i++)
            if (kept == first[b] || m->word[kept - 1] != m->word[i])
                m->word[kept++] = m->word[i];
        begin = end;
    }
    first[m->p->blocks] = *edges = kept;
    return true;
}

static bool fill(struct making *m, struct plumb_budget *budget,
                 struct plumb_refine_quotient *q)
{
    const size_t blocks = m->p->blocks;
    m->lowest = plumb_base_alloc(budget, blocks * sizeof *m->lowest);
    m->at = plumb_base_alloc_zeroed(budget, (blocks + 1) * sizeof *m->at);
    q->first = plumb_base_alloc(budget, (blocks + 1) * sizeof *q->first);
    if (!m->lowest || !m->at || !q->first || !find_lowest(m) || !add_edges(m) ||
        !lay_out(m))
        return false;
    m->word = plumb_base_alloc(budget, m->words * sizeof *m->word);
    if (!m->word || !add_edges(m) || !merge_edges(m, q->first, &q->edges))
        return false;
    q->edge = plumb_base_alloc(budget, q->edges * sizeof *q->edge);
    if (!q->edge)
        return false;
    for (uint64_t i = 0; i < q->edges; i++) {
        if (!plumb_base_pace_allows(&m->pace, 1))
            return false;
        q->edge[i] = (struct plumb_csp_edge){ (uint32_t)(m->word[i] >> 32),
                                              (uint32_t)m->word[i] };
    }
    return true;
}

static void release(struct making *m, struct plumb_budget *budget)
{
    const size_t blocks = m->p->blocks;
    PLUMB_RELEASE(budget, m->lowest, blocks);
    PLUMB_RELEASE(budget, m->at, blocks + 1);
    PLUMB_RELEASE(budget, m->word, m->words);
    plumb_refine_condensed_release(&m->nodes);
}

enum plumb_status plumb_refine_quotient(const struct plumb_csp_lts *lts,
                                        const struct plumb_refine_partition *p,
                                        bool divergence,
                                        struct plumb_budget *budget,
                                        struct plumb_refine_quotient *q,
                                        struct plumb_error *err)
{
    assert(p->states == lts->states && p->blocks <= p->states);
    struct making m = { .lts = lts,
                        .p = p,
                        .divergence = divergence,
                        .pace = { .budget = budget } };
    enum plumb_status status =
        plumb_refine_condensed_nodes(&m.nodes, lts, budget, err);
    *q = (struct plumb_refine_quotient){ .lts = { .states = p->blocks } };
    if (status != PLUMB_OK)
        return status;
    if (!fill(&m, budget, q)) {
        plumb_refine_quotient_release(q, budget);
        status = plumb_base_fail_budget(budget, err);
    }
    q->lts.first = q->first;
    q->lts.edge = q->edge;
    release(&m, budget);
    return status;
}

void plumb_refine_quotient_release(struct plumb_refine_quotient *q,
                                   struct plumb_budget *budget)
{
    PLUMB_RELEASE(budget, q->first, ((size_t)q->lts.states + 1));
    PLUMB_RELEASE(budget, q->edge, q->edges);
    *q = (struct plumb_refine_quotient){ .edges = 0 };
}
