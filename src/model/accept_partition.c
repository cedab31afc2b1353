/* accept_partition.c - is a partition a branching bisimulation?
 *
 * A tau inside a block is *inert*.  The other steps of a state are its offers:
 * (event, block it leads to).  The partition is a branching bisimulation if
 * each state can come by inert taus to every offer that some state of its block
 * has.  States on a circle of inert taus come to the same; take such a *circle*
 * (a strongly connected component) as one.  From every state inert taus lead to
 * a circle that no inert tau leaves, and from there to nowhere else.  So it is
 * enough, and needed, that each such last circle has all offers of its block by
 * itself.  With divergence: if a block has a circle that goes round, so must
 * all its last circles.
 *
 * Circles by Tarjan's algorithm; all else is counting. */
#include "model/accept_partition.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/memory.h"
#include "model/accept.h"
#include <string.h>

struct frame {
    uint32_t state, next; /* edge to look at */
};

struct offer {
    uint32_t event, block;
};

struct checking {
    const struct plumb_pieces *of;
    const struct plumb_partition *p;
    bool divergence;
    struct plumb_budget *budget;
    struct plumb_blocks *blocks;
    uint32_t states, circles;
    uint32_t *circle; /* of each state */
    uint32_t *order;  /* of states: by block, then by circle */
    /* Tarjan's: numbers of states, least number that is reached, stacks. */
    uint32_t *index, *low, *stack;
    struct frame *frame;
    /* Offers have numbers, and say where they were seen last. */
    struct offer *offer;
    uint32_t *in_block, *in_circle;
    size_t offer_room, in_block_room, in_circle_room;
    uint32_t offers;
    struct plumb_index numbers;
};

