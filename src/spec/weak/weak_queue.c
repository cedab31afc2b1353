/* weak_queue.c - a queue that may answer `empty` or `full` because of operations
 * that are open; additions and removals are a plain queue's.
 *
 * docs/weak-answers.md defines the four kinds.  A free slot is an item of the
 * queue of free slots: a removal adds one, an addition takes the oldest. */
#include "base/memory.h"
#include "spec/stores/sequence.h"
#include "spec/types/queue_family.h"
#include "weakness.h"

struct extra {
    struct plumb_spec_sequences items;
    struct plumb_spec_marks marks;
};

static enum plumb_spec_weakness weakness(const struct plumb_spec_space *space)
{
    return (enum plumb_spec_weakness)space->spec->param[PLUMB_QUEUE_WEAK];
}

/* Is the whole of a pool's rules the type's, too? */
static bool has_pool(const struct plumb_spec_space *space)
{
    return space->spec->given[PLUMB_CAP] && weakness(space) >= PLUMB_WEAK_POOL;
}

static bool open(struct plumb_spec_space *space)
{
    struct extra *const e = plumb_base_arena_zeroed(&space->arena, sizeof *e);
    space->extra = e;
    return e && plumb_spec_sequences_init(&e->items, space->arena.budget);
}

static void close(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    if (!e)
        return;
    plumb_spec_sequences_release(&e->items);
    plumb_spec_marks_release(space, &e->marks);
}

static plumb_spec_state initial(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    e->marks.items = PLUMB_EMPTY_SEQUENCE;
    e->marks.seekers = e->marks.count = 0;
    return plumb_spec_marks_store(space, &e->marks);
}

/* ---- answers ---- */

/* The slots of a ring: those of the last removals, the oldest first. */
static uint64_t free_slots(const struct plumb_spec_space *space,
                           uint32_t length)
{
    return space->spec->param[PLUMB_CAP] - length;
}

static bool may_be_empty(const struct plumb_spec_space *space,
                         const struct plumb_spec_marks *m, uint32_t length,
                         uint32_t whose)
{
    switch (weakness(space)) {
    case PLUMB_WEAK_GAP:
        return plumb_spec_marks_has(m, PLUMB_MARK_ADDING, 0);
    case PLUMB_WEAK_CLAIM:
        return plumb_spec_marks_count(m, PLUMB_MARK_ADDING) == length;
    case PLUMB_WEAK_SCAN:
        return plumb_spec_marks_find(m, PLUMB_MARK_SEEKING, whose) ==
               UINT32_MAX;
    default:
        return false;
    }
}

static bool may_be_full(const struct plumb_spec_space *space,
                        const struct plumb_spec_marks *m, uint32_t length)
{
    if (!space->spec->given[PLUMB_CAP])
        return false;
    switch (weakness(space)) {
    case PLUMB_WEAK_GAP:
        return plumb_spec_marks_has(m, PLUMB_MARK_REMOVING, 0);
    case PLUMB_WEAK_CLAIM:
        return plumb_spec_marks_count(m, PLUMB_MARK_REMOVING) ==
               free_slots(space, length);
    default:
        return plumb_spec_weak_pool_is_full(m, space->spec->param[PLUMB_CAP],
                                            length);
    }
}

/* With items and room there, may `a` be refused all the same? */
static bool is_refused_weakly(const struct plumb_spec_space *space,
                              const struct plumb_spec_marks *m, uint32_t length,
                              const struct plumb_spec_action *a)
{
    if (a->kind == PLUMB_QUEUE_PEEK)
        return false;
    return a->nargs ? may_be_full(space, m, length)
                    : may_be_empty(space, m, length, a->whose);
}

/* ---- effects ---- */

