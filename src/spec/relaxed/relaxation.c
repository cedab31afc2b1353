/* relaxation.c - an `empty` that is answered although a few items are there. */
#include "relaxation.h"

bool plumb_spec_step_says_empty(const struct plumb_spec_space *space,
                                unsigned empty, uint64_t length,
                                plumb_spec_state s,
                                const struct plumb_spec_action *a,
                                struct plumb_spec_states *out)
{
    const struct plumb_spec *const spec = space->spec;
    const struct plumb_spec_opdef *const def = spec->type->ops + a->kind;
    const bool waits =
        def->partial || (def->waits && spec->param[PLUMB_BLOCKING]);
    return def->role != PLUMB_ROLE_REMOVE || waits ||
           length > spec->param[empty] ||
           !plumb_spec_answers(a, PLUMB_TERM_EMPTY) ||
           plumb_spec_states_add(out, s);
}
