/* local.c - local linearizability: each thread's items are in order.
 *
 * An item belongs to the thread that adds it.  Whoever removes one, removes the
 * first of the items of its thread (of a stack, the last); items of different
 * threads are in no order.  `empty` is answered iff there is no item at all.
 *
 * A state is a list of cells, one for each thread that has items, by number of
 * thread: the thread, its items as a sequence, the rest of the list, and how
 * many items there are in all.  docs/relaxed-objects.md has the definition. */
#include "spec/stores/cells.h"
#include "spec/stores/container.h"
#include "spec/stores/sequence.h"
#include "spec/types/queue_family.h"
#include "spec/types/stack_family.h"

enum { THREAD, ITEMS, REST, TOTAL, WIDTH };

struct extra {
    struct plumb_spec_cells cells;
    struct plumb_spec_sequences sequences;
};

static bool open(struct plumb_spec_space *space)
{
    struct extra *const e = plumb_base_arena_zeroed(&space->arena, sizeof *e);
    space->extra = e;
    if (!e)
        return false;
    plumb_spec_cells_init(&e->cells, space->arena.budget, WIDTH);
    return plumb_spec_sequences_init(&e->sequences, space->arena.budget);
}

static void close(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    if (!e)
        return;
    plumb_spec_cells_release(&e->cells);
    plumb_spec_sequences_release(&e->sequences);
}

static uint32_t field(const struct plumb_spec_space *space, plumb_spec_state s,
                      unsigned which)
{
    const struct extra *const e = space->extra;
    return s ? plumb_spec_cell(&e->cells, s - 1)[which] : 0;
}

/* The list `rest` behind the items of a thread; without items, `rest` itself. */
static plumb_spec_state with(struct plumb_spec_space *space, uint32_t thread,
                             plumb_spec_state items, plumb_spec_state rest)
{
    struct extra *const e = space->extra;
    if (items == PLUMB_NO_STATE || rest == PLUMB_NO_STATE)
        return PLUMB_NO_STATE;
    const uint32_t more = plumb_spec_sequence_length(&e->sequences, items);
    if (more == 0)
        return rest;
    const uint32_t words[WIDTH] = { [THREAD] = thread,
                                    [ITEMS] = items,
                                    [REST] = rest,
                                    [TOTAL] =
                                        field(space, rest, TOTAL) + more };
    const uint32_t cell = plumb_spec_cells_intern(&e->cells, words);
    return cell == UINT32_MAX ? PLUMB_NO_STATE : cell + 1;
}

/* The list with other items of one thread. */
static plumb_spec_state replaced(struct plumb_spec_space *space,
                                 plumb_spec_state s, uint32_t thread,
                                 plumb_spec_state items)
{
    const uint32_t first = field(space, s, THREAD);
    const plumb_spec_state rest = field(space, s, REST);
    if (!s || first > thread)
        return with(space, thread, items, s);
    if (first == thread)
        return with(space, thread, items, rest);
    return with(space, first, field(space, s, ITEMS),
                replaced(space, rest, thread, items));
}

static bool add(struct plumb_spec_space *space, plumb_spec_state s,
                const struct plumb_spec_action *a,
                struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    plumb_spec_state at = s;
    if (!plumb_spec_answers(a, PLUMB_TERM_OK))
        return true;
    while (at && field(space, at, THREAD) < a->thread)
        at = field(space, at, REST);
    const bool has = at && field(space, at, THREAD) == a->thread;
    const plumb_spec_state items = plumb_spec_sequence_push_back(
        &e->sequences, has ? field(space, at, ITEMS) : PLUMB_EMPTY_SEQUENCE,
        a->arg[0]);
    return items != PLUMB_NO_STATE &&
           plumb_spec_states_made(out, replaced(space, s, a->thread, items));
}

static enum plumb_spec_role role_of(const struct plumb_spec_space *space,
                                    const struct plumb_spec_action *a)
{
    return space->spec->type->ops[a->kind].role;
}

/* Equal items of several threads: any of them may be the one. */
static bool take(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    struct plumb_spec_sequences *const q =
        &((struct extra *)space->extra)->sequences;
    const bool last = space->spec->type == &plumb_spec_type_local_stack;
    for (plumb_spec_state at = s; at; at = field(space, at, REST)) {
        const plumb_spec_state items = field(space, at, ITEMS);
        const plumb_spec_vid x = last ? plumb_spec_sequence_back(q, items)
                                      : plumb_spec_sequence_front(q, items);
        if (!plumb_spec_answers_value(a, PLUMB_TERM_OK, x))
            continue;
        if (role_of(space, a) == PLUMB_ROLE_PEEK)
            return plumb_spec_states_add(out, s);
        const plumb_spec_state left =
            last ? plumb_spec_sequence_pop_back(q, items)
                 : plumb_spec_sequence_pop_front(q, items);
        if (left == PLUMB_NO_STATE ||
            !plumb_spec_states_made(
                out, replaced(space, s, field(space, at, THREAD), left)))
            return false;
    }
    return true;
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    if (plumb_spec_finds_limit(space, PLUMB_CAP, field(space, s, TOTAL), a))
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    return role_of(space, a) == PLUMB_ROLE_ADD ? add(space, s, a, out)
                                               : take(space, s, a, out);
}

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    return bound->spec->type->ops[a->kind].role == PLUMB_ROLE_REMOVE &&
           a->term != PLUMB_TERM_EMPTY;
}

/* As in [1 2] [3]: a pair of brackets for each thread. */
static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    const struct extra *const e = space->extra;
    if (!s)
        plumb_base_text_add(out, "[]");
    for (plumb_spec_state at = s; at; at = field(space, at, REST)) {
        if (at != s)
            plumb_base_text_add(out, " ");
        plumb_spec_sequence_show(space, &e->sequences, field(space, at, ITEMS),
                                 out);
    }
}

static const struct plumb_spec_param queue_params[] = { PLUMB_QUEUE_PARAMS };
static const struct plumb_spec_param stack_params[] = {
    [PLUMB_CAP] = PLUMB_PARAM_CAP,
    [PLUMB_BLOCKING] = PLUMB_PARAM_BLOCKING("pop waits"),
};

#define LOCAL                                                                  \
    .by_thread = true, .open = open, .close = close,                           \
    .initial = plumb_spec_initial_empty, .step = step, .branches = branches,   \
    .reads = plumb_spec_reads, .owner = plumb_spec_owner,                      \
    .closed = plumb_spec_closed_without_cap, .bar = plumb_spec_barred_by_full, \
    .show = show

const struct plumb_spec_type plumb_spec_type_local_queue = {
    .name = "local:queue",
    .what = "first in, first out among the items of each thread",
    PLUMB_TABLES(plumb_spec_queue_ops, queue_params),
    LOCAL,
};

const struct plumb_spec_type plumb_spec_type_local_stack = {
    .name = "local:stack",
    .what = "last in, first out among the items of each thread",
    PLUMB_TABLES(plumb_spec_stack_ops, stack_params),
    LOCAL,
};
