/* bisimulation.c - blocks are split until all states of a block can do the
 * same.
 *
 * After Blom and van de Pol's signatures, on the condensed graph: what a node
 * can do is the set of (event, block) over its edges.  Taus that stay in the
 * block are *inert*.  A block falls into groups, node by node in ascending
 * order, since taus lead to lower numbers; only *stale* nodes are looked at,
 * those whose signature may have changed since.  Why that is right, and what it
 * costs: docs/how-verification-works.md, "The partition".
 *
 *     elem   ... [ stale | the others ] ...        a block is a range of elem
 *               start    fresh        end */
#include "bisimulation.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/sort_numbers.h"
#include "condensed.h"
#include "signatures.h"
#include <assert.h>
#include <string.h>

struct block {
    uint32_t start, fresh, end;
    bool queued;
    uint32_t next; /* in its queue */
    uint64_t work; /* edges of the stale ones */
    size_t words;  /* its signature, in refiner.word */
    uint32_t word_count;
};

enum { QUEUES = 64 };

/* Of blocks whose work has the same number of binary digits. */
struct queue {
    uint32_t first, last; /* NONE if there are none */
};

#define NONE UINT32_MAX

struct refiner {
    struct plumb_budget *budget;
    struct plumb_refine_condensed g;
    bool divergence;
    uint32_t *block; /* of nodes; the next four are behind it in memory */
    uint32_t *elem, *place;
    uint32_t *number; /* of a stale node's signature, while a block is split */
    uint32_t *spare;
    struct queue queue[QUEUES]; /* of blocks with stale nodes */
    struct block *blocks;
    size_t blocks_room;
    uint32_t count;
    uint64_t *word; /* signatures of all blocks, and of former ones */
    size_t word_room, words, alive;
    struct plumb_refine_signatures signatures;
    uint32_t *size; /* of groups: nodes with the same signature */
    size_t size_room;
    uint32_t *number_of; /* of groups: the block they become */
    size_t number_room;
    struct plumb_base_pace pace;
};

/* All that goes through nodes is false if the budget refuses. */
static bool may_spend(struct refiner *r, uint64_t steps)
{
    return plumb_base_pace_allows(&r->pace, steps);
}

static uint64_t word_of(uint32_t event, uint32_t block)
{
    return ((uint64_t)event << 32) | block;
}

/* A cycle of taus is a word of its own: no tau leads to block UINT32_MAX. */
static const uint64_t cycle_word = UINT32_MAX;

/* While a block is split: a tau to a group of it, which will be a block. */
static uint64_t group_word(uint32_t group)
{
    return word_of(UINT32_MAX, group);
}

/* ---- memory ---- */

/* The arrays of nodes, as one. */
static size_t node_words(const struct refiner *r)
{
    return 5 * ((size_t)r->g.nodes + 1);
}

static bool reserve(struct refiner *r)
{
    const size_t n = (size_t)r->g.nodes + 1;
    r->block =
        plumb_base_alloc_zeroed(r->budget, node_words(r) * sizeof *r->block);
    if (!r->block)
        return false;
    r->elem = r->block + n;
    r->place = r->elem + n;
    r->number = r->place + n;
    r->spare = r->number + n;
    return true;
}

static void release(struct refiner *r)
{
    PLUMB_RELEASE(r->budget, r->block, node_words(r));

    PLUMB_RELEASE(r->budget, r->blocks, r->blocks_room);
    PLUMB_RELEASE(r->budget, r->word, r->word_room);
    PLUMB_RELEASE(r->budget, r->size, r->size_room);
    PLUMB_RELEASE(r->budget, r->number_of, r->number_room);
    plumb_refine_signatures_release(&r->signatures);
    plumb_refine_condensed_release(&r->g);
}

/* ---- stale nodes ---- */

static uint32_t digits(uint64_t work)
{
    return 63 - (uint32_t)__builtin_clzll(work | 1);
}

