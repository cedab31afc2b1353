/* queue_empty_instants.c - see queue_empty_instants.h. */
#include "queue_empty_instants.h"

#include "base/memory.h"
#include <string.h>

void plumb_check_empty_instants_release(struct plumb_check_empty_instants *c,
                                        struct plumb_budget *budget)
{
    PLUMB_RELEASE(budget, c->point, c->capacity);
    *c = (struct plumb_check_empty_instants){ .count = 0 };
}

bool plumb_check_empty_instants_append(
    struct plumb_check_empty_instants *c,
    struct plumb_check_empty_instants_point p, struct plumb_budget *budget)
{
    return PLUMB_APPEND(budget, c->point, c->count, c->capacity, p);
}

static void cut(struct plumb_check_empty_instants *c, uint32_t first,
                uint32_t end)
{
    memmove(c->point + first, c->point + end,
            (c->count - end) * sizeof *c->point);
    c->count -= end - first;
}

void plumb_check_empty_instants_cover(struct plumb_check_empty_instants *c,
                                      uint64_t from, uint64_t to)
{
    uint32_t end = c->count;
    while (end && c->point[end - 1].at >= to)
        end--;
    uint32_t first = end;
    while (first && c->point[first - 1].at >= from)
        first--;
    if (first < end)
        cut(c, first, end);
}

void plumb_check_empty_instants_join(struct plumb_check_empty_instants *c,
                                     uint32_t item, uint32_t before)
{
    for (uint32_t i = c->count; i--;) {
        if (c->point[i].item != item)
            continue;
        c->point[i].item = before;
        if (i && c->point[i - 1].item == before)
            cut(c, i - 1, i);
        return;
    }
}

bool plumb_check_empty_instants_implies(
    const struct plumb_check_empty_instants *a,
    const struct plumb_check_empty_instants *b)
{
    uint32_t j = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        while (j < b->count && (b->point[j].item != a->point[i].item ||
                                b->point[j].at < a->point[i].at))
            j++;
        if (j == b->count)
            return false;
    }
    return true;
}

/* The next open dequeue, if it was called before the deadline. */
static bool take(const struct plumb_check_line *l, uint32_t *dequeue,
                 uint64_t deadline)
{
    *dequeue = l->taker[*dequeue].line.after;
    return *dequeue != PLUMB_LINE_DEQUEUES &&
           l->taker[*dequeue].call < deadline;
}

bool plumb_check_empty_instants_fits(
    const struct plumb_check_line *l,
    const struct plumb_check_empty_instants_point *p)
{
    const struct plumb_check_line_item *const item = l->item;
    uint32_t dequeue = PLUMB_LINE_DEQUEUES, debt = item->debt.after;
    const uint64_t then = p ? p->at + 1 : UINT64_MAX;
    for (; debt && item[debt].deadline <= then; debt = item[debt].debt.after)
        if (!take(l, &dequeue, item[debt].deadline))
            return false;
    if (!p)
        return true;
    for (uint32_t i = p->item; i; i = item[i].line.before)
        if (!item[i].left && item[i].deadline > then &&
            !take(l, &dequeue, then))
            return false;
    for (; debt; debt = item[debt].debt.after)
        if (item[debt].came > p->at && !take(l, &dequeue, item[debt].deadline))
            return false;
    return true;
}
