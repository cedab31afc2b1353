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
    [POP] = { "pop remove", "", REMOVED, .key = -1, .role = PLUMB_ROLE_REMOVE },
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
    struct plumb_budget *const budget = space->arena.budget;
    space->extra = plumb_base_alloc(budget, sizeof(struct plumb_spec_cells));
    if (!space->extra)
        return false;
    plumb_spec_cells_init(space->extra, budget, WIDTH);
    return true;
}

static void close(struct plumb_spec_space *space)
{
    if (!space->extra)
        return;
    plumb_spec_cells_release(space->extra);
    plumb_base_release(space->arena.budget, space->extra,
                       sizeof(struct plumb_spec_cells));
}

static plumb_spec_state initial(struct plumb_spec_space *space)
{
    (void)space;
    return 0;
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

static bool insert(struct plumb_spec_space *space, plumb_spec_state s,
                   const struct plumb_spec_action *a,
                   struct plumb_spec_states *out)
{
    if (plumb_spec_is_full(space, PLUMB_CAP, height(space, s)))
        return plumb_spec_step_refused(a->kind == PUT, PLUMB_TERM_FULL, s, a,
                                       out);
    return !plumb_spec_answers(a, PLUMB_TERM_OK) ||
           plumb_spec_states_made(out, push(space, s, a->arg[0]));
}

static bool step_empty(const struct plumb_spec_space *space, plumb_spec_state s,
                       const struct plumb_spec_action *a,
                       struct plumb_spec_states *out)
{
    const bool waits = a->kind == TAKE ||
                       (a->kind == POP && space->spec->param[PLUMB_BLOCKING]);
    return plumb_spec_step_refused(waits, PLUMB_TERM_EMPTY, s, a, out);
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    if (a->kind <= PUT)
        return insert(space, s, a, out);
    if (!s)
        return step_empty(space, s, a, out);
    const uint32_t *const cell = plumb_spec_cell(space->extra, s - 1);
    if (!plumb_spec_answers_value(a, PLUMB_TERM_OK, cell[TOP]))
        return true;
    return plumb_spec_states_add(out, a->kind == PEEK ? s : cell[REST]);
}

static bool reads(const struct plumb_spec *spec,
                  const struct plumb_spec_action *a)
{
    (void)spec;
    return a->kind == PEEK || plumb_spec_is_refused(a);
}

static plumb_spec_vid owner(const struct plumb_spec_space *space,
                            const struct plumb_spec_action *a)
{
    (void)space;
    return plumb_spec_item_owner(a, a->kind <= PUT);
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
    .ops = ops,
    .nops = OPS,
    .params = params,
    .nparams = PLUMB_COUNT_OF(params),
    .guessable = true,
    .open = open,
    .close = close,
    .initial = initial,
    .step = step,
    .reads = reads,
    .owner = owner,
    .closed = plumb_spec_closed_without_cap,
    .show = show,
};
