/* container.c - claims and steps that follow from the table of operations. */
#include "container.h"
#include <assert.h>

/* Shapes begin with "ok(". */
static bool answers_whether(const struct plumb_spec_opdef *def)
{
    assert(memcmp(def->results, "ok(", 3) == 0);
    return def->results[3] == 'b';
}

static bool is_refused(const struct plumb_spec_action *a)
{
    return a->term == PLUMB_TERM_EMPTY || a->term == PLUMB_TERM_FULL ||
           a->term == PLUMB_TERM_NONE;
}

bool plumb_spec_reads(const struct plumb_spec *spec,
                      const struct plumb_spec_action *a)
{
    const struct plumb_spec_opdef *const def = spec->type->ops + a->kind;
    if (is_refused(a) ||
        (answers_whether(def) && plumb_spec_answered(a, false)))
        return true;
    switch (def->role) {
    case PLUMB_ROLE_PEEK:
    case PLUMB_ROLE_MEMBER:
    case PLUMB_ROLE_COUNT:
    case PLUMB_ROLE_READ:
        return true;
    case PLUMB_ROLE_CAS:
        return a->arg[0] == a->arg[1];
    case PLUMB_ROLE_SWAP:
        return a->term == PLUMB_TERM_OK && a->res[0] == a->arg[0];
    default:
        return false;
    }
}

struct plumb_spec_end plumb_spec_at_end(const struct plumb_spec_action *a,
                                        bool looks, int end)
{
    struct plumb_spec_end e = { PLUMB_END_SHOWS, end };
    if (is_refused(a))
        e.does = a->nargs ? PLUMB_END_NEITHER : PLUMB_END_FINDS_NOTHING;
    else if (!looks)
        e.does = a->nargs ? PLUMB_END_ADDS : PLUMB_END_TAKES;
    return e;
}

plumb_spec_vid plumb_spec_owner(const struct plumb_spec_space *space,
                                const struct plumb_spec_action *a)
{
    const struct plumb_spec_opdef *const def = space->spec->type->ops + a->kind;
    if (def->role == PLUMB_ROLE_CAS || def->role == PLUMB_ROLE_SWAP)
        return PLUMB_NO_VALUE; /* it is about two */
    if (a->nargs)
        return a->arg[def->key < 0 ? a->nargs - 1 : def->key];
    return a->term == PLUMB_TERM_OK ? a->res[a->nres - 1] : PLUMB_NO_VALUE;
}

bool plumb_spec_closed_without_cap(const struct plumb_spec_bound *bound,
                                   uint32_t object)
{
    (void)object;
    return !bound->spec->given[PLUMB_CAP];
}

enum plumb_spec_bar plumb_spec_barred_by_full(const struct plumb_spec *spec)
{
    (void)spec;
    return PLUMB_BARRED_BY_FULL;
}

plumb_spec_state plumb_spec_initial_empty(struct plumb_spec_space *space)
{
    (void)space;
    return 0;
}

bool plumb_spec_step_refused(const struct plumb_spec_space *space,
                             unsigned blocking, plumb_spec_state s,
                             const struct plumb_spec_action *a,
                             struct plumb_spec_states *out)
{
    const struct plumb_spec *const spec = space->spec;
    const struct plumb_spec_opdef *const def = spec->type->ops + a->kind;
    const bool waits = def->partial || (def->waits && spec->param[blocking]);
    return waits ||
           !plumb_spec_answers(a,
                               a->nargs ? PLUMB_TERM_FULL : PLUMB_TERM_EMPTY) ||
           plumb_spec_states_add(out, s);
}
