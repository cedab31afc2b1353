/* semiqueue.c - a queue that gives back any of its items.
 *
 * The order of the items plays no part, so a state is how often each value is
 * present; that is fewer states than sequences would be. */
#include "queue_family.h"
#include "spec/stores/treap.h"

static const struct plumb_spec_param params[] = { PLUMB_QUEUE_PARAMS };

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const struct plumb_spec_treap *const t = space->extra;
    const uint32_t length = plumb_spec_treap_total(t, s);
    const bool any = a->term == PLUMB_TERM_ANY;
    if (plumb_spec_finds_limit(space, PLUMB_CAP, length, a))
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    if (!plumb_spec_answers(a, PLUMB_TERM_OK))
        return true;
    if (plumb_spec_queue_inserts(a))
        return plumb_spec_treap_step(space, s, a->arg[0], 1, out);
    if (a->kind == PLUMB_QUEUE_PEEK)
        return (!any && !plumb_spec_treap_get(t, s, a->res[0])) ||
               plumb_spec_states_add(out, s);
    return any ? plumb_spec_treap_take_any(space, s, 0, UINT64_MAX, out)
               : plumb_spec_treap_step(space, s, a->res[0], -1, out);
}

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    (void)bound;
    return a->term == PLUMB_TERM_ANY && plumb_spec_queue_removes(a);
}

const struct plumb_spec_type plumb_spec_type_semiqueue = {
    .name = "semiqueue",
    .what = "a queue whose deq returns any of its items",
    PLUMB_TABLES(plumb_spec_queue_ops, params),
    .open = plumb_spec_treap_open,
    .close = plumb_spec_treap_close,
    .initial = plumb_spec_initial_empty,
    .step = step,
    .branches = branches,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .closed = plumb_spec_closed_without_cap,
    .show = plumb_spec_treap_show,
};