static bool add_item(struct plumb_spec_space *space,
                     const struct plumb_spec_action *a, uint32_t length)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    m->items = plumb_spec_sequence_push_back(&e->items, m->items, a->arg[0]);
    if (weakness(space) <= PLUMB_WEAK_CLAIM)
        plumb_spec_marks_shift(m, PLUMB_MARK_REMOVING);
    plumb_spec_weak_forget(m, PLUMB_MARK_HOLDING, a->whose);
    return weakness(space) == PLUMB_WEAK_POOL ||
           plumb_spec_marks_add(space, m, PLUMB_MARK_ADDING, a->whose, length,
                                0);
}

/* Who counts the first item, and does not any more? */
static void miss_first(struct plumb_spec_marks *m)
{
    uint32_t rank = PLUMB_SEEN_BY_ALL;
    if (plumb_spec_marks_has(m, PLUMB_MARK_ADDING, 0))
        return;
    for (uint32_t i = 0; i < m->count; i++)
        if (m->mark[i].kind == PLUMB_MARK_LATER && m->mark[i].at == 0)
            rank = m->mark[i].whose;
    plumb_spec_marks_miss(m, rank);
}

static bool remove_item(struct plumb_spec_space *space,
                        const struct plumb_spec_action *a, uint32_t length)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    m->items = plumb_spec_sequence_pop_front(&e->items, m->items);
    if (weakness(space) == PLUMB_WEAK_SCAN)
        miss_first(m);
    plumb_spec_marks_shift(m, PLUMB_MARK_ADDING);
    plumb_spec_marks_shift(m, PLUMB_MARK_LATER);
    if (!space->spec->given[PLUMB_CAP])
        return true;
    const uint64_t slot = has_pool(space) ? 0 : free_slots(space, length);
    return plumb_spec_marks_add(space, m, PLUMB_MARK_REMOVING, a->whose,
                                (uint32_t)slot, 0);
}

static bool succeed(struct plumb_spec_space *space, plumb_spec_state s,
                    const struct plumb_spec_action *a, uint32_t length,
                    struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    const plumb_spec_vid first =
        length ? plumb_spec_sequence_front(&e->items, e->marks.items) : 0;
    if (plumb_spec_queue_inserts(a)
            ? !plumb_spec_answers(a, PLUMB_TERM_OK)
            : !plumb_spec_answers_value(a, PLUMB_TERM_OK, first))
        return true;
    if (a->kind == PLUMB_QUEUE_PEEK)
        return plumb_spec_states_add(out, s);
    return (plumb_spec_queue_inserts(a) ? add_item(space, a, length)
                                        : remove_item(space, a, length)) &&
           plumb_spec_states_made(out,
                                  plumb_spec_marks_store(space, &e->marks));
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    if (!plumb_spec_marks_load(space, m, s))
        return false;
    const uint32_t length = plumb_spec_sequence_length(&e->items, m->items);
    const bool limit = plumb_spec_finds_limit(space, PLUMB_CAP, length, a);
    const bool refused = limit || is_refused_weakly(space, m, length, a);
    if (refused && !plumb_spec_weak_pool_holds(m, a->whose) &&
        !plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out))
        return false;
    return limit || succeed(space, s, a, length, out);
}

/* ---- calls and returns ---- */

static bool called(struct plumb_spec_space *space, plumb_spec_state s,
                   const struct plumb_spec_action *a,
                   struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    if (!plumb_spec_marks_load(space, m, s))
        return false;
    if (plumb_spec_queue_inserts(a))
        return has_pool(space) ? plumb_spec_weak_pool_call(space, m, s, a, out)
                               : plumb_spec_states_add(out, s);
    if (weakness(space) != PLUMB_WEAK_SCAN || !plumb_spec_queue_removes(a))
        return plumb_spec_states_add(out, s);
    const uint32_t complete = plumb_spec_sequence_length(&e->items, m->items) -
                              plumb_spec_marks_count(m, PLUMB_MARK_ADDING);
    return plumb_spec_marks_seek(space, m, a->whose, complete) &&
           plumb_spec_states_made(out, plumb_spec_marks_store(space, m));
}

