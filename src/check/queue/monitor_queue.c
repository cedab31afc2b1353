/* monitor_queue.c - first in, first out, in linear time.
 *
 * queue_order.c decides as if no remove were open.  If that is not a queue,
 * open removes may explain what is missing: queue_prefix.c. */
#include "check/keyed/keyed.h"
#include "queue_prefix.h"
#include "queue_view.h"
#include "spec/stores/container.h"

static const char *declines(const struct plumb_spec *spec,
                            const struct plumb_check_queue_view *view)
{
    if (spec->given[PLUMB_CAP])
        return "a capacity limit";
    if (spec->param[PLUMB_BLOCKING] && view->vain)
        return "a blocking queue returned empty";
    return view->strange;
}

/* ---- all of it ---- */

static bool ends(struct plumb_check_monitoring *m)
{
    return plumb_check_monitor_gives_up(m, PLUMB_EMEMORY);
}

static bool is_linearizable(struct plumb_check_monitoring *m,
                            const struct plumb_check_queue_view *view,
                            const struct plumb_check_queue_order *order)
{
    if (!plumb_check_queue_witness(view, order, m))
        return ends(m);
    m->verdict = PLUMB_LINEARIZABLE;
    return true;
}

/* The pending removes took those values, in this order. */
static void assign(struct plumb_check_queue_prefix *p)
{
    const struct plumb_check_input *const input = p->view->input;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < input->count && taken < p->gones; i++) {
        const struct plumb_check_input_op *const o = &input->op[i];
        if (o->role != PLUMB_ROLE_REMOVE || !plumb_check_input_is_pending(o))
            continue;
        struct plumb_check_queue_value *const x =
            &p->view->value[p->gone[taken++]];
        x->rem = i;
        if (x->dc < o->call)
            x->dc = o->call;
    }
}

static bool is_explained(struct plumb_check_queue_prefix *p,
                         struct plumb_check_monitoring *m)
{
    struct plumb_check_queue_order order;
    assign(p);
    if (!plumb_check_queue_line_up(p->view, m->scratch, &order))
        return ends(m);
    if (order.wrong_at != PLUMB_NEVER)
        return plumb_check_monitor_declines(m, "pending removals");
    return is_linearizable(m, p->view, &order);
}

static bool is_violation(const struct plumb_check_queue_view *view,
                         struct plumb_check_monitoring *m, uint32_t from)
{
    if (!plumb_check_queue_earliest(view, m, from))
        return ends(m);
    m->verdict = m->declined ? PLUMB_UNDECIDED : PLUMB_NOT_LINEARIZABLE;
    return true;
}

bool plumb_check_monitor_queue(struct plumb_check_monitoring *m)
{
    struct plumb_check_queue_view view;
    struct plumb_check_queue_order order;
    struct plumb_check_queue_prefix prefix;
    if (!plumb_check_queue_view_open(&view, m->input, m->budget, m->scratch) ||
        !plumb_check_queue_look(&view, PLUMB_NEVER - 1))
        return ends(m);
    const char *const why = declines(m->spec, &view);
    if (why)
        return plumb_check_monitor_declines(m, why);
    if (!plumb_check_queue_line_up(&view, m->scratch, &order))
        return ends(m);
    if (order.wrong_at == PLUMB_NEVER)
        return is_linearizable(m, &view, &order);
    if (view.opens == 0)
        return is_violation(&view, m, order.wrong_at);
    if (!plumb_check_queue_prefix_open(&prefix, &view, m->scratch))
        return ends(m);
    switch (plumb_check_queue_prefix_decide(&prefix, PLUMB_NEVER - 1)) {
    case PLUMB_QUEUE_FINE:
        return is_explained(&prefix, m);
    case PLUMB_QUEUE_WRONG:
        return is_violation(&view, m, order.wrong_at);
    case PLUMB_QUEUE_UNCLEAR:
        return plumb_check_monitor_declines(m, "pending removals");
    case PLUMB_QUEUE_ENDED:
        break;
    }
    return ends(m);
}
