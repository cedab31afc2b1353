/* priority_queue.c - the smallest item first; with max, the largest.
 *
 * A treap from items to how often they are present.  An item's key has the
 * rank of its priority above, and below it 0 for an item inserted as x alone,
 * or 1 + the number of x for a pair (p, x): items of equal priority are
 * neighbours. */
#include "spec/stores/container.h"
#include "spec/stores/treap.h"

enum { INSERT, INSERT_PAIR, DELMIN, TAKE, MIN, OPS };
enum { MAX, CAP, BLOCKING };

#define INSERTS "insert add enq enqueue push offer"

static const struct plumb_spec_opdef ops[OPS] = {
    [INSERT] = { INSERTS, "v", "ok()|full()", .key = -1,
                 .role = PLUMB_ROLE_ADD },
    [INSERT_PAIR] = { INSERTS, "vv", "ok()|full()", .key = -1,
                      .role = PLUMB_ROLE_ADD },
    [DELMIN] = { "delmin delete_min extract_min remove_min poll pop deq dequeue"
                 " delmax delete_max extract_max remove_max",
                 "", "ok(vo)|empty()", .key = -1, .role = PLUMB_ROLE_REMOVE },
    [TAKE] = { "take", "", "ok(vo)", .partial = true, .key = -1,
               .role = PLUMB_ROLE_REMOVE },
    [MIN] = { "min peek find_min get_min top max find_max get_max", "",
              "ok(vo)|empty()", .key = -1, .role = PLUMB_ROLE_PEEK },
};

static const struct plumb_spec_param params[] = {
    [MAX] = { .name = "max",
              .kind = PLUMB_PARAM_FLAG,
              .what = "the largest item first" },
    [CAP] = PLUMB_PARAM_CAP,
    [BLOCKING] = PLUMB_PARAM_BLOCKING("delmin waits"),
};

/* The key of v[0], or of the pair v[0], v[1]. */
static uint64_t key_of(const struct plumb_spec_space *space,
                       const plumb_spec_vid *v, unsigned count)
{
    const uint64_t rank = space->bound->rank[v[0]];
    return rank << 32 | (count == 2 ? (uint64_t)v[1] + 1 : 0);
}

static bool change(struct plumb_spec_space *space, plumb_spec_state s,
                   uint64_t key, uint32_t count, struct plumb_spec_states *out)
{
    return plumb_spec_states_made(
        out, plumb_spec_treap_set(space->extra, s, key, count));
}

static bool insert(struct plumb_spec_space *space, plumb_spec_state s,
                   const struct plumb_spec_action *a,
                   struct plumb_spec_states *out)
{
    const uint64_t key = key_of(space, a->arg, a->nargs);
    if (plumb_spec_is_full(space, CAP, plumb_spec_treap_total(space->extra, s)))
        return plumb_spec_step_refused(false, PLUMB_TERM_FULL, s, a, out);
    if (!plumb_spec_answers(a, PLUMB_TERM_OK))
        return true;
    return change(space, s, key, plumb_spec_treap_get(space->extra, s, key) + 1,
                  out);
}

static bool step_empty(const struct plumb_spec_space *space, plumb_spec_state s,
                       const struct plumb_spec_action *a,
                       struct plumb_spec_states *out)
{
    const bool waits =
        a->kind == TAKE || (a->kind == DELMIN && space->spec->param[BLOCKING]);
    return plumb_spec_step_refused(waits, PLUMB_TERM_EMPTY, s, a, out);
}

/* The rank of the priority that is first; the queue is not empty. */
static uint64_t first_rank(const struct plumb_spec_space *space,
                           plumb_spec_state s)
{
    uint64_t key = space->spec->param[MAX] ? UINT64_MAX : 0;
    if (space->spec->param[MAX])
        plumb_spec_treap_at_most(space->extra, s, &key);
    else
        plumb_spec_treap_at_least(space->extra, s, &key);
    return key >> 32;
}

static bool remove_any(struct plumb_spec_space *space, plumb_spec_state s,
                       struct plumb_spec_states *out)
{
    const uint64_t rank = first_rank(space, s);
    uint64_t key = rank << 32;
    for (;
         plumb_spec_treap_at_least(space->extra, s, &key) && key >> 32 == rank;
         key++)
        if (!change(space, s, key,
                    plumb_spec_treap_get(space->extra, s, key) - 1, out))
            return false;
    return true;
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    if (a->kind <= INSERT_PAIR)
        return insert(space, s, a, out);
    if (s == PLUMB_EMPTY_TREAP)
        return step_empty(space, s, a, out);
    if (a->term == PLUMB_TERM_ANY)
        return a->kind == MIN ? plumb_spec_states_add(out, s)
                              : remove_any(space, s, out);
    if (a->term != PLUMB_TERM_OK)
        return true;
    const uint64_t key = key_of(space, a->res, a->nres);
    const uint32_t count = plumb_spec_treap_get(space->extra, s, key);
    if (count == 0 || key >> 32 != first_rank(space, s))
        return true;
    return a->kind == MIN ? plumb_spec_states_add(out, s)
                          : change(space, s, key, count - 1, out);
}

/* Items of equal priority differ only if some of them are pairs. */
static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    return a->term == PLUMB_TERM_ANY &&
           (a->kind == DELMIN || a->kind == TAKE) &&
           (bound->all_kinds & 1u << INSERT_PAIR);
}

static bool reads(const struct plumb_spec *spec,
                  const struct plumb_spec_action *a)
{
    (void)spec;
    return a->kind == MIN || plumb_spec_is_refused(a);
}

static plumb_spec_vid owner(const struct plumb_spec_space *space,
                            const struct plumb_spec_action *a)
{
    (void)space;
    return plumb_spec_item_owner(a, a->kind <= INSERT_PAIR);
}

static bool closed(const struct plumb_spec_bound *bound, uint32_t object)
{
    (void)object;
    return !bound->spec->given[CAP];
}

static void show_item(const struct plumb_spec_space *space, uint64_t key,
                      struct plumb_base_text *out)
{
    const plumb_spec_vid priority = space->bound->ranked[key >> 32];
    if (!(uint32_t)key) {
        plumb_spec_vid_show(space, priority, out);
        return;
    }
    plumb_base_text_add(out, "(");
    plumb_spec_vid_show(space, priority, out);
    plumb_base_text_add(out, ",");
    plumb_spec_vid_show(space, (uint32_t)key - 1, out);
    plumb_base_text_add(out, ")");
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    plumb_spec_treap_show_as(space, s, show_item, out);
}

const struct plumb_spec_type plumb_spec_type_priority_queue = {
    .name = "priority-queue",
    .what = "the smallest item first",
    .ops = ops,
    .nops = OPS,
    .params = params,
    .nparams = PLUMB_COUNT_OF(params),
    .guessable = true,
    .borrowed = "enq enqueue push pop deq dequeue",
    .ordered = true,
    .open = plumb_spec_treap_open,
    .close = plumb_spec_treap_close,
    .initial = plumb_spec_treap_initial,
    .step = step,
    .branches = branches,
    .reads = reads,
    .owner = owner,
    .closed = closed,
    .show = show,
};
