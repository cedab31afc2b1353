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
#include "check/priority.h"

/* ---- items ---- */

static bool is_same_item(const struct plumb_tape_op *a,
                         const struct plumb_tape_op *b)
{
    const bool a_pair = a->nargs + a->nres > 1;
    const bool b_pair = b->nargs + b->nres > 1;
    return a_pair == b_pair && (!a_pair || a->word[1] == b->word[1]);
}

/* The victim of a thief is removed from when the thief was called. */
static void look_for_thief(const struct plumb_priority *p,
                           struct plumb_item *item)
{
    for (uint32_t i = 0; p->busy && i < p->thieves; i++) {
        if (p->thief[i].victim != item->add)
            continue;
        item->remove = p->thief[i].op;
        item->removed = item->stolen = true;
        if (item->first < p->thief[i].first)
            item->first = p->thief[i].first;
        return;
    }
}

static void count_operation(const struct plumb_priority *p, uint32_t op,
                            struct plumb_item *item)
{
    const struct plumb_span span = p->span[op];
    const uint8_t role = p->tape->op[op].role;
    const bool open = span.last == PLUMB_NEVER;
    if (span.first == PLUMB_NEVER || (open && role != PLUMB_ROLE_ADD &&
                                      (role == PLUMB_ROLE_PEEK || !p->known)))
        return;
    if (role == PLUMB_ROLE_ADD) {
        item->add = op;
        item->adds++;
    } else {
        item->reads += !open;
    }
    if (role == PLUMB_ROLE_REMOVE && (!open || !item->removed)) {
        item->remove = op;
        item->removed = true;
        item->removes += !open;
    }
    if (item->first < span.first)
        item->first = span.first;
    if (item->last > span.last)
        item->last = span.last;
}

/* The item whose operations begin at sorted[from]; its class ends at `end`. */
struct plumb_item plumb_priority_item(const struct plumb_priority *p,
                                      uint32_t from, uint32_t end)
{
    const struct plumb_tape_op *const op = p->tape->op;
    struct plumb_item item = { .from = from,
                               .to = from,
                               .add = PLUMB_NO_OP,
                               .remove = PLUMB_NO_OP,
                               .last = PLUMB_NEVER };
    for (; item.to < end &&
           is_same_item(op + p->sorted[from], op + p->sorted[item.to]);
         item.to++)
        count_operation(p, p->sorted[item.to], &item);
    item.end =
        item.remove == PLUMB_NO_OP ? PLUMB_NEVER : p->span[item.remove].last;
    if (!item.removed && item.adds)
        look_for_thief(p, &item);
    return item;
}

/* The item that `op` is an operation of. */
struct plumb_item plumb_priority_item_of(const struct plumb_priority *p,
                                         uint32_t op)
{
    const uint32_t class = plumb_priority_class_of(p, op);
    const uint32_t end = p->start[class + 1];
    uint32_t at = p->start[class];
    while (!is_same_item(p->tape->op + op, p->tape->op + p->sorted[at]))
        at++;
    return plumb_priority_item(p, at, end);
}

/* Has it been there at all?  What adds it may never have had an effect. */
static bool was_there(const struct plumb_item *item)
{
    return item->last != PLUMB_NEVER;
}

struct plumb_cover plumb_priority_cover(const struct plumb_priority *p,
                                        const struct plumb_item *item)
{
    if (!was_there(item))
        return (struct plumb_cover){ 0, 0 };
    return (struct plumb_cover){ item->last + 1,
                                 item->removed ? item->first : p->gaps };
}

/* ---- gaps for its operations ---- */

static bool fails(struct plumb_priority *p, const struct plumb_item *item,
                  uint32_t op, uint32_t first, uint32_t last)
{
    p->failure.op = op;
    p->failure.add = item->add;
    p->failure.first = first;
    p->failure.last = last;
    return false;
}

/* Where an item begins and ends: gaps, or PLUMB_NO_HOLE. */
struct stay {
    uint32_t begin, end;
    bool at_once; /* all of it happens in `end` */
};

static struct stay place_item(struct plumb_priority *p,
                              const struct plumb_item *item)
{
    const uint32_t add_first = p->span[item->add].first;
    struct stay s = { .end = PLUMB_NO_HOLE };
    const uint32_t last = item->last < p->gaps ? item->last : p->gaps - 1;
    if (item->removed)
        s.end = plumb_holes_next(&p->holes, item->first);
    s.at_once = s.end <= last;
    s.begin = plumb_holes_previous(&p->holes, last);
    if (s.begin == PLUMB_NO_HOLE || s.begin < add_first)
        p->place[item->add] = 2 * add_first + 1;
    else
        p->place[item->add] = 2 * s.begin + 1;
    if (s.at_once)
        p->place[item->add] = 2 * s.end;
    if (item->removed)
        p->place[item->remove] = 2 * s.end;
    return s;
}

