/* multiset.c - how often each value is present: multiset and bag.
 *
 * A bag is a multiset with take(), which may give back any item; that makes
 * it depend on all values at once, so a bag cannot be split by key. */
#include "spec/stores/container.h"
#include "spec/stores/treap.h"
#include "spec/weak/weak_bag.h"

enum { INSERT, DELETE, MEMBER, COUNT, TAKE };
enum { BLOCKING, WEAK };

#define OPS_BY(by)                                                             \
    [INSERT] = { "insert add put", "v", "ok()", .key = (by),                   \
                 .role = PLUMB_ROLE_INSERT },                                  \
    [DELETE] = { "delete remove erase", "v", "ok(b)", .key = (by),             \
                 .role = PLUMB_ROLE_DELETE },                                  \
    [MEMBER] = { "member contains has", "v", "ok(b)", .key = (by),             \
                 .role = PLUMB_ROLE_MEMBER },                                  \
    [COUNT] = { "count", "v", "ok(i)", .key = (by), .role = PLUMB_ROLE_COUNT }

static const struct plumb_spec_opdef multiset_ops[] = { OPS_BY(0) };
static const struct plumb_spec_opdef bag_ops[] = {
    OPS_BY(-1),
    [TAKE] = { "take get remove_any try_take poll", "", "ok(v)|empty()",
               .waits = true, .key = -1, .role = PLUMB_ROLE_REMOVE },
};

static const struct plumb_spec_param bag_params[] = {
    [BLOCKING] = PLUMB_PARAM_BLOCKING("take waits"),
    [WEAK] = PLUMB_PARAM_WEAK(plumb_spec_weak_scan_word, NULL),
};

static bool answers_count(const struct plumb_spec_space *space,
                          const struct plumb_spec_action *a, uint32_t count)
{
    return a->term == PLUMB_TERM_ANY ||
           plumb_spec_vid_value(space, a->res[0]).bits == count;
}

static bool take(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    if (s == PLUMB_EMPTY_TREAP)
        return plumb_spec_step_refused(space, BLOCKING, s, a, out);
    if (!plumb_spec_answers(a, PLUMB_TERM_OK))
        return true;
    return a->term == PLUMB_TERM_ANY
               ? plumb_spec_treap_take_any(space, s, 0, UINT64_MAX, out)
               : plumb_spec_treap_step(space, s, a->res[0], -1, out);
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    if (a->kind == TAKE)
        return take(space, s, a, out);
    const uint32_t count = plumb_spec_treap_get(space->extra, s, a->arg[0]);
    switch (a->kind) {
    case INSERT:
        return plumb_spec_treap_step(space, s, a->arg[0], 1, out);
    case DELETE:
        if (!plumb_spec_answers_bool(a, count > 0))
            return true;
        return count ? plumb_spec_treap_step(space, s, a->arg[0], -1, out)
                     : plumb_spec_states_add(out, s);
    case MEMBER:
        return !plumb_spec_answers_bool(a, count > 0) ||
               plumb_spec_states_add(out, s);
    default:
        return !answers_count(space, a, count) || plumb_spec_states_add(out, s);
    }
}

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    (void)bound;
    return a->kind == TAKE && a->term == PLUMB_TERM_ANY;
}

/* ---- with weak answers ---- */

static const struct plumb_spec_weak_bag weak_bag = {
    .cap = UINT64_MAX, .weakness = PLUMB_WEAK_SCAN, .blocking = BLOCKING
};

static bool weak_step(struct plumb_spec_space *space, plumb_spec_state s,
                      const struct plumb_spec_action *a,
                      struct plumb_spec_states *out)
{
    if (a->kind == TAKE)
        return plumb_spec_weak_bag_take(space, &weak_bag, s, a, out);
    if (a->kind == INSERT)
        return plumb_spec_weak_bag_add(space, &weak_bag, s, a, out);
    const uint32_t count = plumb_spec_weak_bag_count(space, s, a->arg[0]);
    if (a->kind == COUNT ? !answers_count(space, a, count)
                         : !plumb_spec_answers_bool(a, count > 0))
        return true;
    return a->kind == DELETE && count
               ? plumb_spec_weak_bag_delete(space, &weak_bag, s, a->whose,
                                            a->arg[0], out)
               : plumb_spec_states_add(out, s);
}

static bool called(struct plumb_spec_space *space, plumb_spec_state s,
                   const struct plumb_spec_action *a,
                   struct plumb_spec_states *out)
{
    return plumb_spec_weak_bag_called(space, &weak_bag, s, a, out);
}

static bool returned(struct plumb_spec_space *space, plumb_spec_state s,
                     const struct plumb_spec_action *a,
                     struct plumb_spec_states *out)
{
    return plumb_spec_weak_bag_returned(space, &weak_bag, s, a, out);
}

static bool weak_branches(const struct plumb_spec_bound *bound,
                          const struct plumb_spec_action *a)
{
    (void)bound;
    return a->kind == TAKE || a->kind == DELETE;
}

static bool missed(const struct plumb_spec *spec,
                   const struct plumb_spec_action *a)
{
    (void)spec;
    return a->kind == TAKE;
}

static bool not_closed(const struct plumb_spec_bound *bound, uint32_t object)
{
    (void)bound;
    (void)object;
    return false;
}

static enum plumb_spec_bar weak_bar(const struct plumb_spec *spec)
{
    (void)spec;
    return PLUMB_BARRED_BY_REMOVING;
}

/* ---- the types ---- */

#define PLAIN                                                                  \
    .open = plumb_spec_treap_open, .close = plumb_spec_treap_close,            \
    .initial = plumb_spec_initial_empty, .step = step,                         \
    .reads = plumb_spec_reads, .owner = plumb_spec_owner,                      \
    .show = plumb_spec_treap_show

const struct plumb_spec_type plumb_spec_type_multiset = {
    .name = "multiset",
    .what = "a set that counts how often each value is present",
    .ops = multiset_ops,
    .nops = PLUMB_COUNT_OF(multiset_ops),
    PLAIN,
};

#define BAG                                                                    \
    .name = "bag", .what = "a multiset whose take returns any item",           \
    PLUMB_TABLES(bag_ops, bag_params)

static const struct plumb_spec_type weak = {
    BAG,
    .open = plumb_spec_weak_bag_open,
    .close = plumb_spec_weak_bag_close,
    .initial = plumb_spec_weak_bag_initial,
    .step = weak_step,
    .called = called,
    .returned = returned,
    .settles = true,
    .missed = missed,
    .branches = weak_branches,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .closed = not_closed,
    .bar = weak_bar,
    .show = plumb_spec_weak_bag_show,
};

static const struct plumb_spec_type *variant(const struct plumb_spec *spec)
{
    return spec->given[WEAK] ? &weak : spec->type;
}

const struct plumb_spec_type plumb_spec_type_bag = {
    BAG,
    .variant = variant,
    .branches = branches,
    PLAIN,
};
