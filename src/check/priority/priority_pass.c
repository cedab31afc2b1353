/* priority_pass.c - a gap for every operation, most urgent items first.
 *
 * Between the first return and the last call of its operations an item is
 * there, whatever is chosen; it *covers* these gaps.  A removal or a peek needs
 * a gap that no item ahead of it covers.  That is enough.  An item is added in
 * the last open gap up to the first return, if it can be, and removed in the
 * first open gap from the last call on: in between it covers no gap that was
 * still open but those it has to.  In each gap things happen early or late.
 * Early is what ends items, peeks at them, or is all there is of them: the most
 * urgent first, so that what is ahead is gone.  Late is what begins items: the
 * most urgent last, so that it is not there yet. */
#include "base/pace.h"
#include "priority.h"
#include <assert.h>

/* ---- gaps for the operations of an item ---- */

static bool fails(struct plumb_check_priority *p,
                  const struct plumb_check_priority_item *item, uint32_t slot,
                  uint32_t first, uint32_t last)
{
    assert(slot < p->input->count);
    p->failure.slot = slot;
    p->failure.item = item ? item->from : PLUMB_NO_SLOT;
    p->failure.first = first;
    p->failure.last = last;
    return false;
}

/* Whatever gaps are open. */
static bool fails_anyway(struct plumb_check_priority *p,
                         const struct plumb_check_priority_item *item,
                         uint32_t slot)
{
    return fails(p, item, slot, 1, 0);
}

/* Where an item begins and ends: gaps, or PLUMB_NO_MEMBER. */
struct stay {
    uint32_t begin, end;
    bool at_once; /* all of it happens in `end` */
};

static struct stay place_item(struct plumb_check_priority *p,
                              const struct plumb_check_priority_item *item)
{
    const uint32_t called = p->span[item->add].first;
    struct stay s = { plumb_check_bits_previous(&p->open, item->last),
                      PLUMB_NO_MEMBER, false };
    if (item->removed) {
        s.end = plumb_check_bits_next(&p->open, item->first);
        s.at_once = s.end <= item->last;
        p->place[item->remove] = 2 * s.end;
    }
    const bool open = s.begin != PLUMB_NO_MEMBER && s.begin >= called;
    p->place[item->add] =
        s.at_once ? 2 * s.end : 2 * (open ? s.begin : called) + 1;
    return s;
}

/* That is not after the removal, which is not before the call of any peek and
 * has an open gap. */
static bool place_peek(struct plumb_check_priority *p,
                       const struct plumb_check_priority_item *item,
                       const struct stay *s, uint32_t slot)
{
    const struct plumb_check_priority_span span = p->span[slot];
    const uint32_t called = p->span[item->add].first;
    const uint32_t first = span.first < called ? called : span.first;
    const uint32_t gap = plumb_check_bits_next(&p->open, first);
    if (gap > span.last)
        return fails(p, item, slot, first, span.last);
    if (s->at_once)
        p->place[slot] = 2 * s->end;
    else if (s->begin != PLUMB_NO_MEMBER && s->begin >= first)
        p->place[slot] = 2 * s->begin + 1;
    else
        p->place[slot] = 2 * gap;
    return true;
}

static bool place_peeks(struct plumb_check_priority *p,
                        const struct plumb_check_priority_item *item,
                        const struct stay *s)
{
    for (uint32_t i = item->from; i < item->to; i++)
        if (plumb_check_step_at(p, i) == PLUMB_STEP_PEEK &&
            plumb_check_has_returned(p, i) && !place_peek(p, item, s, i))
            return false;
    return true;
}

/* A removal that had not returned may not have happened, unless it is made to:
 * then it needs no gap. */
static bool is_removed_in_time(const struct plumb_check_priority *p,
                               const struct plumb_check_priority_item *item,
                               const struct stay *stay)
{
    if (!item->removed ||
        (!item->stolen && !plumb_check_has_returned(p, item->remove)))
        return true;
    return stay->end != PLUMB_NO_MEMBER &&
           stay->end <= p->span[item->remove].last;
}

/* An item that nothing adds. */
static bool fails_to_begin(struct plumb_check_priority *p,
                           const struct plumb_check_priority_item *item)
{
    uint32_t i = item->from;
    while (!plumb_check_has_returned(p, i))
        i++;
    return fails_anyway(p, item, i);
}

/* What adds it may never have had an effect. */
static bool leave_out(struct plumb_check_priority *p,
                      const struct plumb_check_priority_item *item)
{
    for (uint32_t i = item->from; i < item->to; i++)
        p->place[i] = PLUMB_NOWHERE;
    return true;
}

static bool place(struct plumb_check_priority *p,
                  const struct plumb_check_priority_item *item)
{
    if (item->last == PLUMB_NEVER)
        return leave_out(p, item);
    if (item->removes > item->adds)
        return fails_anyway(p, item, item->remove);
    if (item->adds == 0)
        return fails_to_begin(p, item);
    p->repeats = item->adds > 1;
    if (p->repeats)
        return fails_anyway(p, item, item->add);
    const struct stay stay = place_item(p, item);
    if (!is_removed_in_time(p, item, &stay))
        return fails(p, item, item->remove, item->first,
                     p->span[item->remove].last);
    return place_peeks(p, item, &stay);
}

/* ---- tiers ---- */

static void cover(struct plumb_check_priority *p,
                  const struct plumb_check_priority_item *item)
{
    const struct plumb_check_priority_cover c =
        plumb_check_priority_cover(p, item);
    if (c.from < c.to)
        plumb_check_bits_remove(&p->open, c.from, c.to);
}

/* Items of one tier are not in each other's way. */
static bool place_tier(struct plumb_check_priority *p, uint32_t tier)
{
    const uint32_t from = p->start[tier], to = p->start[tier + 1];
    struct plumb_check_priority_item item;
    for (uint32_t at = from; at < to; at = item.to) {
        item = plumb_check_priority_item(p, at);
        if (!place(p, &item))
            return false;
    }
    if (from < to && item.from == from) {
        cover(p, &item);
        return true;
    }
    for (uint32_t at = from; at < to; at = item.to) {
        item = plumb_check_priority_item(p, at);
        cover(p, &item);
    }
    return true;
}

/* Who found nothing needs a gap that nobody covers. */
static bool place_rest(struct plumb_check_priority *p)
{
    for (uint32_t i = p->start[p->nothing]; i < p->start[p->pending]; i++) {
        const struct plumb_check_priority_span span = p->span[i];
        if (!plumb_base_in_time(p->m->budget, i)) {
            p->stop = PLUMB_EMEMORY;
            return false;
        }
        if (!plumb_check_has_returned(p, i))
            continue;
        const uint32_t gap = plumb_check_bits_next(&p->open, span.first);
        if (gap > span.last)
            return fails(p, NULL, i, span.first, span.last);
        p->place[i] = 2 * gap;
    }
    return true;
}

bool plumb_check_priority_pass(struct plumb_check_priority *p)
{
    uint32_t *const tier = &p->failure.tier;
    plumb_check_bits_fill(&p->open, p->gaps);
    for (*tier = 0; *tier < p->nothing; ++*tier) {
        if (*tier % PLUMB_POLL_OPERATIONS == 0) {
            p->stop = plumb_budget_state(p->m->budget);
            if (p->stop != PLUMB_OK)
                return false;
        }
        if (!place_tier(p, *tier))
            return false;
    }
    return place_rest(p);
}
