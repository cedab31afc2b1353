/* register.c - one value; the state is the number of that value. */
#include "spec/stores/container.h"

enum { WRITE, READ, CAS, SWAP, OPS };
enum { INIT };

static const struct plumb_spec_opdef ops[OPS] = {
    [WRITE] = { "write store set put", "v", "ok()", .key = -1,
                .role = PLUMB_ROLE_WRITE },
    [READ] = { "read load get", "", "ok(v)", .key = -1,
               .role = PLUMB_ROLE_READ },
    [CAS] = { "cas compare_and_set compare_and_swap compare_exchange", "vv",
              "ok(b)", .key = -1, .role = PLUMB_ROLE_CAS },
    [SWAP] = { "swap exchange get_and_set", "v", "ok(v)", .key = -1,
               .role = PLUMB_ROLE_SWAP },
};

static const struct plumb_spec_param params[] = {
    [INIT] = { .name = "init",
               .kind = PLUMB_PARAM_VALUE,
               .what = "the initial value (default nil)" },
};

static plumb_spec_state initial(struct plumb_spec_space *space)
{
    const struct plumb_spec_bound *const b = space->bound;
    return b->param[INIT] == PLUMB_NO_VALUE ? PLUMB_VID_NIL : b->param[INIT];
}

static bool compare_and_set(plumb_spec_state s,
                            const struct plumb_spec_action *a,
                            struct plumb_spec_states *out)
{
    const bool equal = s == a->arg[0];
    return !plumb_spec_answers_bool(a, equal) ||
           plumb_spec_states_add(out, equal ? a->arg[1] : s);
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    (void)space;
    switch (a->kind) {
    case WRITE:
        return plumb_spec_states_add(out, a->arg[0]);
    case CAS:
        return compare_and_set(s, a, out);
    default:
        return !plumb_spec_answers_value(a, PLUMB_TERM_OK, s) ||
               plumb_spec_states_add(out, a->kind == SWAP ? a->arg[0] : s);
    }
}

/* A cas or swap is about two values: it cannot go with one of them alone. */
static bool closed(const struct plumb_spec_bound *bound, uint32_t object)
{
    return !(bound->kinds[object] & (1u << CAS | 1u << SWAP));
}

#define REGISTER                                                               \
    PLUMB_TABLES(ops, params), .initial = initial, .step = step,               \
                               .reads = plumb_spec_reads,                      \
                               .owner = plumb_spec_owner, .closed = closed,    \
                               .show = plumb_spec_vid_show

const struct plumb_spec_type plumb_spec_type_register = {
    .name = "register",
    .what = "one value: read, write, compare-and-set, swap",
    REGISTER,
};

const struct plumb_spec_type plumb_spec_type_cas_register = {
    .name = "cas-register",
    .what = "another name for register",
    .guessable = true,
    REGISTER,
};
