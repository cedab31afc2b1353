/* priority_order.c - the order in which operations take effect, by their gaps.
 *
 * Counting again: by gap, then early before late.  What is early in a gap comes
 * most urgent first, what is late in it most urgent last; so the sorted
 * operations are gone through once forwards and once backwards. */
#include "base/pace.h"
#include "base/sort.h"
#include "priority.h"

struct ordering {
    struct plumb_check_priority *p;
    uint32_t *at; /* by gap: how many there are, then where the next goes */
    bool counts, late;
};

static void put(struct ordering *o, uint32_t slot)
{
    const uint32_t place = o->p->place[slot];
    if (place == PLUMB_NOWHERE)
        return;
    if (o->counts)
        o->at[place / 2]++;
    else if ((place & 1) == o->late)
        o->p->m->order[o->at[place / 2]++] = o->p->sorted[slot];
}

/* Thieves come right after their victim's operations, whose last slot is
 * `after`. */
struct theft {
    uint32_t after, slot;
};

static int compare_thefts(const void *x, const void *y)
{
    const struct theft *const a = x, *const b = y;
    return a->after < b->after ? -1 : a->after > b->after;
}

/* What is early, or all. */
static bool put_forwards(struct ordering *o, const struct theft *theft)
{
    const uint32_t end = o->p->start[o->p->pending];
    for (uint32_t i = 0; i < end; i++) {
        if (!plumb_base_in_time(o->p->m->budget, i))
            return false;
        put(o, i);
        for (; theft->after == i; theft++)
            put(o, theft->slot);
    }
    return true;
}

/* Peeks come after what adds their item, as they are sorted. */
static bool put_backwards(struct ordering *o)
{
    const struct plumb_check_priority *const p = o->p;
    const uint32_t end = p->start[p->nothing];
    for (uint32_t i = end; i-- > 0;) {
        if (!plumb_base_in_time(p->m->budget, i))
            return false;
        if (plumb_check_step_at(p, i) != PLUMB_STEP_ADD || !(p->place[i] & 1))
            continue;
        put(o, i);
        for (uint32_t j = i + 1;
             j < end && plumb_check_step_at(p, j) == PLUMB_STEP_PEEK; j++)
            put(o, j);
    }
    return true;
}

static bool add_up(struct ordering *o)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < o->p->gaps; i++) {
        const uint32_t here = o->at[i];
        if (!plumb_base_in_time(o->p->m->budget, i))
            return false;
        o->at[i] = sum;
        sum += here;
    }
    o->p->m->order_count = sum;
    return true;
}

/* All thefts, and one that never comes. */
static struct theft *list_thefts(struct plumb_check_priority *p)
{
    struct theft *const theft =
        plumb_base_arena_alloc(p->m->scratch, (p->busy + 1) * sizeof *theft);
    if (!theft)
        return NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->thieves; i++) {
        const struct plumb_check_thief *const t = p->thief + i;
        if (t->victim != PLUMB_NO_SLOT)
            theft[n++] =
                (struct theft){ plumb_check_priority_item(p, t->victim).to - 1,
                                t->slot };
    }
    if (!plumb_base_sort(p->m->budget, theft, n, sizeof *theft, compare_thefts))
        return NULL;
    theft[n] = (struct theft){ UINT32_MAX, PLUMB_NO_SLOT };
    return theft;
}

/* The room of p->span serves for the counts: there are no more gaps than
 * operations, and one. */
bool plumb_check_priority_order(struct plumb_check_priority *p)
{
    struct ordering o = { .p = p, .at = (uint32_t *)p->span, .counts = true };
    const struct theft *const theft = list_thefts(p);
    p->m->order = plumb_base_arena_alloc(p->m->arena, (size_t)p->input->count *
                                                          sizeof *o.at);
    if (!theft || !p->m->order ||
        !plumb_base_paced_set(p->m->budget, o.at, 0,
                              (size_t)p->gaps * sizeof *o.at) ||
        !put_forwards(&o, theft) || !add_up(&o))
        return false;
    o.counts = false;
    if (!put_forwards(&o, theft))
        return false;
    o.late = true;
    return put_backwards(&o);
}
