/* stack.c - last in, first out.
 *
 * A stack is 0 if it is empty, else 1 + a cell of the top item, the stack
 * below it, and the height: pushing and popping are O(1) at any height. */
#include "base/memory.h"
#include "spec/relaxed/relaxation.h"
#include "spec/weak/weakness.h"
#include "stack_family.h"

enum { TOP, REST, HEIGHT, WIDTH };

#define REMOVED "ok(v)|empty()"

const struct plumb_spec_opdef plumb_spec_stack_ops[PLUMB_STACK_OPS] = {
    [PLUMB_STACK_PUSH] = { "push add", "v", "ok()|full()", .key = -1,
                           .role = PLUMB_ROLE_ADD },
    [PLUMB_STACK_PUT] = { "put", "v", "ok()", .partial = true, .key = -1,
                          .role = PLUMB_ROLE_ADD },
    [PLUMB_STACK_POP] = { "pop remove", "", REMOVED, .waits = true, .key = -1,
                          .role = PLUMB_ROLE_REMOVE },
    [PLUMB_STACK_TRY_POP] = { "try_pop poll", "", REMOVED, .key = -1,
                              .role = PLUMB_ROLE_REMOVE },
    [PLUMB_STACK_TAKE] = { "take", "", "ok(v)", .partial = true, .key = -1,
                           .role = PLUMB_ROLE_REMOVE },
    [PLUMB_STACK_PEEK] = { "peek top", "", REMOVED, .key = -1,
                           .role = PLUMB_ROLE_PEEK },
};

const struct plumb_spec_param plumb_spec_stack_params[] = {
    [PLUMB_CAP] = PLUMB_PARAM_CAP,
    [PLUMB_BLOCKING] = PLUMB_PARAM_BLOCKING("pop waits"),
    [PLUMB_STACK_K] = { .name = "k",
                        .kind = PLUMB_PARAM_COUNT,
                        .what = "an item may leave from under up to N others" },
    [PLUMB_STACK_LATE] = { .name = "late",
                           .kind = PLUMB_PARAM_COUNT,
                           .what = "up to N items from below may leave before"
                                   " an item" },
    [PLUMB_STACK_EMPTY] = PLUMB_PARAM_EMPTY,
    [PLUMB_STACK_WEAK] =
        PLUMB_PARAM_WEAK(plumb_spec_weak_pool_word, "k late empty"),
};

static const char *refuses(const struct plumb_spec *spec)
{
    return plumb_spec_weak_pool_needs_cap(spec, PLUMB_STACK_WEAK);
}

static const struct plumb_spec_type *variant(const struct plumb_spec *spec)
{
    for (unsigned i = PLUMB_STACK_K; i <= PLUMB_STACK_EMPTY; i++)
        if (spec->given[i])
            return &plumb_spec_type_relaxed_stack;
    return spec->given[PLUMB_STACK_WEAK] ? &plumb_spec_type_weak_stack
                                         : spec->type;
}

static bool open(struct plumb_spec_space *space)
{
    space->extra =
        plumb_base_arena_alloc(&space->arena, sizeof(struct plumb_spec_cells));
    if (space->extra)
        plumb_spec_cells_init(space->extra, space->arena.budget, WIDTH);
    return space->extra;
}

static void close(struct plumb_spec_space *space)
{
    if (space->extra)
        plumb_spec_cells_release(space->extra);
}

static uint32_t height(const struct plumb_spec_space *space, plumb_spec_state s)
{
    return s ? plumb_spec_cell(space->extra, s - 1)[HEIGHT] : 0;
}

static plumb_spec_state push(struct plumb_spec_space *space, plumb_spec_state s,
                             plumb_spec_vid x)
{
    const uint32_t words[WIDTH] = { x, s, height(space, s) + 1 };
    const uint32_t cell = plumb_spec_cells_intern(space->extra, words);
    return cell == UINT32_MAX ? PLUMB_NO_STATE : cell + 1;
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    if (plumb_spec_finds_limit(space, PLUMB_CAP, height(space, s), a))
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    if (plumb_spec_stack_inserts(a))
        return !plumb_spec_answers(a, PLUMB_TERM_OK) ||
               plumb_spec_states_made(out, push(space, s, a->arg[0]));
    const uint32_t *const cell = plumb_spec_cell(space->extra, s - 1);
    if (!plumb_spec_answers_value(a, PLUMB_TERM_OK, cell[TOP]))
        return true;
    return plumb_spec_states_add(out,
                                 a->kind == PLUMB_STACK_PEEK ? s : cell[REST]);
}

/* The list runs from the top: turn it round first. */
void plumb_spec_stack_show(const struct plumb_spec_space *space,
                           const struct plumb_spec_cells *cells,
                           plumb_spec_state s, struct plumb_base_text *out)
{
    struct plumb_budget *const budget = space->arena.budget;
    const uint32_t n = s ? plumb_spec_cell(cells, s - 1)[HEIGHT] : 0;
    plumb_spec_vid *const item =
        plumb_base_alloc(budget, (n + 1) * sizeof *item);
    if (!item) {
        out->broken = true;
        return;
    }
    for (uint32_t i = n; i-- > 0;) {
        item[i] = plumb_spec_cell(cells, s - 1)[TOP];
        s = plumb_spec_cell(cells, s - 1)[REST];
    }
    plumb_base_text_add(out, "[");
    for (uint32_t i = 0; i < n; i++) {
        plumb_base_text_add(out, i ? " " : "");
        plumb_spec_vid_show(space, item[i], out);
    }
    plumb_base_text_add(out, "]");
    PLUMB_RELEASE(budget, item, n + 1);
}

static struct plumb_spec_end ends(const struct plumb_spec *spec,
                                  const struct plumb_spec_action *a)
{
    (void)spec;
    return plumb_spec_at_end(a, a->kind == PLUMB_STACK_PEEK, 0);
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    plumb_spec_stack_show(space, space->extra, s, out);
}

const struct plumb_spec_type plumb_spec_type_stack = {
    .name = "stack",
    .what = "last in, first out",
    PLUMB_TABLES(plumb_spec_stack_ops, plumb_spec_stack_params),
    .guessable = true,
    .variant = variant,
    .refuses = refuses,
    .open = open,
    .close = close,
    .initial = plumb_spec_initial_empty,
    .step = step,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .closed = plumb_spec_closed_without_cap,
    .bar = plumb_spec_barred_by_full,
    .ends = ends,
    .show = show,
};