static void append(struct refiner *r, uint32_t block)
{
    struct queue *const q = r->queue + digits(r->blocks[block].work);
    r->blocks[block].next = NONE;
    if (q->first == NONE)
        q->first = block;
    else
        r->blocks[q->last].next = block;
    q->last = block;
}

static void enqueue(struct refiner *r, uint32_t block)
{
    if (r->blocks[block].queued)
        return;
    r->blocks[block].queued = true;
    append(r, block);
}

/* The block with the least work, or nearly; NONE if there is no more.  What
 * got more work while it waited is put where it belongs now. */
static uint32_t dequeue(struct refiner *r)
{
    for (uint32_t n = 0; n < QUEUES; n++)
        while (r->queue[n].first != NONE) {
            const uint32_t block = r->queue[n].first;
            struct block *const b = r->blocks + block;
            r->queue[n].first = b->next;
            if (digits(b->work) == n) {
                b->queued = false;
                return block;
            }
            append(r, block);
        }
    return NONE;
}

static void put_at(struct refiner *r, uint32_t node, uint32_t place)
{
    r->elem[place] = node;
    r->place[node] = place;
}

static void make_stale(struct refiner *r, uint32_t node)
{
    struct block *const b = r->blocks + r->block[node];
    const uint32_t at = r->place[node];
    if (at < b->fresh)
        return;
    assert(at < b->end && r->elem[at] == node);
    put_at(r, r->elem[b->fresh], at);
    put_at(r, node, b->fresh++);
    b->work += r->g.first[node + 1] - r->g.first[node];
}

/* Who reaches a stale one by inert taus is stale. */
static bool spread(struct refiner *r, uint32_t block)
{
    const struct block *const b = r->blocks + block;
    for (uint32_t i = b->start; i < b->fresh; i++) {
        const uint32_t k = r->elem[i];
        if (!may_spend(r, 1 + r->g.back_visible[k] - r->g.back_first[k]))
            return false;
        for (uint32_t e = r->g.back_first[k]; e < r->g.back_visible[k]; e++)
            if (r->block[r->g.back[e]] == block)
                make_stale(r, r->g.back[e]);
    }
    return true;
}

/* ---- signatures ---- */

/* `node` is where an inert tau leads: its group is what comes after that tau.
 * `*highest` is the last group that there is such a tau to. */
static bool add_inert(struct refiner *r, uint32_t node, uint32_t block,
                      uint32_t *highest)
{
    assert(r->block[node] == block);
    const bool stale = r->place[node] < r->blocks[block].fresh;
    const uint32_t group = stale ? r->number[node] : 0;
    const uint64_t word = group_word(group);
    if (*highest == group)
        return true;
    if (*highest == UINT32_MAX || group > *highest)
        *highest = group;
    return plumb_refine_signature_add(&r->signatures, &word, 1);
}

static bool add_edges(struct refiner *r, uint32_t node, uint32_t block,
                      uint32_t *highest)
{
    const struct plumb_refine_condensed *const g = &r->g;
    if (!may_spend(r, 4 + 4 * (g->first[node + 1] - g->first[node])))
        return false;
    if (r->divergence && g->cycle[node] &&
        !plumb_refine_signature_add(&r->signatures, &cycle_word, 1))
        return false;
    for (uint32_t e = g->first[node]; e < g->first[node + 1]; e++) {
        const struct plumb_csp_edge edge = g->edge[e];
        const uint32_t to = r->block[edge.target];
        if (edge.event == PLUMB_TAU && to == block) {
            if (!add_inert(r, edge.target, block, highest))
                return false;
            continue;
        }
        const uint64_t word = word_of(edge.event, to);
        if (!plumb_refine_signature_add(&r->signatures, &word, 1))
            return false;
    }
    return true;
}

/* A group that it leads to and that can do all that it can, or else the group
 * of those that can do the same.  Of the groups it leads to, only the highest
 * can have taus to the others. */