static const struct plumb_edge *edges_of(const struct checking *c, uint32_t s,
                                         uint32_t *count, uint32_t *offset)
{
    const struct plumb_lts *lts = c->of->one;
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

/* ---- circles ---- */

struct tarjan {
    uint32_t numbered, waiting, depth; /* lengths of the stacks */
};

static void enter(struct checking *c, struct tarjan *t, uint32_t s)
{
    c->index[s] = c->low[s] = ++t->numbered;
    c->stack[t->waiting++] = s;
    c->frame[t->depth++] = (struct frame){ s, 0 };
}

/* s is done: what waits above it is its circle, if nothing lower is reached. */
static void leave(struct checking *c, struct tarjan *t, uint32_t s)
{
    if (--t->depth) {
        const uint32_t below = c->frame[t->depth - 1].state;
        if (c->low[s] < c->low[below])
            c->low[below] = c->low[s];
    }
    if (c->low[s] != c->index[s])
        return;
    uint32_t member;
    do {
        member = c->stack[--t->waiting];
        c->circle[member] = c->circles;
    } while (member != s);
    c->circles++;
}

/* The next edge of the state on top. */
static void advance(struct checking *c, struct tarjan *t)
{
    struct frame *const f = c->frame + t->depth - 1;
    uint32_t count, offset;
    const struct plumb_edge *const edge =
        edges_of(c, f->state, &count, &offset);
    while (f->next < count) {
        const struct plumb_edge *const e = edge + f->next++;
        const uint32_t target = e->target + offset;
        if (!is_inert(c, f->state, e->event, target))
            continue;
        if (!c->index[target]) {
            enter(c, t, target);
            return;
        }
        if (c->circle[target] == UINT32_MAX &&
            c->index[target] < c->low[f->state])
            c->low[f->state] = c->index[target];
    }
    leave(c, t, f->state);
}

static void find_circles(struct checking *c)
{
    struct tarjan t = { 0, 0, 0 };
    memset(c->circle, 0xff, c->states * sizeof *c->circle);
    for (uint32_t s = 0; s < c->states; s++) {
        if (c->index[s])
            continue;
        enter(c, &t, s);
        while (t.depth)
            advance(c, &t);
    }
}

/* ---- order ---- */

/* Sort from[] by key[] into to[], keeping order among equals; `count` has room
 * for keys + 1. */
static void sort_by(const uint32_t *key, uint32_t keys, const uint32_t *from,
                    uint32_t *to, uint32_t n, uint32_t *count)
{
    memset(count, 0, ((size_t)keys + 1) * sizeof *count);
    for (uint32_t i = 0; i < n; i++)
        count[key[i] + 1]++;
    for (uint32_t k = 0; k < keys; k++)
        count[k + 1] += count[k];
    for (uint32_t i = 0; i < n; i++)
        to[count[key[from[i]]]++] = from[i];
}

/* Tarjan's arrays are free again. */
static void put_in_order(struct checking *c)
{
    for (uint32_t s = 0; s < c->states; s++)
        c->stack[s] = s;
    sort_by(c->circle, c->circles, c->stack, c->low, c->states, c->index);
    sort_by(c->p->block, c->p->blocks, c->low, c->order, c->states, c->index);
}

/* ---- offers ---- */

static uint64_t offer_hash(const void *context, uint32_t number)
{
    const struct checking *const c = context;
    return plumb_mix(c->offer[number].event, c->offer[number].block);
}

static bool room_for_offer(struct checking *c)
{
    const size_t need = c->offers + (size_t)1;
    struct plumb_budget *const b = c->budget;
    const size_t blocks = c->in_block_room, circles = c->in_circle_room;
    if (!plumb_grow(b, (void **)&c->offer, &c->offer_room, need,
                    sizeof *c->offer) ||
        !plumb_grow(b, (void **)&c->in_block, &c->in_block_room, need,
                    sizeof *c->in_block) ||
        !plumb_grow(b, (void **)&c->in_circle, &c->in_circle_room, need,
                    sizeof *c->in_circle))
        return false;
    memset(c->in_block + blocks, 0,
           (c->in_block_room - blocks) * sizeof *c->in_block);
    memset(c->in_circle + circles, 0,
           (c->in_circle_room - circles) * sizeof *c->in_circle);
    return plumb_index_room(&c->numbers, offer_hash, c);
}

/* UINT32_MAX: no memory. */
static uint32_t offer_number(struct checking *c, uint32_t event, uint32_t block)
{
    if (!room_for_offer(c))
        return UINT32_MAX;
    struct plumb_probe p =
        plumb_index_probe(&c->numbers, plumb_mix(event, block));
    for (uint32_t n; (n = plumb_probe_next(&c->numbers, &p)) != PLUMB_ABSENT;)
        if (c->offer[n].event == event && c->offer[n].block == block)
            return n;
    plumb_index_put(&c->numbers, &p, c->offers);
    c->offer[c->offers] = (struct offer){ event, block };
    return c->offers++;
}

/* ---- a block ---- */

struct tally {
    uint32_t block, offers;    /* different ones of the block          */
    uint32_t circle, own;      /* of the circle that is being looked at */
    bool last, round;          /* no inert tau leaves it; one goes round */
    uint32_t least;            /* offers of a last circle               */
    bool all_round, any_round; /* of last circles; of all             */
};

static bool emit(struct checking *c, uint32_t event, uint32_t target)
{
    struct plumb_blocks *const b = c->blocks;
    if (!b)
        return true;
    if (!plumb_grow(c->budget, (void **)&b->edge, &b->room, b->edges + 1,
                    sizeof *b->edge))
        return false;
    b->edge[b->edges++] = (struct plumb_edge){ event, target };
    return true;
}

static void end_circle(struct tally *t)
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
    if (c->in_circle[n] != t->circle + 1) {
        c->in_circle[n] = t->circle + 1;
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
    const struct plumb_edge *const edge = edges_of(c, s, &count, &offset);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t target = edge[i].target + offset;
        if (!is_inert(c, s, edge[i].event, target)) {
            if (!take_offer(c, t, edge[i].event, target))
                return false;
        } else if (c->circle[target] == t->circle) {
            t->round = true;
        } else {
            t->last = false;
        }
    }
    return true;
}

/* States order[begin..end) are the block. */
static bool take_block(struct checking *c, struct tally *t, uint32_t begin,
                       uint32_t end)
{
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t s = c->order[i];
        if (i == begin || c->circle[s] != t->circle) {
            if (i > begin)
                end_circle(t);
            t->circle = c->circle[s];
            t->own = 0;
            t->last = true;
            t->round = false;
        }
        if (!take_state(c, t, s))
            return false;
    }
    if (begin < end)
        end_circle(t);
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
        while (at < c->states && c->p->block[c->order[at]] == b)
            at++;
        if (!take_block(c, &t, begin, at))
            return plumb_fail_memory(err);
        *yes = begin == at || (t.least == t.offers &&
                               (!c->divergence || !t.any_round || t.all_round));
        if (b % 1024 == 0 && plumb_budget_state(c->budget) != PLUMB_OK)
            return plumb_fail_budget(c->budget, err);
    }
    if (c->blocks)
        c->blocks->first[c->p->blocks] = c->blocks->edges;
    return PLUMB_OK;
}