static void end_addition(const struct plumb_spec_space *space,
                         struct plumb_spec_marks *m, uint32_t whose)
{
    const uint32_t adding = plumb_spec_marks_find(m, PLUMB_MARK_ADDING, whose);
    plumb_spec_weak_forget(m, PLUMB_MARK_HOLDING, whose);
    if (adding == UINT32_MAX)
        return;
    if (weakness(space) == PLUMB_WEAK_SCAN)
        plumb_spec_marks_complete(m, adding);
    else
        plumb_spec_marks_drop(m, adding);
}

static bool returned(struct plumb_spec_space *space, plumb_spec_state s,
                     const struct plumb_spec_action *a,
                     struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    if (!plumb_spec_marks_load(space, m, s))
        return false;
    if (plumb_spec_queue_inserts(a)) {
        end_addition(space, m, a->whose);
    } else if (plumb_spec_queue_removes(a)) {
        plumb_spec_weak_forget(m, PLUMB_MARK_REMOVING, a->whose);
        if (weakness(space) == PLUMB_WEAK_SCAN)
            plumb_spec_marks_end_seeking(m, a->whose);
    }
    return plumb_spec_states_made(out, plumb_spec_marks_store(space, m));
}

/* ---- the type ---- */

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    (void)bound;
    return a->term == PLUMB_TERM_ANY && a->kind != PLUMB_QUEUE_PEEK;
}

/* An `empty` of a scan counts the other removals, those as well that fail. */
static bool missed(const struct plumb_spec *spec,
                   const struct plumb_spec_action *a)
{
    return spec->param[PLUMB_QUEUE_WEAK] == PLUMB_WEAK_SCAN &&
           plumb_spec_queue_removes(a);
}

static bool closed(const struct plumb_spec_bound *bound, uint32_t object)
{
    (void)bound;
    (void)object;
    return false;
}

/* Across a gap an `empty` is due to the item that leaves next: that must stay,
 * and does if its addition overlaps.  A scan counts removals. */
static enum plumb_spec_bar bar(const struct plumb_spec *spec)
{
    switch (spec->param[PLUMB_QUEUE_WEAK]) {
    case PLUMB_WEAK_GAP:
        return PLUMB_BARRED_BY_ADDING;
    case PLUMB_WEAK_SCAN:
        return PLUMB_BARRED_BY_REMOVING;
    default:
        return PLUMB_BARRED_BY_FULL;
    }
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    const struct extra *const e = space->extra;
    plumb_spec_sequence_show(space, &e->items, plumb_spec_marks_items(space, s),
                             out);
    plumb_spec_marks_show(space, s, out);
}

#define WEAK_QUEUE                                                             \
    .name = "queue", .what = "first in, first out",                            \
    .ops = plumb_spec_queue_ops, .nops = PLUMB_QUEUE_OPS,                      \
    .params = plumb_spec_queue_params, .nparams = PLUMB_QUEUE_PARAMETERS,      \
    .guessable = true, .open = open, .close = close, .initial = initial,       \
    .step = step, .settles = true, .returned = returned, .branches = branches, \
    .reads = plumb_spec_reads, .owner = plumb_spec_owner, .closed = closed,    \
    .bar = bar, .missed = missed, .show = show

const struct plumb_spec_type plumb_spec_type_weak_queue = { WEAK_QUEUE };

/* A pool and a scan look at calls as well. */
const struct plumb_spec_type plumb_spec_type_weak_pool_queue = {
    WEAK_QUEUE,
    .called = called,
};

const struct plumb_spec_type *plumb_spec_weak_queue(
    const struct plumb_spec *spec)
{
    return spec->param[PLUMB_QUEUE_WEAK] >= PLUMB_WEAK_POOL
               ? &plumb_spec_type_weak_pool_queue
               : &plumb_spec_type_weak_queue;
}
