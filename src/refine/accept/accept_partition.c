/* accept_partition.c - is a partition a branching bisimulation?
 *
 * A tau inside a block is *inert*.  The other steps of a state are its offers:
 * (event, block it leads to).  The partition is a branching bisimulation if
 * each state can come by inert taus to every offer that some state of its block
 * has.  States on a cycle of inert taus come to the same; take such a strongly
 * connected *component* as one.  From every state inert taus lead to a component
 * that no inert tau leaves, and from there to nowhere else.  So it is enough,
 * and needed, that each such last component has all offers of its block by
 * itself.  With divergence: if a block has a component that goes round, so must
 * all its last components.
 *
 * Components by Tarjan's algorithm; all else is counting. */
#include "accept_partition.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/pair_index.h"
#include <string.h>

struct frame {
    uint32_t state, next; /* edge to look at */
};

struct checking {
    const struct plumb_refine_pieces *of;
    const struct plumb_refine_partition *p;
    bool divergence;
    struct plumb_budget *budget;
    struct plumb_refine_blocks *blocks;
    uint32_t states, components;
    uint32_t *component; /* of each state; the next four are behind it */
    uint32_t *order;     /* of states: by block, then by component */
    /* Tarjan's: numbers of states, least number that is reached, stacks. */
    uint32_t *index, *low, *stack;
    struct frame *frame;
    /* Offers have numbers, and say where they were seen last. */
    struct plumb_base_pairs offers; /* an event and a block */
    uint32_t *in_block, *in_component;
    size_t in_block_room, in_component_room;
    struct plumb_base_pace pace;
};

static const struct plumb_csp_edge *edges_of(const struct checking *c,
                                             uint32_t s, uint32_t *count,
                                             uint32_t *offset)
{
    const struct plumb_csp_lts *lts = c->of->one;
    *offset = 0;
    if (s >= lts->states) {
        *offset = lts->states;
        s -= lts->states;
        lts = c->of->two;
    }
    *count = (uint32_t)(lts->first[s + 1] - lts->first[s]);
    return lts->edge + lts->first[s];
}

static bool is_inert(const struct checking *c, uint32_t s, uint32_t event,
                     uint32_t target)
{
    return event == PLUMB_TAU && c->p->block[s] == c->p->block[target];
}

/* ---- components ---- */

struct tarjan {
    uint32_t numbered, waiting, depth; /* lengths of the stacks */
};

/* What goes through states is false if there is no time for it. */
static bool enter(struct checking *c, struct tarjan *t, uint32_t s)
{
    uint32_t count, offset;
    (void)edges_of(c, s, &count, &offset);
    c->index[s] = c->low[s] = ++t->numbered;
    c->stack[t->waiting++] = s;
    c->frame[t->depth++] = (struct frame){ s, 0 };
    return plumb_base_pace_allows(&c->pace, (uint64_t)count + 2);
}

/* s is done: if nothing lower is reached, what waits above it is its component.
 */
static bool leave(struct checking *c, struct tarjan *t, uint32_t s)
{
    if (--t->depth) {
        const uint32_t below = c->frame[t->depth - 1].state;
        if (c->low[s] < c->low[below])
            c->low[below] = c->low[s];
    }
    if (c->low[s] != c->index[s])
        return true;
    uint32_t member;
    do {
        if (!plumb_base_pace_allows(&c->pace, 1))
            return false;
        member = c->stack[--t->waiting];
        c->component[member] = c->components;
    } while (member != s);
    c->components++;
    return true;
}

/* The next edge of the state on top. */
static bool advance(struct checking *c, struct tarjan *t)
{
    struct frame *const f = c->frame + t->depth - 1;
    uint32_t count, offset;
    const struct plumb_csp_edge *const edge =
        edges_of(c, f->state, &count, &offset);
    while (f->next < count) {
        const struct plumb_csp_edge *const e = edge + f->next++;
        const uint32_t target = e->target + offset;
        if (!is_inert(c, f->state, e->event, target))
            continue;
        if (!c->index[target])
            return enter(c, t, target);
        if (c->component[target] == UINT32_MAX &&
            c->index[target] < c->low[f->state])
            c->low[f->state] = c->index[target];
    }
    return leave(c, t, f->state);
}

static bool find_components(struct checking *c)
{
    struct tarjan t = { 0, 0, 0 };
    bool good = plumb_base_paced_set(c->budget, c->component, 0xff,
                                     c->states * sizeof *c->component);
    for (uint32_t s = 0; good && s < c->states; s++) {
        good =
            c->index[s] ? plumb_base_pace_allows(&c->pace, 1) : enter(c, &t, s);
        while (good && t.depth)
            good = advance(c, &t);
    }
    return good;
}

