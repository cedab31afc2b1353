/* priority_chain.c - what is in the way of an operation that finds no gap.
 *
 * The fewest items that cover all its gaps: from its first gap on, the item
 * that reaches furthest, again and again.  Items that are never removed are
 * different while there are thieves left: one of these may have taken them.
 * Such an item covers everything from where it begins, so a chain needs one of
 * them at most, the one that begins first, and without its theft the operation
 * cannot have happened. */
#include "base/memory.h"
#include "priority.h"

struct chain {
    struct plumb_check_priority *p;
    uint32_t first, last; /* the gaps to be covered */
    struct link {
        uint32_t reach;       /* some item covers from here to before `reach` */
        uint32_t item;        /* where it begins */
    } * link;                 /* by gap from `first` on */
    size_t size;              /* in bytes, of link */
    uint32_t prey_from, prey; /* the first item that a thief may have taken */
};

/* ---- blame ---- */

static void blame(struct plumb_check_priority *p, uint32_t slot)
{
    if (p->blamed && slot != PLUMB_NO_SLOT)
        p->blamed[p->sorted[slot]] = true;
}

/* All that adds and removes it: whole items are left out or none of it. */
static void blame_changes(struct plumb_check_priority *p,
                          const struct plumb_check_priority_item *item)
{
    for (uint32_t i = item->from; i < item->to; i++)
        if (plumb_check_step_at(p, i) != PLUMB_STEP_PEEK)
            blame(p, i);
}

/* And the operation that makes it begin so early, or end so late; rather one
 * that is blamed already. */
static void blame_bound(struct plumb_check_priority *p,
                        const struct plumb_check_priority_item *item,
                        bool early)
{
    uint32_t found = PLUMB_NO_SLOT;
    for (uint32_t i = item->from; i < item->to; i++) {
        const struct plumb_check_priority_span s = p->span[i];
        const bool changes = plumb_check_step_at(p, i) != PLUMB_STEP_PEEK;
        if (s.first == PLUMB_NEVER || (s.last == PLUMB_NEVER && !changes))
            continue;
        if ((early ? s.last == item->last : s.first == item->first) &&
            (changes || found == PLUMB_NO_SLOT))
            found = i;
    }
    blame(p, found);
}

static void blame_item(struct plumb_check_priority *p,
                       const struct plumb_check_priority_item *item)
{
    blame_changes(p, item);
    blame_bound(p, item, true);
    if (item->removed)
        blame_bound(p, item, false);
}

/* What gives the operation its gaps. */
static void blame_failed(struct plumb_check_priority *p)
{
    const struct plumb_check_failure *const f = &p->failure;
    blame(p, f->slot);
    if (f->item == PLUMB_NO_SLOT)
        return;
    const struct plumb_check_priority_item item =
        plumb_check_priority_item(p, f->item);
    blame_changes(p, &item);
    if (f->slot == item.remove)
        blame_bound(p, &item, false);
}

/* ---- chains ---- */

static bool may_be_taken(const struct plumb_check_priority *p,
                         const struct plumb_check_priority_item *item)
{
    return !item->removed && p->busy < p->thieves;
}

static void note_item(struct chain *c,
                      const struct plumb_check_priority_item *item)
{
    const struct plumb_check_priority_cover cover =
        plumb_check_priority_cover(c->p, item);
    if (cover.from >= cover.to || cover.from > c->last || cover.to <= c->first)
        return;
    const uint32_t from = cover.from < c->first ? c->first : cover.from;
    if (may_be_taken(c->p, item)) {
        if (c->prey == PLUMB_NO_SLOT || from < c->prey_from) {
            c->prey_from = from;
            c->prey = item->from;
        }
        return;
    }
    struct link *const link = c->link + (from - c->first);
    if (link->reach < cover.to)
        *link = (struct link){ cover.to, item->from };
}

static void note_items(struct chain *c)
{
    const struct plumb_check_priority *const p = c->p;
    const uint32_t end = p->start[p->failure.tier];
    struct plumb_check_priority_item item;
    for (uint32_t at = 0; at < end; at = item.to) {
        item = plumb_check_priority_item(p, at);
        note_item(c, &item);
    }
}

/* From the first gap as far as it goes, but not from `until` on; blames the
 * items if it is told to. */
static uint32_t follow(struct chain *c, uint32_t until, bool blames)
{
    struct link best = { 0, PLUMB_NO_SLOT };
    uint32_t at = c->first;
    for (uint32_t gap = c->first; gap <= c->last && at < until; gap++) {
        if (c->link[gap - c->first].reach > best.reach)
            best = c->link[gap - c->first];
        if (gap < at)
            continue;
        if (best.reach <= gap)
            return gap;
        if (blames) {
            const struct plumb_check_priority_item item =
                plumb_check_priority_item(c->p, best.item);
            blame_item(c->p, &item);
        }
        at = best.reach;
    }
    return at;
}

static void find_chain(struct chain *c)
{
    note_items(c);
    const bool blames = c->p->blamed;
    if (follow(c, PLUMB_NEVER, false) > c->last) {
        c->prey = PLUMB_NO_SLOT;
        c->prey_from = PLUMB_NEVER;
    }
    if (blames)
        follow(c, c->prey_from, true);
    if (c->prey == PLUMB_NO_SLOT || !blames)
        return;
    const struct plumb_check_priority_item item =
        plumb_check_priority_item(c->p, c->prey);
    blame_item(c->p, &item);
    blame_bound(c->p, &item, false); /* no theft before that */
}

/* Those that are called later cannot help. */
static void blame_thieves(struct plumb_check_priority *p)
{
    for (uint32_t i = 0; i < p->thieves; i++)
        blame(p, p->thief[i].slot);
}

bool plumb_check_priority_chain(struct plumb_check_priority *p,
                                uint32_t *victim)
{
    const struct plumb_check_failure *const f = &p->failure;
    struct chain c = { .p = p,
                       .first = f->first,
                       .last = f->last < p->gaps ? f->last : p->gaps - 1,
                       .prey = PLUMB_NO_SLOT };
    *victim = PLUMB_NO_SLOT;
    if (p->blamed)
        blame_failed(p);
    if (f->first > f->last)
        return true;
    c.size = ((size_t)c.last - c.first + 1) * sizeof *c.link;
    c.link = plumb_base_alloc_zeroed(p->m->budget, c.size);
    if (!c.link)
        return false;
    find_chain(&c);
    plumb_base_release(p->m->budget, c.link, c.size);
    *victim = c.prey;
    if (c.prey != PLUMB_NO_SLOT)
        blame_thieves(p);
    return true;
}
