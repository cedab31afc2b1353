/* priority_item.c - what the operations of an item say about it.
 *
 * Between the first return and the last call of its operations an item is
 * there, whatever is chosen. */
#include "priority.h"

/* The victim of a thief is removed from when the thief was called. */
static void look_for_thief(const struct plumb_check_priority *p,
                           struct plumb_check_priority_item *item)
{
    if (!p->robbed[item->from])
        return;
    const struct plumb_check_thief *const t =
        p->thief + p->robbed[item->from] - 1;
    item->remove = t->slot;
    item->removed = item->stolen = true;
    if (item->first < t->first)
        item->first = t->first;
}

/* Removals that have not returned count if it is known what they return. */
static void count_removal(struct plumb_check_priority_item *item, uint32_t slot,
                          bool open)
{
    if (open && item->removed)
        return;
    item->remove = slot;
    item->removed = true;
    item->removes += !open;
}

static void count_operation(const struct plumb_check_priority *p, uint32_t slot,
                            struct plumb_check_priority_item *item)
{
    const struct plumb_check_priority_span span = p->span[slot];
    const enum plumb_check_priority_step step = plumb_check_step_at(p, slot);
    const bool open = span.last == PLUMB_NEVER;
    if (span.first == PLUMB_NEVER || (open && step == PLUMB_STEP_PEEK) ||
        (open && step == PLUMB_STEP_REMOVE && !p->known))
        return;
    if (step == PLUMB_STEP_REMOVE)
        count_removal(item, slot, open);
    if (step == PLUMB_STEP_ADD) {
        item->add = slot;
        item->adds++;
    }
    if (item->first < span.first)
        item->first = span.first;
    if (item->last > span.last)
        item->last = span.last;
}

struct plumb_check_priority_item plumb_check_priority_item(
    const struct plumb_check_priority *p, uint32_t from)
{
    const uint32_t end = p->start[p->nothing];
    struct plumb_check_priority_item item = { .from = from,
                                              .to = from,
                                              .add = PLUMB_NO_SLOT,
                                              .remove = PLUMB_NO_SLOT,
                                              .last = PLUMB_NEVER };
    do
        count_operation(p, item.to++, &item);
    while (item.to < end && !(p->step[item.to] & PLUMB_STEP_BEGINS));
    if (!item.removed && item.adds && p->busy)
        look_for_thief(p, &item);
    return item;
}

struct plumb_check_priority_cover plumb_check_priority_cover(
    const struct plumb_check_priority *p,
    const struct plumb_check_priority_item *item)
{
    if (item->last == PLUMB_NEVER)
        return (struct plumb_check_priority_cover){ 0, 0 };
    return (struct plumb_check_priority_cover){ item->last + 1,
                                                item->removed ? item->first
                                                              : p->gaps };
}
