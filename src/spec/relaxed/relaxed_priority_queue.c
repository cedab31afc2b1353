/* relaxed_priority_queue.c - priority queues whose items may leave before more
 * urgent ones.
 *
 * The index of an item is how many more urgent ones are present (smaller ones;
 * with max, larger ones); an item is overtaken when a less urgent one is
 * removed.  With k=K an item of index at most K may leave, with late=L only if
 * no more urgent item has been overtaken L times.
 *
 * A treap from items to how often they are present.  A key has the rank of the
 * priority above, so that the most urgent items come first, and below it the
 * number of what else there is to know: the second part of a pair, and how
 * often it was overtaken (0 if `late` is not given). */
#include "base/pair_index.h"
#include "relaxation.h"
#include "spec/stores/treap.h"
#include "spec/types/priority_family.h"

struct extra {
    struct plumb_spec_treap treap;  /* first: the functions for trees find it */
    struct plumb_base_pairs detail; /* 0, or second part + 1; and overtaken */
    uint64_t index, late;           /* UINT64_MAX: no bound */
};

static bool open(struct plumb_spec_space *space)
{
    struct extra *const e = plumb_base_arena_zeroed(&space->arena, sizeof *e);
    const struct plumb_spec *const spec = space->spec;
    if (!e)
        return false;
    space->extra = e;
    e->late = plumb_spec_bound_of(spec, PLUMB_PRIORITY_LATE);
    e->index =
        spec->given[PLUMB_PRIORITY_K] || !spec->given[PLUMB_PRIORITY_LATE]
            ? spec->param[PLUMB_PRIORITY_K]
            : UINT64_MAX;
    plumb_spec_treap_init(&e->treap, space->arena.budget);
    plumb_base_pairs_init(&e->detail, space->arena.budget);
    return true;
}

static void close(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    if (!e)
        return;
    plumb_spec_treap_release(&e->treap);
    plumb_base_pairs_release(&e->detail);
}

/* ---- keys ---- */

static uint64_t urgency(const struct plumb_spec_space *space, uint64_t rank)
{
    const bool max = space->spec->param[PLUMB_PRIORITY_MAX];
    return max ? space->bound->values - 1 - rank : rank;
}

/* False when memory is used up. */
static bool make_key(struct plumb_spec_space *space, uint64_t urgent,
                     struct plumb_base_pair detail, uint64_t *key)
{
    struct extra *const e = space->extra;
    const uint32_t number = plumb_base_pairs_number(&e->detail, detail);
    *key = urgent << 32 | number;
    return number != UINT32_MAX;
}

static struct plumb_base_pair detail_of(const struct extra *e, uint64_t key)
{
    return plumb_base_pairs_at(&e->detail, (uint32_t)key);
}

static bool insert(struct plumb_spec_space *space, plumb_spec_state s,
                   const struct plumb_spec_action *a,
                   struct plumb_spec_states *out)
{
    const struct plumb_base_pair fresh = { a->nargs == 2 ? a->arg[1] + 1 : 0,
                                           0 };
    uint64_t key;
    return make_key(space, urgency(space, space->bound->rank[a->arg[0]]), fresh,
                    &key) &&
           plumb_spec_treap_step(space, s, key, 1, out);
}

/* Is this what the removal answered? */
static bool is_answer(const struct plumb_spec_space *space,
                      const struct plumb_spec_action *a, uint64_t key)
{
    const struct plumb_base_pair detail = detail_of(space->extra, key);
    if (a->term == PLUMB_TERM_ANY)
        return true;
    return key >> 32 == urgency(space, space->bound->rank[a->res[0]]) &&
           detail.left == (a->nres == 2 ? a->res[1] + 1 : 0);
}

/* ---- removing ---- */

