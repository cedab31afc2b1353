/* priority_queue.c - the smallest item first; with max, the largest.
 *
 * A treap from items to how often they are present.  An item's key has the
 * rank of its priority above, and below it 0 for an item inserted as x alone,
 * or 1 + the number of x for a pair (p, x): items of equal priority are
 * neighbours. */
#include "priority_family.h"
#include "spec/relaxed/relaxation.h"
#include "spec/stores/treap.h"

#define INSERTS "insert add enq enqueue push offer"

const struct plumb_spec_opdef plumb_spec_priority_ops[PLUMB_PRIORITY_OPS] = {
    [PLUMB_PRIORITY_INSERT] = { INSERTS, "v", "ok()|full()", .key = -1,
                                .role = PLUMB_ROLE_ADD },
    [PLUMB_PRIORITY_INSERT_PAIR] = { INSERTS, "vv", "ok()|full()", .key = -1,
                                     .role = PLUMB_ROLE_ADD },
    [PLUMB_PRIORITY_DELMIN] = { "delmin delete_min extract_min remove_min poll "
                                "pop deq dequeue"
                                " delmax delete_max extract_max remove_max",
                                "", "ok(vo)|empty()", .waits = true, .key = -1,
                                .role = PLUMB_ROLE_REMOVE },
    [PLUMB_PRIORITY_TAKE] = { "take", "", "ok(vo)", .partial = true, .key = -1,
                              .role = PLUMB_ROLE_REMOVE },
    [PLUMB_PRIORITY_MIN] = { "min peek find_min get_min top max find_max"
                             " get_max",
                             "", "ok(vo)|empty()", .key = -1,
                             .role = PLUMB_ROLE_PEEK },
};

const struct plumb_spec_param plumb_spec_priority_params[] = {
    [PLUMB_CAP] = PLUMB_PARAM_CAP,
    [PLUMB_BLOCKING] = PLUMB_PARAM_BLOCKING("delmin waits"),
    [PLUMB_PRIORITY_MAX] = { .name = "max",
                             .kind = PLUMB_PARAM_FLAG,
                             .what = "the largest item first" },
    [PLUMB_PRIORITY_K] = { .name = "k",
                           .kind = PLUMB_PARAM_COUNT,
                           .what = "an item may leave with up to N smaller"
                                   " ones present" },
    [PLUMB_PRIORITY_LATE] = { .name = "late",
                              .kind = PLUMB_PARAM_COUNT,
                              .what = "up to N larger items may leave before"
                                      " an item" },
    [PLUMB_PRIORITY_EMPTY] = PLUMB_PARAM_EMPTY,
};

static const struct plumb_spec_type *variant(const struct plumb_spec *spec)
{
    for (unsigned i = PLUMB_PRIORITY_K; i <= PLUMB_PRIORITY_EMPTY; i++)
        if (spec->given[i])
            return &plumb_spec_type_relaxed_priority_queue;
    return spec->type;
}

/* The key of v[0], or of the pair v[0], v[1]. */
static uint64_t key_of(const struct plumb_spec_space *space,
                       const plumb_spec_vid *v, unsigned count)
{
    const uint64_t rank = space->bound->rank[v[0]];
    return rank << 32 | (count == 2 ? (uint64_t)v[1] + 1 : 0);
}

/* The rank of the priority that is first; the queue is not empty. */
static uint64_t first_rank(const struct plumb_spec_space *space,
                           plumb_spec_state s)
{
    uint64_t key = space->spec->param[PLUMB_PRIORITY_MAX] ? UINT64_MAX : 0;
    if (space->spec->param[PLUMB_PRIORITY_MAX])
        plumb_spec_treap_at_most(space->extra, s, &key);
    else
        plumb_spec_treap_at_least(space->extra, s, &key);
    return key >> 32;
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const uint32_t length = plumb_spec_treap_total(space->extra, s);
    const bool any = a->term == PLUMB_TERM_ANY;
    if (plumb_spec_finds_limit(space, PLUMB_CAP, length, a))
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    if (!plumb_spec_answers(a, PLUMB_TERM_OK))
        return true;
    if (plumb_spec_priority_inserts(a))
        return plumb_spec_treap_step(space, s, key_of(space, a->arg, a->nargs),
                                     1, out);
    const uint64_t rank = first_rank(space, s);
    const uint64_t key = any ? 0 : key_of(space, a->res, a->nres);
    if (!any &&
        (key >> 32 != rank || plumb_spec_treap_get(space->extra, s, key) == 0))
        return true;
    if (a->kind == PLUMB_PRIORITY_MIN)
        return plumb_spec_states_add(out, s);
    return any ? plumb_spec_treap_take_any(space, s, rank << 32,
                                           rank << 32 | UINT32_MAX, out)
               : plumb_spec_treap_step(space, s, key, -1, out);
}

/* Items of equal priority differ only if some of them are pairs. */
static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    return a->term == PLUMB_TERM_ANY && plumb_spec_priority_removes(a) &&
           (bound->all_kinds & 1u << PLUMB_PRIORITY_INSERT_PAIR);
}

void plumb_spec_priority_show_item(const struct plumb_spec_space *space,
                                   uint64_t rank, uint32_t pair,
                                   struct plumb_base_text *out)
{
    const plumb_spec_vid priority = space->bound->ranked[rank];
    if (!pair) {
        plumb_spec_vid_show(space, priority, out);
        return;
    }
    plumb_base_text_add(out, "(");
    plumb_spec_vid_show(space, priority, out);
    plumb_base_text_add(out, ",");
    plumb_spec_vid_show(space, pair - 1, out);
    plumb_base_text_add(out, ")");
}

static void show_item(const struct plumb_spec_space *space, uint64_t key,
                      struct plumb_base_text *out)
{
    plumb_spec_priority_show_item(space, key >> 32, (uint32_t)key, out);
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    plumb_spec_treap_show_as(space, s, show_item, out);
}

const struct plumb_spec_type plumb_spec_type_priority_queue = {
    .name = "priority-queue",
    .what = "the smallest item first",
    PLUMB_TABLES(plumb_spec_priority_ops, plumb_spec_priority_params),
    .guessable = true,
    .borrowed = "enq enqueue push pop deq dequeue",
    .ordered = true,
    .variant = variant,
    .open = plumb_spec_treap_open,
    .close = plumb_spec_treap_close,
    .initial = plumb_spec_initial_empty,
    .step = step,
    .branches = branches,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .closed = plumb_spec_closed_without_cap,
    .bar = plumb_spec_barred_by_full,
    .show = show,
};
