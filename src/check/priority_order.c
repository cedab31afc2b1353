/* priority_order.c - the order in which operations take effect, by their gaps.
 *
 * Counting again: by gap, then early before late.  What is early in a gap comes
 * most urgent first, what is late in it most urgent last; so the sorted
 * operations are gone through once forwards and once backwards. */
#include "check/priority.h"

#include <stdlib.h>
#include <string.h>

struct ordering {
    struct plumb_priority *p;
    uint32_t *at;    /* by gap: how many there are, then where the next goes */
    uint32_t sorted; /* how many operations are */
    bool counts, late;
};

static void put(struct ordering *o, uint32_t op)
{
    const uint32_t place = o->p->place[op];
    if (place == PLUMB_NOWHERE)
        return;
    if (o->counts)
        o->at[place / 2]++;
    else if ((place & 1) == o->late)
        o->p->m->order[o->at[place / 2]++] = op;
}

/* Thieves come right after their victim's operations; `after` is the last of
 * them among those that are sorted. */
struct theft {
    uint32_t after, op;
};

static int compare_thefts(const void *x, const void *y)
{
    const struct theft *const a = x, *const b = y;
    return a->after < b->after ? -1 : a->after > b->after;
}

/* What is early, or all. */
static void put_forwards(struct ordering *o, const struct theft *theft)
{
    for (uint32_t i = 0; i < o->sorted; i++) {
        put(o, o->p->sorted[i]);
        for (; theft->after == i; theft++)
            put(o, theft->op);
    }
}

static uint8_t role_at(const struct ordering *o, uint32_t i)
{
    return o->p->tape->op[o->p->sorted[i]].role;
}

/* Peeks come after what adds their item, as they are sorted. */
static void put_backwards(struct ordering *o)
{
    const uint32_t *const sorted = o->p->sorted;
    for (uint32_t i = o->sorted; i-- > 0;) {
        if (role_at(o, i) != PLUMB_ROLE_ADD || !(o->p->place[sorted[i]] & 1))
            continue;
        put(o, sorted[i]);
        for (uint32_t j = i + 1;
             j < o->sorted && role_at(o, j) == PLUMB_ROLE_PEEK; j++)
            put(o, sorted[j]);
    }
}

static uint32_t add_up(uint32_t *count, uint32_t keys)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < keys; i++) {
        const uint32_t here = count[i];
        count[i] = sum;
        sum += here;
    }
    return sum;
}

/* All thefts, and one that never comes. */
static struct theft *list_thefts(struct plumb_priority *p)
{
    struct theft *const theft =
        plumb_arena_alloc(p->m->scratch, (p->busy + 1) * sizeof *theft);
    if (!theft)
        return NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->thieves; i++)
        if (p->thief[i].victim != PLUMB_NO_OP)
            theft[n++] = (struct theft){
                plumb_priority_item_of(p, p->thief[i].victim).to - 1,
                p->thief[i].op
            };
    qsort(theft, n, sizeof *theft, compare_thefts);
    theft[n] = (struct theft){ UINT32_MAX, PLUMB_NO_OP };
    return theft;
}

/* The room of p->span serves for the counts: there are no more gaps than
 * operations, and one. */
bool plumb_priority_order(struct plumb_priority *p)
{
    struct ordering o = { .p = p,
                          .at = (uint32_t *)p->span,
                          .sorted = p->start[p->classes],
                          .counts = true };
    const struct theft *const theft = list_thefts(p);
    p->m->order =
        plumb_arena_alloc(p->m->arena, (size_t)p->tape->count * sizeof *o.at);
    if (!theft || !p->m->order)
        return false;
    memset(o.at, 0, (size_t)p->gaps * sizeof *o.at);
    put_forwards(&o, theft);
    p->m->order_count = add_up(o.at, p->gaps);
    o.counts = false;
    put_forwards(&o, theft);
    o.late = true;
    put_backwards(&o);
    return true;
}
