/* stuttering.c - a queue that may give back its first item several times.
 *
 * A state is a cell of the sequence of items, and how often the first of them
 * has been left in place since it came to be first. */
#include "base/memory.h"
#include "queue_family.h"
#include "spec/stores/cells.h"
#include "spec/stores/sequence.h"

enum { J = PLUMB_OWN_PARAM };
enum { ITEMS, STUTTERS, WIDTH };

struct extra {
    struct plumb_spec_sequences items;
    struct plumb_spec_cells states;
};

static const struct plumb_spec_param params[] = {
    PLUMB_QUEUE_PARAMS,
    { .name = "j",
      .kind = PLUMB_PARAM_COUNT,
      .what = "deq may leave the first item in place N times (default 1)",
      .initial = 1 },
};

static bool open(struct plumb_spec_space *space)
{
    struct plumb_budget *const budget = space->arena.budget;
    struct extra *const e = plumb_base_arena_zeroed(&space->arena, sizeof *e);
    if (!e)
        return false;
    space->extra = e;
    plumb_spec_cells_init(&e->states, budget, WIDTH);
    return plumb_spec_sequences_init(&e->items, budget);
}

static void close(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    if (!e)
        return;
    plumb_spec_sequences_release(&e->items);
    plumb_spec_cells_release(&e->states);
}

static plumb_spec_state state_of(struct extra *e, plumb_spec_state items,
                                 uint32_t count)
{
    const uint32_t words[WIDTH] = { items, count };
    if (items == PLUMB_NO_STATE)
        return PLUMB_NO_STATE;
    return plumb_spec_cells_intern(&e->states, words);
}

static plumb_spec_state initial(struct plumb_spec_space *space)
{
    return state_of(space->extra, PLUMB_EMPTY_SEQUENCE, 0);
}

/* The first item leaves, or stays if it still may. */
static bool remove_or_leave(struct plumb_spec_space *space,
                            plumb_spec_state items, uint32_t count,
                            struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    const plumb_spec_state rest =
        plumb_spec_sequence_pop_front(&e->items, items);
    if (!plumb_spec_states_made(out, state_of(e, rest, 0)))
        return false;
    return count >= space->spec->param[J] ||
           plumb_spec_states_made(out, state_of(e, items, count + 1));
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    struct plumb_spec_sequences *const q = &e->items;
    const uint32_t *const cell = plumb_spec_cell(&e->states, s);
    const plumb_spec_state items = cell[ITEMS];
    const uint32_t count = cell[STUTTERS];
    if (plumb_spec_finds_limit(space, PLUMB_CAP,
                               plumb_spec_sequence_length(q, items), a))
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    if (plumb_spec_queue_inserts(a)) {
        if (!plumb_spec_answers(a, PLUMB_TERM_OK))
            return true;
        const plumb_spec_state more =
            plumb_spec_sequence_push_back(q, items, a->arg[0]);
        return plumb_spec_states_made(out, state_of(e, more, count));
    }
    if (!plumb_spec_answers_value(a, PLUMB_TERM_OK,
                                  plumb_spec_sequence_front(q, items)))
        return true;
    if (a->kind == PLUMB_QUEUE_PEEK)
        return plumb_spec_states_add(out, s);
    return remove_or_leave(space, items, count, out);
}

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    return plumb_spec_queue_removes(a) && a->term != PLUMB_TERM_EMPTY &&
           bound->spec->param[J] > 0;
}

static uint32_t answers(const struct plumb_spec *spec)
{
    return spec->param[J] < UINT32_MAX ? (uint32_t)spec->param[J] + 1
                                       : UINT32_MAX;
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    const struct extra *const e = space->extra;
    const uint32_t *const cell = plumb_spec_cell(&e->states, s);
    plumb_spec_sequence_show(space, &e->items, cell[ITEMS], out);
    if (cell[STUTTERS])
        plumb_base_text_printf(out, " (first item returned %ux)",
                               (unsigned)cell[STUTTERS]);
}

const struct plumb_spec_type plumb_spec_type_stuttering_queue = {
    .name = "stuttering-queue",
    .what = "a queue whose deq may return the first item several times",
    PLUMB_TABLES(plumb_spec_queue_ops, params),
    .open = open,
    .close = close,
    .initial = initial,
    .step = step,
    .branches = branches,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .closed = plumb_spec_closed_without_cap,
    .bar = plumb_spec_barred_by_full,
    .fifo = plumb_spec_queue_fifo,
    .answers = answers,
    .show = show,
};
