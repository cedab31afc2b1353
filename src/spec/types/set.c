/* set.c - which values are present. */
#include "spec/stores/container.h"
#include "spec/stores/treap.h"

enum { INSERT, DELETE, MEMBER, OPS };

static const struct plumb_spec_opdef ops[OPS] = {
    [INSERT] = { "insert add", "v", "ok(b)", .key = 0,
                 .role = PLUMB_ROLE_INSERT },
    [DELETE] = { "delete remove erase", "v", "ok(b)", .key = 0,
                 .role = PLUMB_ROLE_DELETE },
    [MEMBER] = { "member contains find lookup search has", "v", "ok(b)",
                 .key = 0, .role = PLUMB_ROLE_MEMBER },
};

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const bool present = plumb_spec_treap_get(space->extra, s, a->arg[0]);
    const bool wanted = a->kind == INSERT;
    if (a->kind == MEMBER)
        return !plumb_spec_answers_bool(a, present) ||
               plumb_spec_states_add(out, s);
    if (!plumb_spec_answers_bool(a, present != wanted))
        return true;
    if (present == wanted)
        return plumb_spec_states_add(out, s);
    return plumb_spec_treap_step(space, s, a->arg[0], wanted ? 1 : -1, out);
}

const struct plumb_spec_type plumb_spec_type_set = {
    .name = "set",
    .what = "a set of values",
    .ops = ops,
    .nops = OPS,
    .guessable = true,
    .open = plumb_spec_treap_open,
    .close = plumb_spec_treap_close,
    .initial = plumb_spec_initial_empty,
    .step = step,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .show = plumb_spec_treap_show,
};
