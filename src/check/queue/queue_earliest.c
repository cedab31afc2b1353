/* queue_earliest.c - since when is it wrong?
 *
 * A prefix of a history is a history with open removes, so queue_prefix.c
 * decides any of them.  With all answers known, nothing is wrong before rank
 * `from`: the step is doubled from there until a prefix is wrong, and then
 * halved.  What had returned before `old`, the earliest call of a remove or peek
 * that is open at `from`, has no say any more (docs/how-monitors-work.md).  Of
 * what comes later, first a little is looked at, and then more. */

#include "base/arena.h"
#include "base/pace.h"
#include "check/input/monitor_input.h"
#include "queue_prefix.h"

struct earliest {
    struct plumb_check_queue_prefix *p;
    bool unclear;
};

/* The first of events low ... high where `wanted` is what it says of being
 * WRONG, if it is so at `high`, not before `low`, and never stops being. */
static bool bisect(struct earliest *s, const struct plumb_check_input *input,
                   uint32_t low, uint32_t *high, bool or_unclear)
{
    while (low < *high) {
        const uint32_t middle = low + (*high - low) / 2;
        const enum plumb_check_queue_word word =
            plumb_check_queue_prefix_decide(
                s->p, plumb_check_input_rank_at(input, middle));
        if (word == PLUMB_QUEUE_ENDED)
            return false;
        s->unclear |= word == PLUMB_QUEUE_UNCLEAR;
        if (word == PLUMB_QUEUE_WRONG ||
            (or_unclear && word == PLUMB_QUEUE_UNCLEAR))
            *high = middle;
        else
            low = middle + 1;
    }
    return true;
}

/* Double the step from event `low` on, until it is wrong there. */
static bool gallop(struct earliest *s, const struct plumb_check_input *input,
                   uint32_t *low, uint32_t *high)
{
    for (uint32_t step = 1;; step *= 2) {
        const uint32_t next = step < *high - *low ? *low + step - 1 : *high;
        if (next == *high)
            return true;
        const enum plumb_check_queue_word word =
            plumb_check_queue_prefix_decide(
                s->p, plumb_check_input_rank_at(input, next));
        if (word == PLUMB_QUEUE_ENDED)
            return false;
        if (word == PLUMB_QUEUE_WRONG) {
            *high = next;
            return true;
        }
        s->unclear |= word == PLUMB_QUEUE_UNCLEAR;
        *low = next + 1;
    }
}

/* The first event at that rank or behind; the last if there is none. */
static uint32_t event_of(const struct plumb_check_input *input, uint32_t at)
{
    const uint32_t last = input->events - 1,
                   before = plumb_check_input_events_before(input, at);
    return before < last ? before : last;
}

/* ---- the window ---- */

enum { LATE = 1, NEAR = 2 }; /* of values: see mark() */

struct window {
    const struct plumb_check_queue_view *view; /* of all */
    uint32_t old, limit;                       /* ranks */
    uint8_t *mark;                             /* by value */
};

static bool is_of_value(const struct plumb_check_input_op *o)
{
    return o->role == PLUMB_ROLE_ADD ||
           (!plumb_check_input_is_pending(o) && o->term != PLUMB_TERM_EMPTY);
}

static uint32_t oldest(const struct plumb_check_input *input, uint32_t from)
{
    for (uint32_t i = 0; i < input->count && input->op[i].call < from; i++) {
        const struct plumb_check_input_op *const o = &input->op[i];
        if (o->role == PLUMB_ROLE_REMOVE ? o->ret >= from
            : o->role == PLUMB_ROLE_PEEK
                ? o->ret >= from && o->ret != PLUMB_NEVER
                : false)
            return o->call;
    }
    return from;
}

/* Is there an operation that returned late, or one that was called near? */
static bool mark(struct window *w)
{
    const struct plumb_check_input *const input = w->view->input;
    const struct plumb_budget *const budget = w->view->budget;
    for (uint32_t v = 0; v < w->view->values; v++) {
        if (!plumb_base_in_time(budget, v))
            return false;
        w->mark[v] = w->view->value[v].rem == PLUMB_NO_OP ? LATE : 0;
    }
    for (uint32_t i = 0; i < input->count; i++) {
        const struct plumb_check_input_op *const o = &input->op[i];
        if (!plumb_base_in_time(budget, i))
            return false;
        if (is_of_value(o))
            w->mark[plumb_check_queue_value_of(w->view, o)] |=
                (uint8_t)((o->ret >= w->old ? LATE : 0) |
                          (o->call <= w->limit ? NEAR : 0));
    }
    return true;
}

