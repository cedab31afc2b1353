/* count_back.c - from the last region back to the first: an order of effects. */
#include "item_counter.h"

/* A pair, and how many answers are explained by then. */
struct pair {
    uint32_t e, d, empties, fulls;
};

static bool contains(const struct plumb_check_front *f,
                     const struct plumb_check_region *r, const struct pair *p)
{
    return r->empties >= p->empties && r->fulls >= p->fulls && p->d >= f->d &&
           p->d - f->d < f->rows && r->least[p->d - f->d] <= p->e;
}

static void list(struct plumb_check_counter *s, uint32_t op)
{
    s->out[s->outs++] = op;
}

/* From `from` to `to`, backward: never too many are there, nor too few. */
static void list_moves(struct plumb_check_counter *s, const struct pair *from,
                       const struct pair *to)
{
    uint32_t e = to->e, d = to->d;
    while (e > from->e || d > from->d)
        if (d > from->d && e - d < s->c->cap)
            list(s, s->c->item[d--].rem);
        else
            list(s, s->c->item[e--].add);
}

/* All that are open take effect here, unless they do later. */
static void list_failing(struct plumb_check_counter *s, bool full)
{
    const uint32_t *const open = full ? s->now.full : s->now.empty;
    const uint32_t count = full ? s->now.fulls : s->now.empties;
    for (uint32_t i = 0; i < count; i++)
        if (!s->listed[open[i]]) {
            s->listed[open[i]] = true;
            list(s, open[i]);
        }
}

/* `to` was reached by a visit from region r: go back to where it was made. */
static void leave_visit(struct plumb_check_counter *s,
                        const struct plumb_check_region *r, bool full,
                        struct pair *to)
{
    const struct plumb_check_front *const f = &s->front;
    for (uint32_t k = 0; k < f->rows; k++) {
        const uint32_t d = f->d + k, least = r->least[k];
        if (least == COUNT_NONE || d > to->d)
            continue;
        const uint32_t e = full ? plumb_check_count_full(s, d, least)
                                : plumb_check_count_empty(s, d, least);
        if (e == COUNT_NONE || e > to->e)
            continue;
        const struct pair at = { e, d, r->empties, r->fulls };
        list_moves(s, &at, to);
        list_failing(s, full);
        *to = at;
        return;
    }
    assert(!"a visit");
}

/* Which visits lead from a region to `to`: up to two, of one kind each. */
static bool leave_visits(struct plumb_check_counter *s,
                         const struct plumb_check_region *r, struct pair *to)
{
    struct plumb_check_region once[2], twice;
    if (contains(&s->front, r, to))
        return true;
    for (unsigned full = 0; full < 2; full++) {
        plumb_check_count_visit(s, &s->front, r, full, &once[full]);
        if (contains(&s->front, &once[full], to)) {
            leave_visit(s, r, full, to);
            return true;
        }
    }
    for (unsigned full = 0; full < 2; full++) {
        plumb_check_count_visit(s, &s->front, &once[!full], full, &twice);
        if (contains(&s->front, &twice, to)) {
            leave_visit(s, &once[!full], full, to);
            leave_visit(s, r, !full, to);
            return true;
        }
    }
    return false;
}

/* What calls allowed, and is in no front, does not count. */
static void leave_calls(struct plumb_check_counter *s, uint32_t before,
                        struct pair *to)
{
    struct pair at = *to;
    struct plumb_check_front *const f = &s->front;
    plumb_check_count_recall(s, before);
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t k = 0; k < f->rows; k++) {
            at = (struct pair){ f->region[i].least[k], f->d + k,
                                f->region[i].empties, f->region[i].fulls };
            if (at.e > to->e || at.d > to->d || at.empties != to->empties ||
                at.fulls != to->fulls)
                continue;
            list_moves(s, &at, to);
            *to = at;
            return;
        }
    assert(!"a way back");
}

/* `to` holds just before the return at hand: go back to what held after the one
 * before, at event `before`. */
static void walk_back(struct plumb_check_counter *s, uint32_t before,
                      struct pair *to)
{
    const uint32_t called = s->now.called, leaving = s->now.leaving;
    plumb_check_count_recall(s, before);
    s->now.called = called;
    s->now.leaving = leaving;
    plumb_check_count_open_window(s, &s->front);
    for (uint32_t i = 0; i < s->front.count; i++) {
        const struct plumb_check_region r = s->front.region[i];
        if (!leave_visits(s, &r, to))
            continue;
        to->empties = r.empties;
        to->fulls = r.fulls;
        break;
    }
    leave_calls(s, before, to);
}

static uint32_t return_before(const struct plumb_check_counter *s, uint32_t at)
{
    while (at > 0)
        if (plumb_check_input_is_return(s->c->input->event[--at]))
            return at;
    return COUNT_NONE;
}

bool plumb_check_count_backward(struct plumb_check_counter *s)
{
    const struct plumb_check_input *const input = s->c->input;
    uint32_t at = return_before(s, input->events);
    struct pair to = { 0, 0, 0, 0 };
    plumb_check_count_recall(s, at);
    s->now.empties = s->now.fulls = 0;
    for (to.d = s->front.d;
         s->front.region[0].least[to.d - s->front.d] == COUNT_NONE;)
        to.d++;
    to.e = s->front.region[0].least[to.d - s->front.d];
    for (uint32_t i = input->events; i-- > 0;) {
        const struct plumb_check_input_op *const o =
            counted_operation(s, input->event[i]);
        if (!plumb_base_in_time(s->c->budget, s->steps++))
            return false;
        plumb_check_count_unsee(s, input->event[i]);
        if (i != at)
            continue;
        s->now.rank = o->ret;
        if (s->c->told)
            list(s, input->event[i] / 2);
        to.empties += o->term == PLUMB_TERM_EMPTY;
        to.fulls += o->term == PLUMB_TERM_FULL;
        plumb_check_count_recall(s, i);
        at = return_before(s, i);
        walk_back(s, at, &to);
    }
    return true;
}
