/* ltl_product.c - the arcs of places, one after the other.
 *
 * Arcs are not kept: the graph keeps its edges and the automaton its moves.
 * What is kept is what costs: which atoms hold of a configuration, and who
 * takes part in an edge. */
#include "model/ltl_product.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include <string.h>

void plumb_ltl_product_init(struct plumb_ltl_product *p, struct plumb_graph *g,
                            struct plumb_ltl_automaton *a,
                            const struct plumb_labels *labels, uint32_t atoms,
                            bool actors, struct plumb_budget *budget,
                            struct plumb_error *err)
{
    *p = (struct plumb_ltl_product){ .g = g,
                                     .a = a,
                                     .labels = labels,
                                     .budget = budget,
                                     .err = err,
                                     .atoms = atoms,
                                     .actors = actors };
}

void plumb_ltl_product_release(struct plumb_ltl_product *p)
{
    struct plumb_budget *const b = p->budget;
    plumb_release(b, p->place, p->place_room * sizeof *p->place);
    plumb_release(b, p->index, p->index_room * sizeof *p->index);
    plumb_release(b, p->letter, p->letter_room * sizeof *p->letter);
    plumb_release(b, p->mask, p->mask_room * sizeof *p->mask);
    plumb_release(b, p->masks_of, p->masks_of_room * sizeof *p->masks_of);
}

/* ---- places ---- */

static bool grow_index(struct plumb_ltl_product *p)
{
    const size_t room = p->index_room ? 2 * p->index_room : 256;
    uint32_t *const index = plumb_alloc_zeroed(p->budget, room * sizeof *index);
    if (!index)
        return false;
    for (size_t n = 0; n < p->places; n++) {
        size_t i = plumb_mix(p->place[n].state, p->place[n].node) & (room - 1);
        while (index[i])
            i = (i + 1) & (room - 1);
        index[i] = (uint32_t)n + 1;
    }
    plumb_release(p->budget, p->index, p->index_room * sizeof *index);
    p->index = index;
    p->index_room = room;
    return true;
}

/* The number of a place, UINT32_MAX if memory is refused. */
static uint32_t place_of(struct plumb_ltl_product *p, uint32_t state,
                         uint32_t node)
{
    size_t i;
    if (2 * (p->places + 1) > p->index_room && !grow_index(p))
        return UINT32_MAX;
    i = plumb_mix(state, node) & (p->index_room - 1);
    for (; p->index[i]; i = (i + 1) & (p->index_room - 1)) {
        const struct plumb_ltl_place *const at = p->place + p->index[i] - 1;
        if (at->state == state && at->node == node)
            return p->index[i] - 1;
    }
    if (p->places >= UINT32_MAX - 2 ||
        !plumb_grow(p->budget, (void **)&p->place, &p->place_room,
                    p->places + 1, sizeof *p->place))
        return UINT32_MAX;
    p->place[p->places] = (struct plumb_ltl_place){ state, node };
    p->index[i] = (uint32_t)++p->places;
    return (uint32_t)p->places - 1;
}

/* ---- which atoms hold ---- */

static size_t letter_at(const struct plumb_ltl_letter *letter, size_t room,
                        uint32_t event, uint32_t state)
{
    size_t i = plumb_mix(event, state) & (room - 1);
    while ((letter[i].event || letter[i].state) &&
           (letter[i].event != event || letter[i].state != state))
        i = (i + 1) & (room - 1);
    return i;
}

static bool grow_letters(struct plumb_ltl_product *p)
{
    const size_t room = p->letter_room ? 2 * p->letter_room : 256;
    struct plumb_ltl_letter *const letter =
        plumb_alloc_zeroed(p->budget, room * sizeof *letter);
    if (!letter)
        return false;
    for (size_t i = 0; i < p->letter_room; i++) {
        const struct plumb_ltl_letter *const l = p->letter + i;
        if (l->event || l->state)
            letter[letter_at(letter, room, l->event, l->state)] = *l;
    }
    plumb_release(p->budget, p->letter, p->letter_room * sizeof *letter);
    p->letter = letter;
    p->letter_room = room;
    return true;
}

static enum plumb_status ask_atoms(struct plumb_ltl_product *p, uint32_t event,
                                   uint32_t state, uint64_t *atoms)
{
    *atoms = 0;
    for (uint32_t i = 0; i < p->atoms; i++) {
        bool yes = false;
        const enum plumb_status status =
            p->labels->holds(p->labels->context, i, event, state, &yes, p->err);
        if (status != PLUMB_OK)
            return status;
        *atoms |= (uint64_t)yes << i;
    }
    return PLUMB_OK;
}

/* The atoms of a configuration; `event` is UINT32_MAX if there is none. */
static enum plumb_status read_letter(struct plumb_ltl_product *p,
                                     uint32_t event, uint32_t state,
                                     uint64_t *atoms)
{
    enum plumb_status status;
    size_t i;
    if (2 * (p->letters + 1) > p->letter_room && !grow_letters(p))
        return plumb_fail_memory(p->err);
    i = letter_at(p->letter, p->letter_room, event + 1, state + 1);
    if (p->letter[i].state) {
        *atoms = p->letter[i].atoms;
        return PLUMB_OK;
    }
    status = ask_atoms(p, event, state, atoms);
    if (status != PLUMB_OK)
        return status;
    p->letter[i] = (struct plumb_ltl_letter){ event + 1, state + 1, *atoms };
    p->letters++;
    return PLUMB_OK;
}