/* ---- all of it ---- */

static bool reserve(struct checking *c)
{
    const size_t n = c->states + (size_t)2, size = n * sizeof(uint32_t);
    struct plumb_budget *const b = c->budget;
    c->circle = plumb_alloc(b, size);
    c->order = plumb_alloc(b, size);
    c->index = plumb_alloc_zeroed(b, size);
    c->low = plumb_alloc(b, size);
    c->stack = plumb_alloc(b, size);
    c->frame = plumb_alloc(b, n * sizeof *c->frame);
    if (c->blocks)
        c->blocks->first =
            plumb_alloc(b, ((size_t)c->p->blocks + 1) * sizeof(uint64_t));
    return c->circle && c->order && c->index && c->low && c->stack &&
           c->frame && (!c->blocks || c->blocks->first);
}

static void release(struct checking *c)
{
    const size_t n = c->states + (size_t)2, size = n * sizeof(uint32_t);
    struct plumb_budget *const b = c->budget;
    plumb_release(b, c->circle, size);
    plumb_release(b, c->order, size);
    plumb_release(b, c->index, size);
    plumb_release(b, c->low, size);
    plumb_release(b, c->stack, size);
    plumb_release(b, c->frame, n * sizeof *c->frame);
    plumb_release(b, c->offer, c->offer_room * sizeof *c->offer);
    plumb_release(b, c->in_block, c->in_block_room * sizeof *c->in_block);
    plumb_release(b, c->in_circle, c->in_circle_room * sizeof *c->in_circle);
    plumb_index_release(&c->numbers);
}

/* As many states, and blocks with numbers that there can be. */
static bool is_partition(const struct plumb_partition *p, uint64_t states)
{
    bool well = p->states == states && p->blocks <= p->states;
    for (uint32_t s = 0; well && s < p->states; s++)
        well = p->block[s] < p->blocks;
    return well;
}

void plumb_blocks_release(struct plumb_blocks *blocks,
                          struct plumb_budget *budget)
{
    plumb_release(budget, blocks->first,
                  ((size_t)blocks->lts.states + 1) * sizeof *blocks->first);
    plumb_release(budget, blocks->edge, blocks->room * sizeof *blocks->edge);
    memset(blocks, 0, sizeof *blocks);
}

enum plumb_status plumb_accept_partition(const struct plumb_pieces *of,
                                         const struct plumb_partition *p,
                                         bool divergence,
                                         struct plumb_budget *budget,
                                         struct plumb_blocks *blocks, bool *yes,
                                         struct plumb_error *err)
{
    struct checking c = { .of = of,
                          .p = p,
                          .divergence = divergence,
                          .budget = budget,
                          .blocks = blocks,
                          .states = p->states };
    if (blocks) {
        memset(blocks, 0, sizeof *blocks);
        blocks->lts.states = p->blocks;
    }
    *yes = is_partition(p, (uint64_t)of->one->states +
                               (of->two ? of->two->states : 0));
    if (!*yes)
        return PLUMB_OK;
    plumb_index_init(&c.numbers, budget);
    enum plumb_status status = PLUMB_EMEMORY;
    if (reserve(&c)) {
        find_circles(&c);
        put_in_order(&c);
        status = take_blocks(&c, yes, err);
    } else {
        plumb_fail_memory(err);
    }
    release(&c);
    if (blocks) {
        blocks->lts.first = blocks->first;
        blocks->lts.edge = blocks->edge;
    }
    return status;
}

enum plumb_status plumb_accept_bisimulation(const struct plumb_lts *lts,
                                            const struct plumb_partition *p,
                                            bool divergence,
                                            struct plumb_budget *budget,
                                            bool *yes, struct plumb_error *err)
{
    const struct plumb_pieces of = { lts, NULL };
    return plumb_accept_partition(&of, p, divergence, budget, NULL, yes, err);
}
