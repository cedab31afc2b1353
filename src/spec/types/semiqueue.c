/* semiqueue.c - a queue that gives back any of its items.
 *
 * The order of the items plays no part, so a state is how often each value is
 * present; that is fewer states than sequences would be. */
#include "queue_family.h"
#include "spec/stores/treap.h"

static const struct plumb_spec_param params[] = { PLUMB_QUEUE_PARAMS };

static bool insert(struct plumb_spec_space *space, plumb_spec_state s,
                   const struct plumb_spec_action *a,
                   struct plumb_spec_states *out)
{
    struct plumb_spec_treap *const t = space->extra;
    const plumb_spec_vid x = a->arg[0];
    if (plumb_spec_is_full(space, PLUMB_CAP, plumb_spec_treap_total(t, s)))
        return plumb_spec_queue_step_full(s, a, out);
    if (!plumb_spec_answers(a, PLUMB_TERM_OK))
        return true;
    const uint32_t count = plumb_spec_treap_get(t, s, x);
    return plumb_spec_states_made(out,
                                  plumb_spec_treap_set(t, s, x, count + 1));
}

static bool remove_one(struct plumb_spec_space *space, plumb_spec_state s,
                       plumb_spec_vid x, struct plumb_spec_states *out)
{
    struct plumb_spec_treap *const t = space->extra;
    const uint32_t count = plumb_spec_treap_get(t, s, x);
    return count == 0 || plumb_spec_states_made(
                             out, plumb_spec_treap_set(t, s, x, count - 1));
}

static bool remove_any(struct plumb_spec_space *space, plumb_spec_state s,
                       struct plumb_spec_states *out)
{
    for (uint64_t x = 0; plumb_spec_treap_at_least(space->extra, s, &x); x++)
        if (!remove_one(space, s, (plumb_spec_vid)x, out))
            return false;
    return true;
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    if (plumb_spec_queue_inserts(a))
        return insert(space, s, a, out);
    if (s == PLUMB_EMPTY_TREAP)
        return plumb_spec_queue_step_empty(space, s, a, out);
    const bool any = a->term == PLUMB_TERM_ANY;
    if (!any && a->term != PLUMB_TERM_OK)
        return true;
    if (a->kind == PLUMB_QUEUE_PEEK)
        return (!any && !plumb_spec_treap_get(space->extra, s, a->res[0])) ||
               plumb_spec_states_add(out, s);
    return any ? remove_any(space, s, out)
               : remove_one(space, s, a->res[0], out);
}

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    (void)bound;
    return a->term == PLUMB_TERM_ANY && !plumb_spec_queue_inserts(a) &&
           a->kind != PLUMB_QUEUE_PEEK;
}

const struct plumb_spec_type plumb_spec_type_semiqueue = {
    .name = "semiqueue",
    .what = "a queue whose deq returns any of its items",
    .ops = plumb_spec_queue_ops,
    .nops = PLUMB_QUEUE_OPS,
    .params = params,
    .nparams = PLUMB_COUNT_OF(params),
    .open = plumb_spec_treap_open,
    .close = plumb_spec_treap_close,
    .initial = plumb_spec_treap_initial,
    .step = step,
    .branches = branches,
    .reads = plumb_spec_queue_reads,
    .owner = plumb_spec_queue_owner,
    .closed = plumb_spec_closed_without_cap,
    .show = plumb_spec_treap_show,
};