/* ---- order ---- */

/* Sort states from[] by key[] into to[], keeping order among equals.  Tarjan's
 * arrays are free again: one counts. */
static bool sort_by(struct checking *c, const uint32_t *key, uint32_t keys,
                    const uint32_t *from, uint32_t *to)
{
    uint32_t *const count = c->index;
    if (!plumb_base_paced_set(c->budget, count, 0,
                              ((size_t)keys + 1) * sizeof *count))
        return false;
    for (uint32_t i = 0; i < c->states; i++) {
        if (!plumb_base_pace_allows(&c->pace, 1))
            return false;
        count[key[i] + 1]++;
    }
    for (uint32_t k = 0; k < keys; k++) {
        if (!plumb_base_pace_allows(&c->pace, 1))
            return false;
        count[k + 1] += count[k];
    }
    for (uint32_t i = 0; i < c->states; i++) {
        if (!plumb_base_pace_allows(&c->pace, 1))
            return false;
        to[count[key[from[i]]]++] = from[i];
    }
    return true;
}

static bool put_in_order(struct checking *c)
{
    for (uint32_t s = 0; s < c->states; s++) {
        if (!plumb_base_pace_allows(&c->pace, 1))
            return false;
        c->stack[s] = s;
    }
    return sort_by(c, c->component, c->components, c->stack, c->low) &&
           sort_by(c, c->p->block, c->p->blocks, c->low, c->order);
}

/* ---- offers ---- */

/* UINT32_MAX: no memory. */
static uint32_t offer_number(struct checking *c, uint32_t event, uint32_t block)
{
    const size_t need = c->offers.count + (size_t)1;
    struct plumb_budget *const b = c->budget;
    if (!PLUMB_GROW_ZEROED(b, c->in_block, c->in_block_room, need) ||
        !PLUMB_GROW_ZEROED(b, c->in_component, c->in_component_room, need))
        return UINT32_MAX;
    return plumb_base_pairs_number(&c->offers,
                                   (struct plumb_base_pair){ event, block });
}

/* ---- a block ---- */

struct tally {
    uint32_t block, offers;    /* different ones of the block          */
    uint32_t component, own;   /* of the component that is being looked at */
    bool last, round;          /* no inert tau leaves it; one goes round */
    uint32_t least;            /* offers of a last component               */
    bool all_round, any_round; /* of last components; of all             */
};

static bool emit(struct checking *c, uint32_t event, uint32_t target)
{
    struct plumb_refine_blocks *const b = c->blocks;
    if (!b)
        return true;
    return PLUMB_APPEND(c->budget, b->edge, b->edges, b->room,
                        (struct plumb_csp_edge){ event, target });
}

static void end_component(struct tally *t)
{
    t->any_round |= t->round;
    if (!t->last)
        return;
    t->all_round &= t->round;
    if (t->own < t->least)
        t->least = t->own;
}

static bool take_offer(struct checking *c, struct tally *t, uint32_t event,
                       uint32_t target)
{
    const uint32_t block = c->p->block[target];
    const uint32_t n = offer_number(c, event, block);
    if (n == UINT32_MAX)
        return false;
    if (c->in_component[n] != t->component + 1) {
        c->in_component[n] = t->component + 1;
        t->own++;
    }
    if (c->in_block[n] == t->block + 1)
        return true;
    c->in_block[n] = t->block + 1;
    t->offers++;
    return emit(c, event, block);
}

