/* monitor_queue.c - first in, first out, in linear time.
 *
 * queue_order.c decides as if no remove were open.  If that is not a queue,
 * open removes may explain what is missing: queue_prefix.c.  The same decider
 * finds the earliest event: a prefix of a history is a history with open
 * removes. */
#include "base/arena.h"
#include "check/queue_blame.h"
#include "check/queue_order.h"
#include "spec/container.h"

enum { K = PLUMB_OWN_PARAM };

static const char *declines(const struct plumb_spec *spec,
                            const struct plumb_queue_view *view)
{
    if (spec->given[PLUMB_CAP])
        return "a limit";
    if (spec->given[K])
        return "a quasi queue";
    if (spec->param[PLUMB_BLOCKING] && view->vain)
        return "a blocking queue answered empty";
    return view->strange;
}

/* ---- the earliest event ---- */

struct earliest {
    struct plumb_queue_prefix *p;
    bool unclear;
};

static uint32_t rank(const struct plumb_tape *tape, uint32_t event)
{
    const uint32_t e = tape->event[event];
    return plumb_tape_rank(&tape->op[e / 2], e);
}

/* The first of events low ... high where `wanted` is what it says of being
 * WRONG, if it is so at `high`, not before `low`, and never stops being. */
static bool bisect(struct earliest *s, const struct plumb_tape *tape,
                   uint32_t low, uint32_t *high, bool or_unclear)
{
    while (low < *high) {
        const uint32_t middle = low + (*high - low) / 2;
        const enum plumb_queue_word word =
            plumb_queue_prefix_decide(s->p, rank(tape, middle));
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
static bool gallop(struct earliest *s, const struct plumb_tape *tape,
                   uint32_t *low, uint32_t *high)
{
    for (uint32_t step = 1;; step *= 2) {
        const uint32_t next = step < *high - *low ? *low + step - 1 : *high;
        if (next == *high)
            return true;
        const enum plumb_queue_word word =
            plumb_queue_prefix_decide(s->p, rank(tape, next));
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

static uint32_t event_of(const struct plumb_tape *tape, uint32_t at)
{
    uint32_t low = 0, high = tape->events - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (rank(tape, middle) < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Nothing is wrong before rank `from`, whatever open removes do. */
static bool find_earliest(struct plumb_queue_prefix *p,
                          struct plumb_monitoring *m, uint32_t from)
{
    const struct plumb_tape *const tape = m->tape;
    struct earliest s = { .p = p };
    const uint32_t first = event_of(tape, from);
    uint32_t low = first, high = tape->events - 1;
    if (!gallop(&s, tape, &low, &high) || !bisect(&s, tape, low, &high, false))
        return false;
    m->sure = m->maybe = rank(tape, high);
    if (!s.unclear)
        return true;
    uint32_t maybe = high;
    if (!bisect(&s, tape, first, &maybe, true))
        return false;
    m->maybe = rank(tape, maybe);
    return true;
}

/* ---- all of it ---- */

static bool ends(struct plumb_monitoring *m)
{
    const enum plumb_status state = plumb_budget_state(m->budget);
    m->verdict = PLUMB_UNDECIDED;
    m->why = state == PLUMB_OK ? PLUMB_EMEMORY : state;
    return false;
}

static bool decline(struct plumb_monitoring *m, const char *why)
{
    m->verdict = PLUMB_UNDECIDED;
    m->declined = why;
    return true;
}

static bool is_linearizable(struct plumb_monitoring *m,
                            const struct plumb_queue_view *view,
                            const struct plumb_queue_order *order)
{
    if (!plumb_queue_witness(view, order, m))
        return ends(m);
    m->verdict = PLUMB_LINEARIZABLE;
    return true;
}

/* The pending removes took those values, in this order. */
static void assign(struct plumb_queue_prefix *p)
{
    const struct plumb_tape *const tape = p->view->tape;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < tape->count && taken < p->gones; i++) {
        const struct plumb_tape_op *const o = &tape->op[i];
        if (o->role != PLUMB_ROLE_REMOVE || !plumb_tape_is_pending(o))
            continue;
        struct plumb_queue_value *const x = &p->view->value[p->gone[taken++]];
        x->rem = i;
        if (x->dc < o->call)
            x->dc = o->call;
    }
}

static bool is_explained(struct plumb_queue_prefix *p,
                         struct plumb_monitoring *m)
{
    struct plumb_queue_order order;
    assign(p);
    if (!plumb_queue_line_up(p->view, m->scratch, &order))
        return ends(m);
    if (order.wrong_at != PLUMB_NEVER)
        return decline(m, "pending removals");
    return is_linearizable(m, p->view, &order);
}

static bool is_violation(struct plumb_queue_prefix *p,
                         struct plumb_monitoring *m, uint32_t from)
{
    if (!find_earliest(p, m, from) || !plumb_queue_blame(p, m))
        return ends(m);
    m->verdict = PLUMB_NOT_LINEARIZABLE;
    return true;
}

bool plumb_monitor_queue(struct plumb_monitoring *m)
{
    struct plumb_queue_view view;
    struct plumb_queue_order order;
    struct plumb_queue_prefix prefix;
    if (!plumb_queue_view_open(&view, m->tape, m->budget, m->scratch))
        return ends(m);
    if (!plumb_queue_look(&view, PLUMB_NEVER - 1))
        return ends(m);
    const char *const why = declines(m->spec, &view);
    if (why)
        return decline(m, why);
    if (!plumb_queue_line_up(&view, m->scratch, &order))
        return ends(m);
    if (order.wrong_at == PLUMB_NEVER)
        return is_linearizable(m, &view, &order);
    if (!plumb_queue_prefix_open(&prefix, &view, m->scratch))
        return ends(m);
    switch (plumb_queue_prefix_decide(&prefix, PLUMB_NEVER - 1)) {
    case PLUMB_QUEUE_FINE:
        return is_explained(&prefix, m);
    case PLUMB_QUEUE_WRONG:
        return is_violation(&prefix, m, order.wrong_at);
    case PLUMB_QUEUE_UNCLEAR:
        return decline(m, "pending removals");
    case PLUMB_QUEUE_ENDED:
        break;
    }
    return ends(m);
}
