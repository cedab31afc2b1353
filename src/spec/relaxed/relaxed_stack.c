/* relaxed_stack.c - stacks whose items may leave from below the top.
 *
 * The index of an item is how many are above it; an item is overtaken when one
 * below it is removed.  With k=K an item of index at most K may leave, with
 * late=L only if no item above it has been overtaken L times.
 *
 * A stack is a list from its top, as in stack.c, with a count in each cell: 0
 * if `late` is not given.  Removing the item of index i makes i cells. */
#include "base/memory.h"
#include "relaxation.h"
#include "spec/stores/cells.h"
#include "spec/types/stack_family.h"

enum { TOP, REST, HEIGHT, OVERTAKEN, WIDTH };

struct extra {
    struct plumb_spec_cells cells;
    uint32_t *above; /* cells above the item that is looked at, from the top */
    size_t capacity;
};

static bool open(struct plumb_spec_space *space)
{
    struct extra *const e = plumb_base_arena_zeroed(&space->arena, sizeof *e);
    if (!e)
        return false;
    space->extra = e;
    plumb_spec_cells_init(&e->cells, space->arena.budget, WIDTH);
    return true;
}

static void close(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    if (!e)
        return;
    plumb_spec_cells_release(&e->cells);
    PLUMB_RELEASE(space->arena.budget, e->above, e->capacity);
}

static uint32_t field(const struct plumb_spec_space *space, plumb_spec_state s,
                      unsigned which)
{
    const struct extra *const e = space->extra;
    return s ? plumb_spec_cell(&e->cells, s - 1)[which] : 0;
}

/* The stack `rest` with an item on top. */
static plumb_spec_state with_top(struct plumb_spec_space *space,
                                 plumb_spec_state rest, plumb_spec_vid x,
                                 uint32_t overtaken)
{
    struct extra *const e = space->extra;
    const uint32_t words[WIDTH] = { [TOP] = x,
                                    [REST] = rest,
                                    [HEIGHT] = field(space, rest, HEIGHT) + 1,
                                    [OVERTAKEN] = overtaken };
    const uint32_t cell = plumb_spec_cells_intern(&e->cells, words);
    return cell == UINT32_MAX ? PLUMB_NO_STATE : cell + 1;
}

/* What is left when the first item of `below` is removed from under the
 * `count` cells above it. */
static plumb_spec_state without(struct plumb_spec_space *space,
                                plumb_spec_state below, uint32_t count)
{
    struct extra *const e = space->extra;
    const uint32_t more = space->spec->given[PLUMB_STACK_LATE];
    plumb_spec_state s = field(space, below, REST);
    while (count-- > 0 && s != PLUMB_NO_STATE) {
        const plumb_spec_state cell = e->above[count];
        s = with_top(space, s, field(space, cell, TOP),
                     field(space, cell, OVERTAKEN) + more);
    }
    return s;
}

/* Once each among those added since there were `before`. */
static bool add_once(struct plumb_spec_states *out, size_t before,
                     plumb_spec_state s)
{
    for (size_t i = before; i < out->count; i++)
        if (out->state[i] == s)
            return true;
    return plumb_spec_states_made(out, s);
}

/* Two items may be equal, and it matters which one leaves. */
static bool take(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    const struct plumb_spec *const spec = space->spec;
    const uint64_t late = plumb_spec_bound_of(spec, PLUMB_STACK_LATE);
    const uint64_t most =
        spec->given[PLUMB_STACK_K] || !spec->given[PLUMB_STACK_LATE]
            ? spec->param[PLUMB_STACK_K]
            : UINT64_MAX;
    const size_t before = out->count;
    plumb_spec_state at = s;
    for (uint32_t index = 0; at && index <= most; index++) {
        if (plumb_spec_answers_value(a, PLUMB_TERM_OK, field(space, at, TOP))) {
            if (a->kind == PLUMB_STACK_PEEK)
                return plumb_spec_states_add(out, s);
            if (!add_once(out, before, without(space, at, index)))
                return false;
        }
        if (field(space, at, OVERTAKEN) >= late)
            break;
        if (!PLUMB_GROW(space->arena.budget, e->above, e->capacity,
                        (size_t)index + 1))
            return false;
        e->above[index] = at;
        at = field(space, at, REST);
    }
    return true;
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const uint32_t height = field(space, s, HEIGHT);
    if (plumb_spec_finds_limit(space, PLUMB_CAP, height, a))
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    if (plumb_spec_stack_inserts(a))
        return !plumb_spec_answers(a, PLUMB_TERM_OK) ||
               plumb_spec_states_made(out, with_top(space, s, a->arg[0], 0));
    return plumb_spec_step_says_empty(space, PLUMB_STACK_EMPTY, height, s, a,
                                      out) &&
           (!plumb_spec_answers(a, PLUMB_TERM_OK) || take(space, s, a, out));
}

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    (void)bound;
    return plumb_spec_stack_removes(a) && a->term != PLUMB_TERM_EMPTY;
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    const struct extra *const e = space->extra;
    plumb_spec_stack_show(space, &e->cells, s, out);
}

const struct plumb_spec_type plumb_spec_type_relaxed_stack = {
    .name = "stack",
    .what = "items may leave from below the top",
    .ops = plumb_spec_stack_ops,
    .nops = PLUMB_STACK_OPS,
    .params = plumb_spec_stack_params,
    .nparams = PLUMB_STACK_PARAMETERS,
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