static bool take_state(struct checking *c, struct tally *t, uint32_t s)
{
    uint32_t count, offset;
    const struct plumb_csp_edge *const edge = edges_of(c, s, &count, &offset);
    if (!plumb_base_pace_allows(&c->pace, 4 + 4 * (uint64_t)count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t target = edge[i].target + offset;
        if (!is_inert(c, s, edge[i].event, target)) {
            if (!take_offer(c, t, edge[i].event, target))
                return false;
        } else if (c->component[target] == t->component) {
            t->round = true;
        } else {
            t->last = false;
        }
    }
    return true;
}

/* States order[begin..*end) are the block. */
static bool take_block(struct checking *c, struct tally *t, uint32_t begin,
                       uint32_t *end)
{
    for (*end = begin; *end < c->states; ++*end) {
        const uint32_t s = c->order[*end];
        if (c->p->block[s] != t->block)
            break;
        if (*end == begin || c->component[s] != t->component) {
            if (*end > begin)
                end_component(t);
            t->component = c->component[s];
            t->own = 0;
            t->last = true;
            t->round = false;
        }
        if (!take_state(c, t, s))
            return false;
    }
    if (begin < *end)
        end_component(t);
    return !c->divergence || !t->any_round || emit(c, PLUMB_TAU, t->block);
}

static enum plumb_status take_blocks(struct checking *c, bool *yes,
                                     struct plumb_error *err)
{
    uint32_t at = 0;
    for (uint32_t b = 0; *yes && b < c->p->blocks; b++) {
        struct tally t = { .block = b, .least = UINT32_MAX, .all_round = true };
        const uint32_t begin = at;
        if (c->blocks)
            c->blocks->first[b] = c->blocks->edges;
        if (!take_block(c, &t, begin, &at))
            return plumb_base_fail_budget(c->budget, err);
        *yes = begin == at || (t.least == t.offers &&
                               (!c->divergence || !t.any_round || t.all_round));
    }
    if (c->blocks)
        c->blocks->first[c->p->blocks] = c->blocks->edges;
    return PLUMB_OK;
}

/* ---- all of it ---- */

static bool reserve(struct checking *c)
{
    const size_t n = c->states + (size_t)2;
    struct plumb_budget *const b = c->budget;
    c->component = plumb_base_alloc_zeroed(b, 5 * n * sizeof *c->component);
    c->frame = plumb_base_alloc(b, n * sizeof *c->frame);
    if (c->blocks)
        c->blocks->first =
            plumb_base_alloc(b, ((size_t)c->p->blocks + 1) * sizeof(uint64_t));
    if (!c->component || !c->frame || (c->blocks && !c->blocks->first))
        return false;
    c->order = c->component + n;
    c->index = c->order + n;
    c->low = c->index + n;
    c->stack = c->low + n;
    return true;
}

static void release(struct checking *c)
{
    const size_t n = c->states + (size_t)2;
    struct plumb_budget *const b = c->budget;
    PLUMB_RELEASE(b, c->component, 5 * n);
    PLUMB_RELEASE(b, c->frame, n);
    PLUMB_RELEASE(b, c->in_block, c->in_block_room);
    PLUMB_RELEASE(b, c->in_component, c->in_component_room);
    plumb_base_pairs_release(&c->offers);
}

/* As many states, and blocks with numbers that there can be. */
static bool is_partition(struct checking *c, bool *yes)
{
    const struct plumb_refine_partition *const p = c->p;
    const struct plumb_csp_lts *const one = c->of->one, *const two = c->of->two;
    *yes = p->states == one->states + (two ? (uint64_t)two->states : 0) &&
           p->blocks <= p->states;
    for (uint32_t s = 0; *yes && s < p->states; s++) {
        if (!plumb_base_pace_allows(&c->pace, 1))
            return false;
        *yes = p->block[s] < p->blocks;
    }
    return true;
}

static enum plumb_status check(struct checking *c, bool *yes,
                               struct plumb_error *err)
{
    if (!is_partition(c, yes))
        return plumb_base_fail_budget(c->budget, err);
    if (!*yes)
        return PLUMB_OK;
    return reserve(c) && find_components(c) && put_in_order(c)
               ? take_blocks(c, yes, err)
               : plumb_base_fail_budget(c->budget, err);
}

void plumb_refine_blocks_release(struct plumb_refine_blocks *blocks,
                                 struct plumb_budget *budget)
{
    PLUMB_RELEASE(budget, blocks->first, ((size_t)blocks->lts.states + 1));
    PLUMB_RELEASE(budget, blocks->edge, blocks->room);
    memset(blocks, 0, sizeof *blocks);
}

enum plumb_status plumb_refine_accept_partition(
    const struct plumb_refine_pieces *of,
    const struct plumb_refine_partition *p, bool divergence,
    struct plumb_budget *budget, struct plumb_refine_blocks *blocks, bool *yes,
    struct plumb_error *err)
{
    struct checking c = { .of = of,
                          .p = p,
                          .divergence = divergence,
                          .budget = budget,
                          .blocks = blocks,
                          .states = p->states,
                          .pace = { .budget = budget } };
    if (blocks) {
        memset(blocks, 0, sizeof *blocks);
        blocks->lts.states = p->blocks;
    }
    plumb_base_pairs_init(&c.offers, budget);
    const enum plumb_status status = check(&c, yes, err);
    release(&c);
    if (blocks) {
        blocks->lts.first = blocks->first;
        blocks->lts.edge = blocks->edge;
    }
    return status;
}
