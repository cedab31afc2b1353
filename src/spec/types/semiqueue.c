/* semiqueue.c - a queue that gives back any of its items.
 *
 * The order of the items plays no part, so a state is how often each value is
 * present; that is fewer states than sequences would be. */
#include "queue_family.h"
#include "spec/stores/treap.h"
#include "spec/weak/weak_bag.h"

enum { WEAK = PLUMB_OWN_PARAM };

static const struct plumb_spec_param params[] = {
    PLUMB_QUEUE_PARAMS,
    [WEAK] = PLUMB_PARAM_WEAK(plumb_spec_weak_bag_words, NULL),
};

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

/* ---- with weak answers ---- */

static struct plumb_spec_weak_bag weak_bag(const struct plumb_spec *spec)
{
    return (struct plumb_spec_weak_bag){
        .cap = spec->given[PLUMB_CAP] ? spec->param[PLUMB_CAP] : UINT64_MAX,
        .weakness = (enum plumb_spec_weakness)spec->param[WEAK],
        .blocking = PLUMB_BLOCKING,
    };
}

static bool weak_step(struct plumb_spec_space *space, plumb_spec_state s,
                      const struct plumb_spec_action *a,
                      struct plumb_spec_states *out)
{
    const struct plumb_spec_weak_bag b = weak_bag(space->spec);
    if (plumb_spec_queue_inserts(a))
        return plumb_spec_weak_bag_add(space, &b, s, a, out);
    if (a->kind != PLUMB_QUEUE_PEEK)
        return plumb_spec_weak_bag_take(space, &b, s, a, out);
    if (plumb_spec_weak_bag_total(space, s) == 0)
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    return !plumb_spec_answers(a, PLUMB_TERM_OK) ||
           (a->term == PLUMB_TERM_OK &&
            !plumb_spec_weak_bag_count(space, s, a->res[0])) ||
           plumb_spec_states_add(out, s);
}

static bool called(struct plumb_spec_space *space, plumb_spec_state s,
                   const struct plumb_spec_action *a,
                   struct plumb_spec_states *out)
{
    const struct plumb_spec_weak_bag b = weak_bag(space->spec);
    return plumb_spec_weak_bag_called(space, &b, s, a, out);
}

static bool returned(struct plumb_spec_space *space, plumb_spec_state s,
                     const struct plumb_spec_action *a,
                     struct plumb_spec_states *out)
{
    const struct plumb_spec_weak_bag b = weak_bag(space->spec);
    return plumb_spec_weak_bag_returned(space, &b, s, a, out);
}

static bool weak_branches(const struct plumb_spec_bound *bound,
                          const struct plumb_spec_action *a)
{
    (void)bound;
    return (a->term == PLUMB_TERM_ANY && a->kind != PLUMB_QUEUE_PEEK) ||
           (a->term == PLUMB_TERM_OK && plumb_spec_queue_removes(a));
}

static bool missed(const struct plumb_spec *spec,
                   const struct plumb_spec_action *a)
{
    return spec->param[WEAK] == PLUMB_WEAK_SCAN && plumb_spec_queue_removes(a);
}

static enum plumb_spec_bar weak_bar(const struct plumb_spec *spec)
{
    return spec->param[WEAK] == PLUMB_WEAK_SCAN ? PLUMB_BARRED_BY_REMOVING
                                                : PLUMB_BARRED_BY_FULL;
}

static bool not_closed(const struct plumb_spec_bound *bound, uint32_t object)
{
    (void)bound;
    (void)object;
    return false;
}

/* ---- the types ---- */

#define SEMIQUEUE                                                              \
    .name = "semiqueue", .what = "a queue whose deq returns any of its items", \
    PLUMB_TABLES(plumb_spec_queue_ops, params), .reads = plumb_spec_reads,     \
    .owner = plumb_spec_owner

static const struct plumb_spec_type weak = {
    SEMIQUEUE,
    .open = plumb_spec_weak_bag_open,
    .close = plumb_spec_weak_bag_close,
    .initial = plumb_spec_weak_bag_initial,
    .step = weak_step,
    .called = called,
    .returned = returned,
    .settles = true,
    .missed = missed,
    .branches = weak_branches,
    .closed = not_closed,
    .bar = weak_bar,
    .show = plumb_spec_weak_bag_show,
};

static const struct plumb_spec_type *variant(const struct plumb_spec *spec)
{
    return spec->given[WEAK] ? &weak : spec->type;
}

static const char *refuses(const struct plumb_spec *spec)
{
    return plumb_spec_weak_pool_needs_cap(spec, WEAK);
}

const struct plumb_spec_type plumb_spec_type_semiqueue = {
    SEMIQUEUE,
    .variant = variant,
    .refuses = refuses,
    .open = plumb_spec_treap_open,
    .close = plumb_spec_treap_close,
    .initial = plumb_spec_initial_empty,
    .step = step,
    .branches = branches,
    .closed = plumb_spec_closed_without_cap,
    .bar = plumb_spec_barred_by_full,
    .show = plumb_spec_treap_show,
};