/* The item of `key` leaves, and all that are more urgent are overtaken. */
static plumb_spec_state without(struct plumb_spec_space *space,
                                plumb_spec_state s, uint64_t key)
{
    struct extra *const e = space->extra;
    struct plumb_spec_treap *const t = &e->treap;
    const uint32_t load = plumb_spec_treap_get(t, s, key);
    plumb_spec_state to = plumb_spec_treap_set(t, s, key, load - 1);
    if (e->late == UINT64_MAX)
        return to;
    for (uint64_t k = 0;
         to != PLUMB_NO_STATE && plumb_spec_treap_at_least(t, s, &k) &&
         k >> 32 < key >> 32;
         k++) {
        struct plumb_base_pair more = detail_of(e, k);
        uint64_t late;
        more.right++;
        const uint32_t moved = plumb_spec_treap_get(t, s, k);
        const uint32_t left = plumb_spec_treap_get(t, to, k) - moved;
        if (!make_key(space, k >> 32, more, &late))
            return PLUMB_NO_STATE;
        to = plumb_spec_treap_set(t, to, k, left);
        if (to != PLUMB_NO_STATE)
            to = plumb_spec_treap_set(
                t, to, late, plumb_spec_treap_get(t, to, late) + moved);
    }
    return to;
}

/* Items from the most urgent one, while one may leave.  Equal ones that were
 * overtaken differently often are tried all. */
static bool take(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const struct extra *const e = space->extra;
    uint64_t before = 0, ties = 0, rank = UINT64_MAX;
    bool overdue = false, tie_overdue = false;
    for (uint64_t key = 0; plumb_spec_treap_at_least(&e->treap, s, &key);
         key++) {
        if (key >> 32 != rank) {
            before += ties;
            overdue |= tie_overdue;
            ties = 0;
            rank = key >> 32;
        }
        if (before > e->index || overdue)
            return true;
        ties += plumb_spec_treap_get(&e->treap, s, key);
        tie_overdue |= detail_of(e, key).right >= e->late;
        if (!is_answer(space, a, key))
            continue;
        if (a->kind == PLUMB_PRIORITY_MIN)
            return plumb_spec_states_add(out, s);
        if (!plumb_spec_states_made(out, without(space, s, key)))
            return false;
    }
    return true;
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const uint32_t length = plumb_spec_treap_total(space->extra, s);
    if (plumb_spec_finds_limit(space, PLUMB_CAP, length, a))
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    if (plumb_spec_priority_inserts(a))
        return !plumb_spec_answers(a, PLUMB_TERM_OK) ||
               insert(space, s, a, out);
    return plumb_spec_step_says_empty(space, PLUMB_PRIORITY_EMPTY, length, s, a,
                                      out) &&
           (!plumb_spec_answers(a, PLUMB_TERM_OK) || take(space, s, a, out));
}

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    return plumb_spec_priority_removes(a) && a->term != PLUMB_TERM_EMPTY &&
           (a->term == PLUMB_TERM_ANY ||
            bound->spec->given[PLUMB_PRIORITY_LATE]);
}

static void show_item(const struct plumb_spec_space *space, uint64_t key,
                      struct plumb_base_text *out)
{
    plumb_spec_priority_show_item(space, urgency(space, key >> 32),
                                  detail_of(space->extra, key).left, out);
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    plumb_spec_treap_show_as(space, s, show_item, out);
}

const struct plumb_spec_type plumb_spec_type_relaxed_priority_queue = {
    .name = "priority-queue",
    .what = "items may leave before more urgent ones",
    .ops = plumb_spec_priority_ops,
    .nops = PLUMB_PRIORITY_OPS,
    .params = plumb_spec_priority_params,
    .nparams = PLUMB_PRIORITY_PARAMETERS,
    .ordered = true,
    .open = open,
    .close = close,
    .initial = plumb_spec_initial_empty,
    .step = step,
    .branches = branches,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .closed = plumb_spec_closed_without_cap,
    .bar = plumb_spec_barred_by_full,
    .show = show,
};