static bool compute(struct refiner *r, uint32_t node, uint32_t block)
{
    uint32_t highest = UINT32_MAX;
    if (!add_edges(r, node, block, &highest))
        return false;
    if (highest != UINT32_MAX &&
        plumb_refine_signature_is_part(&r->signatures, highest,
                                       group_word(highest))) {
        plumb_refine_signature_drop(&r->signatures);
        r->number[node] = highest;
        return true;
    }
    r->number[node] = plumb_refine_signature_number(&r->signatures);
    return r->number[node] != UINT32_MAX;
}

/* Numbers for all stale nodes of a block.  0 is the signature of the others,
 * if there are any. */
static bool compute_all(struct refiner *r, uint32_t block)
{
    const struct block b = r->blocks[block];
    const uint32_t stale = b.fresh - b.start;
    if (!plumb_base_sort_numbers(r->budget, r->elem + b.start, r->spare, stale))
        return false;
    for (uint32_t i = b.start; i < b.fresh; i++) {
        if (!may_spend(r, 1))
            return false;
        r->place[r->elem[i]] = i;
    }
    if (!plumb_refine_signatures_begin(&r->signatures, (size_t)stale + 1))
        return false;
    if (b.fresh < b.end &&
        (!plumb_refine_signature_add(&r->signatures, r->word + b.words,
                                     b.word_count) ||
         plumb_refine_signature_number(&r->signatures) == UINT32_MAX))
        return false;
    for (uint32_t i = b.start; i < b.fresh; i++)
        if (!compute(r, r->elem[i], block))
            return false;
    return true;
}

/* ---- splitting ---- */

/* How many nodes have each signature; the largest group. */
static bool count_groups(struct refiner *r, uint32_t block, uint32_t *largest)
{
    const struct block *const b = r->blocks + block;
    const uint32_t groups = r->signatures.count;
    if (!PLUMB_GROW(r->budget, r->size, r->size_room, (size_t)groups + 1) ||
        !PLUMB_GROW(r->budget, r->number_of, r->number_room, groups) ||
        !plumb_base_paced_set(r->budget, r->size, 0, groups * sizeof *r->size))
        return false;
    r->size[0] = b->end - b->fresh;
    for (uint32_t i = b->start; i < b->fresh; i++) {
        if (!may_spend(r, 1))
            return false;
        r->size[r->number[r->elem[i]]]++;
    }
    *largest = 0;
    for (uint32_t g = 1; g < groups; g++) {
        if (!may_spend(r, 1))
            return false;
        if (r->size[g] > r->size[*largest])
            *largest = g;
    }
    return true;
}

/* Drop the signatures of former blocks. */
static bool tidy_words(struct refiner *r)
{
    const size_t room = r->alive + r->alive / 2 + 64;
    uint64_t *const word = plumb_base_alloc(r->budget, room * sizeof *word);
    size_t at = 0;
    if (!word)
        return false;
    for (uint32_t b = 0; b < r->count; b++) {
        struct block *const block = r->blocks + b;
        if (!may_spend(r, 1 + block->word_count)) {
            PLUMB_RELEASE(r->budget, word, room);
            return false;
        }
        if (block->word_count)
            memcpy(word + at, r->word + block->words,
                   block->word_count * sizeof *word);
        block->words = at;
        at += block->word_count;
    }
    PLUMB_RELEASE(r->budget, r->word, r->word_room);
    r->word = word;
    r->word_room = room;
    r->words = at;
    return true;
}

static bool know_by(struct refiner *r, uint32_t block, uint32_t signature)
{
    size_t count;
    const uint64_t *const word =
        plumb_refine_signature_words(&r->signatures, signature, &count);
    struct block *const b = r->blocks + block;
    if (!may_spend(r, 1 + count))
        return false;
    r->alive -= b->word_count;
    b->word_count = 0;
    if (r->words > 2 * r->alive + (1 << 20) && !tidy_words(r))
        return false;
    if (!PLUMB_GROW(r->budget, r->word, r->word_room, r->words + count))
        return false;
    for (size_t i = 0; i < count; i++)
        r->word[r->words + i] =
            word[i] < group_word(0)
                ? word[i]
                : word_of(PLUMB_TAU, r->number_of[(uint32_t)word[i]]);
    b->words = r->words;
    b->word_count = (uint32_t)count;
    r->words += count;
    r->alive += count;
    return true;
}

