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
               .key = -1, .role = PLUMB_ROLE_REMOVE },
};

static const struct plumb_spec_param bag_params[] = {
    [BLOCKING] = PLUMB_PARAM_BLOCKING("take waits"),
};

static bool change(struct plumb_spec_space *space, plumb_spec_state s,
                   plumb_spec_vid x, uint32_t count,
                   struct plumb_spec_states *out)
{
    return plumb_spec_states_made(
        out, plumb_spec_treap_set(space->extra, s, x, count));
}

static bool delete_one(struct plumb_spec_space *space, plumb_spec_state s,
                       const struct plumb_spec_action *a, uint32_t count,
                       struct plumb_spec_states *out)
{
    if (!plumb_spec_answers_bool(a, count > 0))
        return true;
    return count ? change(space, s, a->arg[0], count - 1, out)
                 : plumb_spec_states_add(out, s);
}

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
    const struct plumb_spec_treap *const t = space->extra;
    if (s == PLUMB_EMPTY_TREAP)
        return plumb_spec_step_refused(space->spec->param[BLOCKING],
                                       PLUMB_TERM_EMPTY, s, a, out);
    if (a->term == PLUMB_TERM_OK) {
        const uint32_t count = plumb_spec_treap_get(t, s, a->res[0]);
        return !count || change(space, s, a->res[0], count - 1, out);
    }
    if (a->term != PLUMB_TERM_ANY)
        return true;
    for (uint64_t x = 0; plumb_spec_treap_at_least(t, s, &x); x++)
        if (!change(space, s, (plumb_spec_vid)x,
                    plumb_spec_treap_get(t, s, x) - 1, out))
            return false;
    return true;
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
        return change(space, s, a->arg[0], count + 1, out);
    case DELETE:
        return delete_one(space, s, a, count, out);
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

static bool reads(const struct plumb_spec *spec,
                  const struct plumb_spec_action *a)
{
    (void)spec;
    switch (a->kind) {
    case MEMBER:
    case COUNT:
        return true;
    case DELETE:
        return plumb_spec_answered(a, false);
    case TAKE:
        return a->term == PLUMB_TERM_EMPTY;
    default:
        return false;
    }
}

static plumb_spec_vid owner(const struct plumb_spec_space *space,
                            const struct plumb_spec_action *a)
{
    (void)space;
    return plumb_spec_item_owner(a, a->kind != TAKE);
}

#define MULTISET                                                               \
    .open = plumb_spec_treap_open, .close = plumb_spec_treap_close,            \
    .initial = plumb_spec_treap_initial, .step = step, .reads = reads,         \
    .owner = owner, .show = plumb_spec_treap_show

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
    .ops = bag_ops,
    .nops = PLUMB_COUNT_OF(bag_ops),
    .params = bag_params,
    .nparams = PLUMB_COUNT_OF(bag_params),
    .branches = branches,
    MULTISET,
};