static bool is_in(const struct window *w, const struct plumb_check_input_op *o)
{
    if (is_of_value(o))
        return w->mark[plumb_check_queue_value_of(w->view, o)] == (LATE | NEAR);
    return o->ret >= w->old && o->call <= w->limit;
}

static bool cut(struct window *w, struct plumb_base_arena *arena,
                struct plumb_check_input *to)
{
    const struct plumb_check_input *const input = w->view->input;
    uint32_t *const pick =
        plumb_base_arena_alloc(arena, input->count * sizeof *pick);
    uint32_t count = 0;
    if (!pick || !mark(w))
        return false;
    for (uint32_t i = 0; i < input->count; i++) {
        if (!plumb_base_in_time(arena->budget, i))
            return false;
        if (is_in(w, &input->op[i]))
            pick[count++] = i;
    }
    if (!plumb_check_input_cut(input, pick, count, arena, to))
        return false;
    to->origin = pick;
    return true;
}

/* ---- both ---- */

enum { SHORT = 65536 }; /* it does not matter how often it is gone through */

/* In a window that reaches up to rank `limit`: what happened later is not all
 * there.  `found` if it is wrong. */
static bool search(struct plumb_check_queue_prefix *p,
                   struct plumb_check_monitoring *m, uint32_t from,
                   uint32_t limit, bool *found)
{
    const struct plumb_check_input *const input = p->view->input;
    struct earliest s = { .p = p };
    const uint32_t first = event_of(input, from);
    uint32_t low = first, high = event_of(input, limit);
    if (high > first && plumb_check_input_rank_at(input, high) > limit)
        high--;
    const enum plumb_check_queue_word word = plumb_check_queue_prefix_decide(
        p, plumb_check_input_rank_at(input, high));
    *found = word == PLUMB_QUEUE_WRONG;
    if (!*found)
        return word != PLUMB_QUEUE_ENDED;
    if (!gallop(&s, input, &low, &high) ||
        !bisect(&s, input, low, &high, false))
        return false;
    m->sure = m->maybe = plumb_check_input_rank_at(input, high);
    if (!s.unclear)
        return true;
    uint32_t maybe = high;
    if (!bisect(&s, input, first, &maybe, true))
        return false;
    m->maybe = plumb_check_input_rank_at(input, maybe);
    return true;
}

/* False when the budget is used up. */
static bool look_near(struct window *w, struct plumb_check_monitoring *m,
                      uint32_t from, bool *found)
{
    struct plumb_check_input near;
    struct plumb_check_queue_view some;
    struct plumb_check_queue_prefix p;
    struct plumb_base_arena arena = { .budget = m->budget };
    const bool goes_on =
        cut(w, &arena, &near) &&
        plumb_check_queue_view_open(&some, &near, m->budget, &arena) &&
        plumb_check_queue_prefix_open(&p, &some, &arena) &&
        search(&p, m, from, w->limit, found) &&
        (!*found || plumb_check_queue_blame(&p, m));
    plumb_base_arena_release(&arena);
    return goes_on;
}

bool plumb_check_queue_earliest(const struct plumb_check_queue_view *view,
                                struct plumb_check_monitoring *m, uint32_t from)
{
    const struct plumb_check_input *const input = view->input;
    const uint32_t last = input->events - 1, first = event_of(input, from);
    uint32_t reach = last < SHORT ? 4 : 1024;
    bool found = false;
    struct window w = { .view = view, .old = oldest(input, from) };
    w.mark = plumb_base_arena_alloc(m->scratch, view->values * sizeof *w.mark);
    if (!w.mark)
        return false;
    for (;; reach = reach < last / 8 ? reach * 8 : last) {
        const uint32_t end = reach < last - first ? first + reach : last;
        w.limit = plumb_check_input_rank_at(input, end);
        if (!look_near(&w, m, from, &found))
            return false;
        if (found)
            return true;
        if (end == last)
            break;
    }
    m->declined = "pending removals";
    return true;
}
