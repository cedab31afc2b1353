/* multiset.c - how often each value is present: multiset and bag.
 *
 * A bag is a multiset with take(), which may give back any item; that makes
 * it depend on all values at once, so a bag cannot be split by key. */
#include "spec/stores/container.h"
#include "spec/stores/treap.h"

enum { INSERT, DELETE, MEMBER, COUNT, TAKE };
enum { BLOCKING };

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

#define MULTISET                                                               \
    .open = plumb_spec_treap_open, .close = plumb_spec_treap_close,            \
    .initial = plumb_spec_initial_empty, .step = step,                         \
    .reads = plumb_spec_reads, .owner = plumb_spec_owner,                      \
    .show = plumb_spec_treap_show

const struct plumb_spec_type plumb_spec_type_multiset = {
    .name = "multiset",
    .what = "a set that counts how often each value is present",
    .ops = multiset_ops,
    .nops = PLUMB_COUNT_OF(multiset_ops),
    MULTISET,
};

const struct plumb_spec_type plumb_spec_type_bag = {
    .name = "bag",
    .what = "a multiset whose take returns any item",
    PLUMB_TABLES(bag_ops, bag_params),
    .branches = branches,
    MULTISET,
};
