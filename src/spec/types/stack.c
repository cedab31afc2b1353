/* stack.c - last in, first out.
 *
 * A stack is 0 if it is empty, else 1 + a cell of the top item, the stack
 * below it, and the height: pushing and popping are O(1) at any height. */
#include "base/memory.h"
#include "spec/stores/cells.h"
#include "spec/stores/container.h"

enum { PUSH, PUT, POP, TRY_POP, TAKE, PEEK, OPS };
enum { TOP, REST, HEIGHT, WIDTH };

#define REMOVED "ok(v)|empty()"

static const struct plumb_spec_opdef ops[OPS] = {
    [PUSH] = { "push add", "v", "ok()|full()", .key = -1,
               .role = PLUMB_ROLE_ADD },
    [PUT] = { "put", "v", "ok()", .partial = true, .key = -1,
              .role = PLUMB_ROLE_ADD },
    [POP] = { "pop remove", "", REMOVED, .waits = true, .key = -1,
              .role = PLUMB_ROLE_REMOVE },
    [TRY_POP] = { "try_pop poll", "", REMOVED, .key = -1,
                  .role = PLUMB_ROLE_REMOVE },
    [TAKE] = { "take", "", "ok(v)", .partial = true, .key = -1,
               .role = PLUMB_ROLE_REMOVE },
    [PEEK] = { "peek top", "", REMOVED, .key = -1, .role = PLUMB_ROLE_PEEK },
};

static const struct plumb_spec_param params[] = {
    [PLUMB_CAP] = PLUMB_PARAM_CAP,
    [PLUMB_BLOCKING] = PLUMB_PARAM_BLOCKING("pop waits"),
};

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
    if (a->kind <= PUT)
        return !plumb_spec_answers(a, PLUMB_TERM_OK) ||
               plumb_spec_states_made(out, push(space, s, a->arg[0]));
    const uint32_t *const cell = plumb_spec_cell(space->extra, s - 1);
    if (!plumb_spec_answers_value(a, PLUMB_TERM_OK, cell[TOP]))
        return true;
    return plumb_spec_states_add(out, a->kind == PEEK ? s : cell[REST]);
}

/* Bottom to top.  The list runs from the top: turn it round first. */
static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    struct plumb_budget *const budget = space->arena.budget;
    const uint32_t n = height(space, s);
    plumb_spec_vid *const item =
        plumb_base_alloc(budget, (n + 1) * sizeof *item);
    if (!item) {
        out->broken = true;
        return;
    }
    for (uint32_t i = n; i-- > 0;) {
        item[i] = plumb_spec_cell(space->extra, s - 1)[TOP];
        s = plumb_spec_cell(space->extra, s - 1)[REST];
    }
    plumb_base_text_add(out, "[");
    for (uint32_t i = 0; i < n; i++) {
        plumb_base_text_add(out, i ? " " : "");
        plumb_spec_vid_show(space, item[i], out);
    }
    plumb_base_text_add(out, "]");
    PLUMB_RELEASE(budget, item, n + 1);
}

const struct plumb_spec_type plumb_spec_type_stack = {
    .name = "stack",
    .what = "last in, first out",
    PLUMB_TABLES(ops, params),
    .guessable = true,
    .open = open,
    .close = close,
    .initial = plumb_spec_initial_empty,
    .step = step,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .closed = plumb_spec_closed_without_cap,
    .show = show,
};