static bool place_peek(struct plumb_priority *p, const struct plumb_item *item,
                       const struct stay *s, uint32_t op)
{
    const struct plumb_span span = p->span[op];
    const uint32_t add_first = p->span[item->add].first;
    const uint32_t first = span.first < add_first ? add_first : span.first;
    const uint32_t last = span.last < item->end ? span.last : item->end;
    const uint32_t gap = plumb_holes_next(&p->holes, first);
    if (gap > last)
        return fails(p, item, op, first, last);
    if (s->at_once)
        p->place[op] = 2 * s->end;
    else if (s->begin != PLUMB_NO_HOLE && s->begin >= first)
        p->place[op] = 2 * s->begin + 1;
    else
        p->place[op] = 2 * gap;
    return true;
}

/* A removal that had not returned may not have happened, unless it is made to:
 * then it needs no gap. */
static bool is_removed_in_time(const struct plumb_priority *p,
                               const struct plumb_item *item,
                               const struct stay *stay)
{
    if (!item->removed ||
        (!item->stolen && p->span[item->remove].last == PLUMB_NEVER))
        return true;
    return stay->end != PLUMB_NO_HOLE && stay->end <= item->end;
}

static bool has_returned(const struct plumb_priority *p, uint32_t op)
{
    return p->span[op].first != PLUMB_NEVER && p->span[op].last != PLUMB_NEVER;
}

/* An item that nothing adds. */
static bool fails_to_begin(struct plumb_priority *p,
                           const struct plumb_item *item)
{
    uint32_t i = item->from;
    while (!has_returned(p, p->sorted[i]))
        i++;
    return fails(p, item, p->sorted[i], 1, 0);
}

static bool check_item(struct plumb_priority *p, const struct plumb_item *item)
{
    const struct plumb_tape_op *const op = p->tape->op;
    if (!was_there(item)) {
        for (uint32_t i = item->from; i < item->to; i++)
            p->place[p->sorted[i]] = PLUMB_NOWHERE;
        return true;
    }
    if (item->removes > item->adds)
        return fails(p, item, item->remove, 1, 0);
    if (item->adds == 0)
        return fails_to_begin(p, item);
    if (item->adds > 1) {
        p->repeats = true;
        return fails(p, item, item->add, 1, 0);
    }
    const struct stay stay = place_item(p, item);
    if (!is_removed_in_time(p, item, &stay))
        return fails(p, item, item->remove, item->first, item->end);
    for (uint32_t i = item->from; i < item->to; i++) {
        const uint32_t at = p->sorted[i];
        if (op[at].role == PLUMB_ROLE_PEEK && has_returned(p, at) &&
            !place_peek(p, item, &stay, at))
            return false;
    }
    return true;
}

/* ---- classes ---- */

static bool check_class(struct plumb_priority *p, uint32_t class)
{
    const uint32_t end = p->start[class + 1];
    for (uint32_t at = p->start[class]; at < end;) {
        const struct plumb_item item = plumb_priority_item(p, at, end);
        if (!check_item(p, &item))
            return false;
        at = item.to;
    }
    for (uint32_t at = p->start[class]; at < end;) {
        const struct plumb_item item = plumb_priority_item(p, at, end);
        const struct plumb_cover cover = plumb_priority_cover(p, &item);
        if (cover.from < cover.to)
            plumb_holes_close(&p->holes, cover.from, cover.to);
        at = item.to;
    }
    return true;
}

/* Who found nothing needs a gap that nobody covers. */
static bool check_empty(struct plumb_priority *p)
{
    const struct plumb_item none = { .add = PLUMB_NO_OP };
    for (uint32_t i = p->start[p->classes - 1]; i < p->start[p->classes]; i++) {
        const uint32_t op = p->sorted[i];
        const struct plumb_span span = p->span[op];
        if (!has_returned(p, op))
            continue;
        const uint32_t gap = plumb_holes_next(&p->holes, span.first);
        if (gap > span.last)
            return fails(p, &none, op, span.first, span.last);
        p->place[op] = 2 * gap;
    }
    return true;
}

/* False if some operation finds no gap, or p->stop says why it had to end. */
bool plumb_priority_pass(struct plumb_priority *p)
{
    uint32_t *const class = &p->failure.class;
    plumb_holes_open(&p->holes, p->gaps);
    for (*class = 0; *class < p->classes - 1; ++*class) {
        if (*class % PLUMB_POLL_OPERATIONS == 0) {
            p->stop = plumb_budget_state(p->m->budget);
            if (p->stop != PLUMB_OK)
                return false;
        }
        if (!check_class(p, *class))
            return false;
    }
    return check_empty(p);
}
