/* ltl_product.c - the arcs of places, one after the other.
 *
 * Arcs are not kept: the graph keeps its edges and the automaton its moves.
 * What is kept is what costs: which atoms hold where an edge leads, and who
 * takes part in it. */
#include "ltl_product.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/pace.h"
#include <assert.h>

void plumb_refine_ltl_product_init(struct plumb_refine_ltl_product *p,
                                   struct plumb_csp_graph *g,
                                   struct plumb_refine_ltl_automaton *a,
                                   const struct plumb_refine_labels *labels,
                                   uint32_t atoms, bool actors,
                                   struct plumb_budget *budget,
                                   struct plumb_error *err)
{
    *p = (struct plumb_refine_ltl_product){ .g = g,
                                            .a = a,
                                            .labels = labels,
                                            .budget = budget,
                                            .err = err,
                                            .atoms = atoms,
                                            .actors = actors };
    plumb_base_pairs_init(&p->places, budget);
}

void plumb_refine_ltl_product_release(struct plumb_refine_ltl_product *p)
{
    struct plumb_budget *const b = p->budget;
    plumb_base_pairs_release(&p->places);
    PLUMB_RELEASE(b, p->letter, p->letter_room);
    PLUMB_RELEASE(b, p->mask, p->mask_room);
    PLUMB_RELEASE(b, p->first, p->first_room);
}

/* ---- edges ---- */

/* The atoms of a configuration; `event` is UINT32_MAX if there is none. */
static enum plumb_status read_letter(struct plumb_refine_ltl_product *p,
                                     uint32_t event, uint32_t state,
                                     uint64_t *atoms)
{
    *atoms = 0;
    for (uint32_t i = 0; i < p->atoms; i++) {
        bool yes = false;
        PLUMB_TRY(p->labels->holds(p->labels->context, i, event, state, &yes,
                                   p->err));
        *atoms |= (uint64_t)yes << i;
    }
    return PLUMB_OK;
}

static bool room_for_edges(struct plumb_refine_ltl_product *p, uint32_t state,
                           uint32_t count)
{
    const size_t need = p->edges + count;
    if (!PLUMB_GROW(p->budget, p->letter, p->letter_room, need) ||
        !PLUMB_GROW(p->budget, p->first, p->first_room, (size_t)state + 1))
        return false;
    for (; p->firsts <= state; p->firsts++)
        p->first[p->firsts] = 0;
    return !p->actors || PLUMB_GROW(p->budget, p->mask, p->mask_room, need);
}

static enum plumb_status ask_about_edge(struct plumb_refine_ltl_product *p,
                                        uint32_t state, uint32_t i,
                                        struct plumb_csp_edge edge)
{
    const enum plumb_status status =
        read_letter(p, edge.event, edge.target, p->letter + p->edges + i);
    if (status != PLUMB_OK || !p->actors)
        return status;
    return p->labels->actors(p->labels->context, state, i,
                             p->mask + p->edges + i, p->err);
}

/* What is to know about the edges of `state` is known. */
static enum plumb_status know_edges(struct plumb_refine_ltl_product *p,
                                    uint32_t state,
                                    struct plumb_csp_outgoing out)
{
    if (state < p->firsts && p->first[state])
        return PLUMB_OK;
    if (!room_for_edges(p, state, out.count))
        return plumb_base_fail_budget(p->budget, p->err);
    for (uint32_t i = 0; i < out.count; i++)
        PLUMB_TRY(ask_about_edge(p, state, i, out.edge[i]));
    p->first[state] = p->edges + 1;
    p->edges += out.count;
    return PLUMB_OK;
}

/* ---- arcs ---- */

void plumb_refine_ltl_cursor_begin(struct plumb_refine_ltl_cursor *c)
{
    *c = (struct plumb_refine_ltl_cursor){ .edges = 1, .stays = true };
}

enum plumb_status plumb_refine_ltl_cursor_at(struct plumb_refine_ltl_product *p,
                                             uint32_t place,
                                             struct plumb_refine_ltl_cursor *c)
{
    assert(place < p->places.count);
    const struct plumb_base_pair at = plumb_base_pairs_at(&p->places, place);
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(p->g, at.left, p->err);
    PLUMB_TRY(out.status);
    *c = (struct plumb_refine_ltl_cursor){ .state = at.left,
                                           .node = at.right,
                                           .edges = out.count ? out.count : 1,
                                           .stays = !out.count };
    if (!out.count)
        return PLUMB_OK;
    const enum plumb_status status = know_edges(p, at.left, out);
    if (status != PLUMB_OK || !p->actors)
        return status;
    for (uint32_t i = 0; i < out.count; i++)
        c->enabled |= p->mask[p->first[at.left] - 1 + i];
    return PLUMB_OK;
}

/* Look at the edge the cursor is at. */
static enum plumb_status load_edge(struct plumb_refine_ltl_product *p,
                                   struct plumb_refine_ltl_cursor *c)
{
    if (c->stays) {
        c->target = c->state;
        return read_letter(p, UINT32_MAX, c->state, &c->letter);
    }
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(p->g, c->state, p->err);
    PLUMB_TRY(out.status);
    const uint64_t known = p->first[c->state] - 1 + c->edge;
    c->target = out.edge[c->edge].target;
    c->letter = p->letter[known];
    c->actors = p->actors ? p->mask[known] : 0;
    return PLUMB_OK;
}

enum plumb_status plumb_refine_ltl_cursor_resume(
    struct plumb_refine_ltl_product *p, uint32_t place, uint32_t edge,
    uint32_t move, struct plumb_refine_ltl_cursor *c)
{
    PLUMB_TRY(plumb_refine_ltl_cursor_at(p, place, c));
    c->edge = edge;
    c->move = move;
    return move ? load_edge(p, c) : PLUMB_OK;
}

static enum plumb_status give(struct plumb_refine_ltl_product *p,
                              const struct plumb_refine_ltl_cursor *c,
                              const struct plumb_refine_ltl_move *m,
                              struct plumb_refine_ltl_arc *arc)
{
    *arc = (struct plumb_refine_ltl_arc){
        .edge = c->stays ? PLUMB_LTL_STAYS : c->edge,
        .kept = plumb_refine_ltl_automaton_untils(p->a) & ~m->promises,
        .actors = c->actors,
        .enabled = c->enabled,
    };
    arc->place = plumb_base_pairs_number(
        &p->places, (struct plumb_base_pair){ c->target, m->target });
    return arc->place == UINT32_MAX ? plumb_base_fail_budget(p->budget, p->err)
                                    : PLUMB_OK;
}

enum plumb_status plumb_refine_ltl_cursor_next(
    struct plumb_refine_ltl_product *p, struct plumb_refine_ltl_cursor *c,
    struct plumb_refine_ltl_arc *arc)
{
    for (; c->edge < c->edges; c->edge++, c->move = 0) {
        const struct plumb_refine_ltl_move *m;
        uint32_t count;
        if (c->move == 0)
            PLUMB_TRY(load_edge(p, c));
        m = plumb_refine_ltl_automaton_moves(p->a, c->node, &count);
        if (!m)
            return plumb_base_fail_budget(p->budget, p->err);
        while (c->move < count) {
            const struct plumb_refine_ltl_move *const this = m + c->move++;
            if (!(this->wants & ~c->letter) && !(this->forbids & c->letter))
                return give(p, c, this, arc);
        }
    }
    return PLUMB_END;
}