/* Groups one after the other in the range of the block, that of signature 0
 * last, because those that were not stale are there already. */
static bool arrange(struct refiner *r, const struct block *b)
{
    const uint32_t groups = r->signatures.count;
    uint32_t at = b->start;
    uint32_t *const next = r->number_of; /* not needed yet */
    if (!plumb_base_paced_copy(r->budget, r->spare, r->elem + b->start,
                               (b->fresh - b->start) * sizeof *r->spare))
        return false;
    for (uint32_t g = 1; g < groups; g++) {
        if (!may_spend(r, 1))
            return false;
        next[g] = at;
        at += r->size[g];
    }
    next[0] = at;
    for (uint32_t i = 0; i < b->fresh - b->start; i++) {
        if (!may_spend(r, 1))
            return false;
        put_at(r, r->spare[i], next[r->number[r->spare[i]]]++);
    }
    return true;
}

static void set_range(struct refiner *r, uint32_t block, uint32_t start,
                      uint32_t end)
{
    struct block *const b = r->blocks + block;
    b->start = b->fresh = start;
    b->end = end;
}

/* Give each group but the largest a new number.  `number_of` says which. */
static bool number_groups(struct refiner *r, uint32_t block, uint32_t largest)
{
    const uint32_t groups = r->signatures.count;
    uint32_t at = r->blocks[block].start;
    if (!PLUMB_GROW(r->budget, r->blocks, r->blocks_room,
                    (size_t)r->count + groups))
        return false;
    for (uint32_t i = 1; i <= groups; i++) {
        const uint32_t g = i == groups ? 0 : i; /* as they are arranged */
        uint32_t number = block;
        if (!may_spend(r, 1))
            return false;
        if (g != largest) {
            number = r->count++;
            r->blocks[number] = (struct block){ .queued = false };
        }
        r->number_of[g] = number;
        set_range(r, number, at, at + r->size[g]);
        at += r->size[g];
    }
    for (uint32_t g = 0; g < groups; g++)
        if (!know_by(r, r->number_of[g], g))
            return false;
    return true;
}

static bool take_number(struct refiner *r, uint32_t block)
{
    const struct block *const b = r->blocks + block;
    for (uint32_t i = b->start; i < b->end; i++) {
        if (!may_spend(r, 1))
            return false;
        r->block[r->elem[i]] = block;
    }
    return true;
}

static void tell(struct refiner *r, uint32_t node)
{
    make_stale(r, node);
    enqueue(r, r->block[node]);
}

/* `node` has a new number, `from` on are all the numbers that are new: who has
 * to know?  Not those of the same split that lead to it by taus: what they are
 * known by tells of it. */
static bool tell_of(struct refiner *r, uint32_t node, uint32_t old,
                    uint32_t from)
{
    const struct plumb_refine_condensed *const g = &r->g;
    if (!may_spend(r, 1 + g->back_first[node + 1] - g->back_first[node]))
        return false;
    for (uint32_t e = g->back_first[node]; e < g->back_visible[node]; e++) {
        const uint32_t who = r->block[g->back[e]];
        if (who != old && who < from)
            tell(r, g->back[e]);
    }
    for (uint32_t e = g->back_visible[node]; e < g->back_first[node + 1]; e++)
        tell(r, g->back[e]);
    return true;
}

/* Telling moves the stale ones of a block to its front, so the nodes are read
 * from a copy. */
static bool tell_of_block(struct refiner *r, uint32_t block, uint32_t old,
                          uint32_t from)
{
    const uint32_t start = r->blocks[block].start;
    const uint32_t count = r->blocks[block].end - start;
    if (!plumb_base_paced_copy(r->budget, r->spare, r->elem + start,
                               count * sizeof *r->spare))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!tell_of(r, r->spare[i], old, from))
            return false;
    return true;
}

