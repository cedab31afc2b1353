/* priority_guess.c - what removals without a result have taken, most likely.
 *
 * The search for it (monitor_priority.c) runs a pass for each theft.  Here one
 * is enough, if nothing has to be taken back: an item that is stolen covers less,
 * so what has found a gap keeps it.  Items that are never removed cover all gaps
 * from some one on; they are not closed, but kept in a heap.  An operation takes
 * its first gap that is open and by which all of these that begin before it can
 * have been taken: each by the last thief that was called no later than its own
 * operations, or else by the first that was called later.
 *
 * It is a guess: the pass that follows says whether it is right. */
#include "priority.h"

#include "base/memory.h"
#include <assert.h>

struct leftover {
    uint32_t begins; /* the gap */
    uint32_t item;   /* its first slot */
};

struct guess {
    struct plumb_check_priority *p;
    struct plumb_base_arena arena;
    struct plumb_check_bits idle; /* thieves */
    struct leftover *heap; /* of those that were not stolen; least first */
    size_t capacity;
    uint32_t count;
};

/* ---- leftovers ---- */

static bool push(struct guess *g, struct leftover x)
{
    if (!PLUMB_GROW(g->p->m->budget, g->heap, g->capacity,
                    (size_t)g->count + 1)) {
        g->p->stop = PLUMB_EMEMORY;
        return false;
    }
    uint32_t i = g->count++;
    for (; i > 0 && g->heap[(i - 1) / 2].begins > x.begins; i = (i - 1) / 2)
        g->heap[i] = g->heap[(i - 1) / 2];
    g->heap[i] = x;
    return true;
}

static struct leftover pop(struct guess *g)
{
    assert(g->count > 0);
    const struct leftover least = g->heap[0], x = g->heap[--g->count];
    uint32_t i = 0, child;
    while ((child = 2 * i + 1) < g->count) {
        if (child + 1 < g->count &&
            g->heap[child + 1].begins < g->heap[child].begins)
            child++;
        if (g->heap[child].begins >= x.begins)
            break;
        g->heap[i] = g->heap[child];
        i = child;
    }
    g->heap[i] = x;
    return least;
}

/* ---- thieves ---- */

/* How many were called no later than that gap: the first ones. */
static uint32_t called_by(const struct plumb_check_priority *p, uint32_t gap)
{
    uint32_t low = 0, high = p->thieves;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->thief[middle].first <= gap)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* For an item whose last call is in gap `from`, to be gone by `until`. */
static uint32_t choose_thief(const struct guess *g, uint32_t from,
                             uint32_t until)
{
    const uint32_t before = called_by(g->p, from);
    uint32_t i = PLUMB_NO_MEMBER;
    if (before > 0)
        i = plumb_check_bits_previous(&g->idle, before - 1);
    if (i == PLUMB_NO_MEMBER && before < g->p->thieves)
        i = plumb_check_bits_next(&g->idle, before);
    return i < g->p->thieves && g->p->thief[i].first <= until ? i
                                                              : PLUMB_NO_MEMBER;
}

/* Let it be gone by that gap. */
static bool steal(struct guess *g, const struct leftover *x, uint32_t gap)
{
    struct plumb_check_priority *const p = g->p;
    struct plumb_check_priority_item item =
        plumb_check_priority_item(p, x->item);
    const uint32_t i = choose_thief(g, item.first, gap);
    if (i == PLUMB_NO_MEMBER || item.first > gap)
        return false;
    plumb_check_bits_remove(&g->idle, i, i + 1);
    plumb_check_priority_rob(p, i, x->item);
    item = plumb_check_priority_item(p, x->item);
    const struct plumb_check_priority_cover c =
        plumb_check_priority_cover(p, &item);
    if (c.from < c.to)
        plumb_check_bits_remove(&p->open, c.from, c.to);
    return true;
}

/* An operation takes one of these gaps. */
static bool take_gap(struct guess *g, uint32_t first, uint32_t last)
{
    const uint32_t gap = plumb_check_bits_next(&g->p->open, first);
    if (gap > last)
        return false;
    while (g->count && g->heap[0].begins <= gap) {
        const struct leftover x = pop(g);
        if (!steal(g, &x, gap))
            return false;
    }
    return true;
}

/* ---- items ---- */

static bool guess_item(struct guess *g,
                       const struct plumb_check_priority_item *item)
{
    const struct plumb_check_priority *const p = g->p;
    if (item->last == PLUMB_NEVER)
        return true;
    if (item->adds != 1)
        return false;
    const uint32_t called = p->span[item->add].first;
    for (uint32_t i = item->from; i < item->to; i++) {
        const struct plumb_check_priority_span span = p->span[i];
        const enum plumb_check_priority_step step = plumb_check_step_at(p, i);
        if (step == PLUMB_STEP_ADD || !plumb_check_has_returned(p, i))
            continue;
        const uint32_t first = step == PLUMB_STEP_REMOVE ? item->first
                               : span.first < called     ? called
                                                         : span.first;
        if (!take_gap(g, first, span.last))
            return false;
    }
    return true;
}

static bool cover(struct guess *g, const struct plumb_check_priority_item *item)
{
    const struct plumb_check_priority_cover c =
        plumb_check_priority_cover(g->p, item);
    if (c.from >= c.to)
        return true;
    if (!item->removed)
        return push(g, (struct leftover){ c.from, item->from });
    plumb_check_bits_remove(&g->p->open, c.from, c.to);
    return true;
}

static bool guess_tier(struct guess *g, uint32_t tier)
{
    const struct plumb_check_priority *const p = g->p;
    const uint32_t from = p->start[tier], to = p->start[tier + 1];
    struct plumb_check_priority_item item;
    for (uint32_t at = from; at < to; at = item.to) {
        item = plumb_check_priority_item(p, at);
        if (!guess_item(g, &item))
            return false;
    }
    for (uint32_t at = from; at < to; at = item.to) {
        item = plumb_check_priority_item(p, at);
        if (!cover(g, &item))
            return false;
    }
    return true;
}

static bool guess_all(struct guess *g)
{
    struct plumb_check_priority *const p = g->p;
    plumb_check_bits_fill(&p->open, p->gaps);
    plumb_check_bits_fill(&g->idle, p->thieves);
    for (uint32_t tier = 0; tier < p->nothing; tier++) {
        if (tier % PLUMB_POLL_OPERATIONS == 0)
            p->stop = plumb_budget_state(p->m->budget);
        if (p->stop != PLUMB_OK || !guess_tier(g, tier))
            return false;
    }
    for (uint32_t i = p->start[p->nothing]; i < p->start[p->pending]; i++)
        if (plumb_check_has_returned(p, i) &&
            !take_gap(g, p->span[i].first, p->span[i].last))
            return false;
    return true;
}

bool plumb_check_priority_guess(struct plumb_check_priority *p)
{
    struct guess g = { .p = p };
    plumb_base_arena_init(&g.arena, p->m->budget);
    const bool room = plumb_check_bits_init(&g.idle, &g.arena, p->thieves + 1);
    if (!room)
        p->stop = PLUMB_EMEMORY;
    const bool done = room && guess_all(&g);
    PLUMB_RELEASE(p->m->budget, g.heap, g.capacity);
    plumb_base_arena_release(&g.arena);
    return done;
}
