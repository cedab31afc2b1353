/* weak_stack.c - a stack of a fixed number of nodes: `full` while others hold
 * some.
 *
 * The items are a list of cells from the top, as in stack.c. */
#include "base/memory.h"
#include "spec/types/stack_family.h"
#include "weakness.h"

enum { TOP, REST, HEIGHT, WIDTH };

struct extra {
    struct plumb_spec_cells items;
    struct plumb_spec_marks marks;
};

static bool open(struct plumb_spec_space *space)
{
    struct extra *const e = plumb_base_arena_zeroed(&space->arena, sizeof *e);
    space->extra = e;
    if (e)
        plumb_spec_cells_init(&e->items, space->arena.budget, WIDTH);
    return e;
}

static void close(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    if (!e)
        return;
    plumb_spec_cells_release(&e->items);
    plumb_spec_marks_release(space, &e->marks);
}

static plumb_spec_state initial(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    e->marks.items = e->marks.seekers = e->marks.count = 0;
    return plumb_spec_marks_store(space, &e->marks);
}

static uint32_t height(const struct extra *e)
{
    const uint32_t items = e->marks.items;
    return items ? plumb_spec_cell(&e->items, items - 1)[HEIGHT] : 0;
}

static bool push(struct plumb_spec_space *space,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    const uint32_t words[WIDTH] = { a->arg[0], m->items, height(e) + 1 };
    if (!plumb_spec_answers(a, PLUMB_TERM_OK))
        return true;
    const uint32_t cell = plumb_spec_cells_intern(&e->items, words);
    m->items = cell == UINT32_MAX ? PLUMB_NO_STATE : cell + 1;
    plumb_spec_weak_forget(m, PLUMB_MARK_HOLDING, a->whose);
    return plumb_spec_states_made(out, plumb_spec_marks_store(space, m));
}

static bool pop(struct plumb_spec_space *space, plumb_spec_state s,
                const struct plumb_spec_action *a,
                struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    const uint32_t *const cell = plumb_spec_cell(&e->items, m->items - 1);
    if (!plumb_spec_answers_value(a, PLUMB_TERM_OK, cell[TOP]))
        return true;
    if (a->kind == PLUMB_STACK_PEEK)
        return plumb_spec_states_add(out, s);
    m->items = cell[REST];
    return plumb_spec_marks_add(space, m, PLUMB_MARK_REMOVING, a->whose, 0,
                                0) &&
           plumb_spec_states_made(out, plumb_spec_marks_store(space, m));
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    struct plumb_spec_marks *const m = &e->marks;
    if (!plumb_spec_marks_load(space, m, s))
        return false;
    const bool limit = plumb_spec_finds_limit(space, PLUMB_CAP, height(e), a);
    const bool inserts = plumb_spec_stack_inserts(a);
    const bool full =
        inserts && plumb_spec_weak_pool_is_full(
                       m, space->spec->param[PLUMB_CAP], height(e));
    if ((limit || full) && !plumb_spec_weak_pool_holds(m, a->whose) &&
        !plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out))
        return false;
    if (limit)
        return true;
    return inserts ? push(space, a, out) : pop(space, s, a, out);
}

static bool called(struct plumb_spec_space *space, plumb_spec_state s,
                   const struct plumb_spec_action *a,
                   struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    if (!plumb_spec_stack_inserts(a))
        return plumb_spec_states_add(out, s);
    return plumb_spec_marks_load(space, &e->marks, s) &&
           plumb_spec_weak_pool_call(space, &e->marks, s, a, out);
}

static bool returned(struct plumb_spec_space *space, plumb_spec_state s,
                     const struct plumb_spec_action *a,
                     struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    if (!plumb_spec_marks_load(space, &e->marks, s))
        return false;
    plumb_spec_weak_forget(&e->marks, PLUMB_MARK_HOLDING, a->whose);
    plumb_spec_weak_forget(&e->marks, PLUMB_MARK_REMOVING, a->whose);
    return plumb_spec_states_made(out,
                                  plumb_spec_marks_store(space, &e->marks));
}

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    (void)bound;
    return a->term == PLUMB_TERM_ANY && plumb_spec_stack_inserts(a);
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    const struct extra *const e = space->extra;
    plumb_spec_stack_show(space, &e->items, plumb_spec_marks_items(space, s),
                          out);
    plumb_spec_marks_show(space, s, out);
}

const struct plumb_spec_type plumb_spec_type_weak_stack = {
    .name = "stack",
    .what = "last in, first out",
    .ops = plumb_spec_stack_ops,
    .nops = PLUMB_STACK_OPS,
    .params = plumb_spec_stack_params,
    .nparams = PLUMB_STACK_PARAMETERS,
    .open = open,
    .close = close,
    .initial = initial,
    .step = step,
    .called = called,
    .returned = returned,
    .settles = true,
    .branches = branches,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .closed = plumb_spec_closed_without_cap,
    .bar = plumb_spec_barred_by_full,
    .show = show,
};