/* ---- who takes part ---- */

static bool room_for_masks(struct plumb_ltl_product *p, uint32_t state,
                           uint32_t count)
{
    if (p->masks + count >= UINT32_MAX - 1)
        return false;
    if (!plumb_grow(p->budget, (void **)&p->mask, &p->mask_room,
                    p->masks + count + 1, sizeof *p->mask) ||
        !plumb_grow(p->budget, (void **)&p->masks_of, &p->masks_of_room,
                    (size_t)state + 1, sizeof *p->masks_of))
        return false;
    for (; p->masked <= state; p->masked++)
        p->masks_of[p->masked] = 0;
    return true;
}

/* The masks of the edges of `state` are there. */
static enum plumb_status make_masks(struct plumb_ltl_product *p, uint32_t state,
                                    uint32_t count)
{
    if (state < p->masked && p->masks_of[state])
        return PLUMB_OK;
    if (!room_for_masks(p, state, count))
        return plumb_fail_memory(p->err);
    for (uint32_t i = 0; i < count; i++) {
        const enum plumb_status status = p->labels->actors(
            p->labels->context, state, i, p->mask + p->masks + i, p->err);
        if (status != PLUMB_OK)
            return status;
    }
    p->masks_of[state] = (uint32_t)p->masks + 1;
    p->masks += count;
    return PLUMB_OK;
}

/* ---- arcs ---- */

void plumb_ltl_cursor_begin(struct plumb_ltl_cursor *c)
{
    *c = (struct plumb_ltl_cursor){ .edges = 1, .stays = true };
}

enum plumb_status plumb_ltl_cursor_at(struct plumb_ltl_product *p,
                                      uint32_t place,
                                      struct plumb_ltl_cursor *c)
{
    const struct plumb_ltl_place at = p->place[place];
    const struct plumb_edge *edge;
    uint32_t count;
    enum plumb_status status =
        plumb_graph_edges(p->g, at.state, &edge, &count, p->err);
    if (status != PLUMB_OK)
        return status;
    *c = (struct plumb_ltl_cursor){ .state = at.state,
                                    .node = at.node,
                                    .edges = count ? count : 1,
                                    .stays = !count };
    if (!p->actors || !count)
        return PLUMB_OK;
    status = make_masks(p, at.state, count);
    for (uint32_t i = 0; status == PLUMB_OK && i < count; i++)
        c->enabled |= p->mask[p->masks_of[at.state] - 1 + i];
    return status;
}

/* Look at the edge the cursor is at. */
static enum plumb_status load_edge(struct plumb_ltl_product *p,
                                   struct plumb_ltl_cursor *c)
{
    const struct plumb_edge *edge;
    enum plumb_status status;
    uint32_t count, event;
    if (c->stays) {
        c->target = c->state;
        return read_letter(p, UINT32_MAX, c->state, &c->letter);
    }
    status = plumb_graph_edges(p->g, c->state, &edge, &count, p->err);
    if (status != PLUMB_OK)
        return status;
    c->target = edge[c->edge].target;
    event = edge[c->edge].event;
    if (p->actors)
        c->actors = p->mask[p->masks_of[c->state] - 1 + c->edge];
    return read_letter(p, event, c->target, &c->letter);
}

enum plumb_status plumb_ltl_cursor_resume(struct plumb_ltl_product *p,
                                          uint32_t place, uint32_t edge,
                                          uint32_t move,
                                          struct plumb_ltl_cursor *c)
{
    enum plumb_status status = plumb_ltl_cursor_at(p, place, c);
    if (status != PLUMB_OK)
        return status;
    c->edge = edge;
    c->move = move;
    return move ? load_edge(p, c) : PLUMB_OK;
}

static enum plumb_status give(struct plumb_ltl_product *p,
                              const struct plumb_ltl_cursor *c,
                              const struct plumb_ltl_move *m,
                              struct plumb_ltl_arc *arc)
{
    *arc = (struct plumb_ltl_arc){
        .edge = c->stays ? PLUMB_LTL_STAYS : c->edge,
        .kept = plumb_ltl_automaton_untils(p->a) & ~m->promises,
        .actors = c->actors,
        .enabled = c->enabled,
    };
    arc->place = place_of(p, c->target, m->target);
    return arc->place == UINT32_MAX ? plumb_fail_memory(p->err) : PLUMB_OK;
}

enum plumb_status plumb_ltl_cursor_next(struct plumb_ltl_product *p,
                                        struct plumb_ltl_cursor *c,
                                        struct plumb_ltl_arc *arc)
{
    for (; c->edge < c->edges; c->edge++, c->move = 0) {
        const struct plumb_ltl_move *m;
        uint32_t count;
        if (c->move == 0) {
            const enum plumb_status status = load_edge(p, c);
            if (status != PLUMB_OK)
                return status;
        }
        m = plumb_ltl_automaton_moves(p->a, c->node, &count);
        if (!m)
            return plumb_fail_memory(p->err);
        while (c->move < count) {
            const struct plumb_ltl_move *const this = m + c->move++;
            if (!(this->wants & ~c->letter) && !(this->forbids & c->letter))
                return give(p, c, this, arc);
        }
    }
    return PLUMB_END;
}