static bool split(struct refiner *r, uint32_t block)
{
    uint32_t largest;
    const uint32_t from = r->count;
    if (r->blocks[block].end - r->blocks[block].start == 1) {
        r->blocks[block].fresh = r->blocks[block].start; /* alone for good */
        return true;
    }
    if (!compute_all(r, block) || !count_groups(r, block, &largest))
        return false;
    if (r->signatures.count == 1) {
        r->blocks[block].fresh = r->blocks[block].start;
        return know_by(r, block, 0);
    }
    if (!arrange(r, r->blocks + block) || !number_groups(r, block, largest))
        return false;
    for (uint32_t b = from; b < r->count; b++)
        if (!take_number(r, b))
            return false;
    for (uint32_t b = from; b < r->count; b++)
        if (!tell_of_block(r, b, block, from))
            return false;
    return true;
}

/* ---- all of it ---- */

static bool begin(struct refiner *r)
{
    if (!reserve(r) || !PLUMB_GROW(r->budget, r->blocks, r->blocks_room, 1) ||
        !PLUMB_GROW(r->budget, r->word, r->word_room, 1))
        return false;
    for (uint32_t k = 0; k < r->g.nodes; k++) {
        if (!may_spend(r, 1))
            return false;
        put_at(r, k, k);
    }
    r->blocks[0] = (struct block){ .fresh = r->g.nodes, .end = r->g.nodes };
    r->count = 1;
    for (uint32_t n = 0; n < QUEUES; n++)
        r->queue[n].first = NONE;
    enqueue(r, 0);
    return true;
}

static bool refine(struct refiner *r)
{
    if (!begin(r))
        return false;
    for (uint32_t block; (block = dequeue(r)) != NONE;) {
        if (!spread(r, block))
            return false;
        r->blocks[block].work = 0; /* it is done now */
        if (!split(r, block))
            return false;
    }
    return true;
}

/* Blocks of states, numbered by the first state of each. */
static bool number_blocks(struct refiner *r, uint32_t *block, uint32_t *count)
{
    uint32_t *const number = r->number; /* not needed any more */
    if (!plumb_base_paced_set(r->budget, number, 0xff,
                              r->count * sizeof *number))
        return false;
    *count = 0;
    for (uint32_t s = 0; s < r->g.states; s++) {
        const uint32_t b = r->block[r->g.node[s]];
        if (!may_spend(r, 1))
            return false;
        if (number[b] == UINT32_MAX)
            number[b] = (*count)++;
        block[s] = number[b];
    }
    return true;
}

static bool hand_over(struct refiner *r, struct plumb_refine_partition *p)
{
    const size_t size = r->g.states * sizeof *p->block;
    uint32_t *const block = plumb_base_alloc(r->budget, size);
    uint32_t count;
    if (block && number_blocks(r, block, &count)) {
        *p = (struct plumb_refine_partition){ block, r->g.states, count };
        return true;
    }
    plumb_base_release(r->budget, block, size);
    return false;
}

enum plumb_status plumb_refine_bisimulation(const struct plumb_csp_lts *lts,
                                            bool divergence,
                                            struct plumb_budget *budget,
                                            struct plumb_refine_partition *p,
                                            struct plumb_error *err)
{
    struct refiner r = { .budget = budget,
                         .divergence = divergence,
                         .pace = { .budget = budget } };
    assert(lts->states);
    enum plumb_status status =
        plumb_refine_condensed_make(&r.g, lts, budget, err);
    if (status != PLUMB_OK)
        return status;
    plumb_refine_signatures_init(&r.signatures, budget);
    if (!refine(&r) || !hand_over(&r, p))
        status = plumb_base_fail_budget(budget, err);
    release(&r);
    return status;
}

void plumb_refine_partition_release(struct plumb_refine_partition *p,
                                    struct plumb_budget *budget)
{
    PLUMB_RELEASE(budget, p->block, p->states);
    *p = (struct plumb_refine_partition){ .block = NULL };
}
