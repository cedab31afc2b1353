/* definition.c - see definition.h. */
#include "definition.h"

struct run {
    const struct history *h;
    const struct rules *r;
    int now;     /* events before this one have happened */
    int waiting; /* the operation that is to wait at the end, or NOTHING */
    /* Operations, in the order in which they took effect. */
    int added[WEAK_OPS], removed[WEAK_OPS];
    int present[WEAK_OPS]; /* additions whose items are there, by age */
    int adds, removes, items;
    bool done[WEAK_OPS];
    bool gone[WEAK_OPS]; /* open, and removed for Definition 2 */
};

static bool adds(const struct op *o)
{
    return o->kind == ADD || o->kind == PUT;
}

static bool removes(const struct op *o)
{
    return o->kind == REMOVE || o->kind == TAKE;
}

static bool is_open(const struct run *t, int i)
{
    const struct op *const o = t->h->op + i;
    return !t->gone[i] && o->call < t->now && o->ret >= t->now;
}

static bool overlap(const struct op *a, const struct op *b)
{
    return a->call < b->ret && b->call < a->ret;
}

/* ---- the table ---- */

static bool all_are_open(const struct run *t, const int *list, int from, int to)
{
    for (int k = from; k < to; k++)
        if (!is_open(t, list[k]))
            return false;
    return true;
}

static bool some_is_open(const struct run *t, bool (*side)(const struct op *))
{
    for (int i = 0; i < t->h->count; i++)
        if (side(t->h->op + i) && is_open(t, i))
            return true;
    return false;
}

/* One that waits for ever accounts for nothing. */
static bool counts(const struct run *t, int k, int i)
{
    return k != i && k != t->waiting && !t->gone[k];
}

/* Items present whose addition returned before the call; other removals that
 * overlap it. */
static bool may_overlook_all(const struct run *t, int i)
{
    const struct op *const o = t->h->op + i;
    int items = 0, others = 0;
    for (int k = 0; k < t->items; k++)
        items += t->h->op[t->present[k]].ret < o->call;
    for (int k = 0; k < t->h->count; k++)
        others += counts(t, k, i) && removes(t->h->op + k) &&
                  overlap(t->h->op + k, o);
    return items <= others;
}

static bool may_be_empty(const struct run *t, int i)
{
    if (t->items == 0)
        return true;
    switch (t->r->weakness) {
    case CLAIM:
        return all_are_open(t, t->present, 0, t->items);
    case GAP:
        return is_open(t, t->present[0]);
    case SCAN:
        return may_overlook_all(t, i);
    case OVERLAP:
        return overlap(t->h->op + t->present[0], t->h->op + i);
    case OTHER_SIDE:
        return some_is_open(t, adds);
    default:
        return false;
    }
}

/* e - d + holders >= N */
static bool pool_is_full(const struct run *t, int i)
{
    int holders = 0;
    for (int k = 0; k < t->removes; k++)
        holders += is_open(t, t->removed[k]);
    for (int k = 0; k < t->h->count; k++)
        holders += counts(t, k, i) && adds(t->h->op + k) && is_open(t, k) &&
                   !t->done[k] && t->h->op[k].answer != REFUSED;
    return t->items + holders >= t->r->cap;
}

static bool may_be_full(const struct run *t, int i)
{
    const int needed = t->adds - t->r->cap; /* of removed[]: item e + 1 - N */
    if (t->r->cap == 0 || t->items == t->r->cap)
        return t->r->cap != 0;
    switch (t->r->weakness) {
    case CLAIM:
        return needed >= 0 && all_are_open(t, t->removed, needed, t->removes);
    case GAP:
        return needed >= 0 && is_open(t, t->removed[needed]);
    case OVERLAP:
        return needed >= 0 &&
               overlap(t->h->op + t->removed[needed], t->h->op + i);
    case POOL:
    case SCAN:
        return pool_is_full(t, i);
    case OTHER_SIDE:
        return some_is_open(t, removes);
    default:
        return false;
    }
}

/* ---- instants ---- */

static bool go_on(struct run *t);

static bool go_on_with(struct run *t, int i)
{
    t->done[i] = true;
    const bool legal = go_on(t);
    t->done[i] = false;
    return legal;
}

static bool add(struct run *t, int i)
{
    if (t->r->cap && t->items == t->r->cap)
        return false;
    t->present[t->items++] = t->added[t->adds++] = i;
    const bool legal = go_on_with(t, i);
    t->items--;
    t->adds--;
    return legal;
}

static bool may_come_out(const struct run *t, int place)
{
    return t->r->container == BAG ||
           place == (t->r->container == QUEUE ? 0 : t->items - 1);
}

static bool remove_at(struct run *t, int i, int place)
{
    const struct run before = *t;
    t->removed[t->removes++] = i;
    t->items--;
    for (int k = place; k < t->items; k++)
        t->present[k] = t->present[k + 1];
    const bool legal = go_on_with(t, i);
    *t = before;
    return legal;
}

/* Remove an item, or look at it. */
static bool get(struct run *t, int i)
{
    const struct op *const o = t->h->op + i;
    for (int k = 0; k < t->items; k++)
        if (may_come_out(t, k) &&
            (o->answer == PENDING || t->h->op[t->present[k]].value == o->value))
            if (o->kind == PEEK ? go_on_with(t, i) : remove_at(t, i, k))
                return true;
    return false;
}

/* Operation i answers `empty` or `full`, or just does not return. */
static bool is_refused(struct run *t, int i)
{
    const struct op *const o = t->h->op + i;
    if (o->kind == PUT || o->kind == TAKE)
        return false;
    if (o->kind == PEEK ? t->items > 0
        : adds(o)       ? !may_be_full(t, i)
                        : !may_be_empty(t, i))
        return false;
    return go_on_with(t, i);
}

static bool take_effect(struct run *t, int i)
{
    const struct op *const o = t->h->op + i;
    if (o->answer != OK && is_refused(t, i))
        return true;
    if (o->answer == REFUSED)
        return false;
    return adds(o) ? add(t, i) : get(t, i);
}

/* All events have happened: that is a legal order, unless somebody is to wait. */
static bool is_end(const struct run *t)
{
    if (t->waiting == NOTHING)
        return true;
    switch (t->h->op[t->waiting].kind) {
    case PUT:
        return t->r->cap && t->items == t->r->cap;
    case TAKE:
        return t->items == 0;
    default:
        return false;
    }
}

static bool go_on(struct run *t)
{
    for (int i = 0; i < t->h->count; i++)
        if (!t->done[i] && i != t->waiting && is_open(t, i) &&
            take_effect(t, i))
            return true;
    if (t->now == t->h->events)
        return is_end(t);
    const struct event *const e = t->h->event + t->now;
    if (e->is_return && !t->done[e->op])
        return false;
    t->now++;
    const bool legal = go_on(t);
    t->now--;
    return legal;
}

bool weak_is_legal(const struct history *h, const struct rules *r)
{
    struct run t = { .h = h, .r = r, .waiting = NOTHING };
    return go_on(&t);
}

bool weak_may_wait(const struct history *h, const struct rules *r, int op)
{
    struct run t = { .h = h, .r = r, .waiting = op };
    for (int i = 0; i < h->count; i++)
        t.gone[i] = i != op && h->op[i].answer == PENDING;
    return go_on(&t);
}
