/* counter.c - a 64-bit integer that wraps around. */
#include "spec/builtin.h"
#include <inttypes.h>
#include <string.h>

enum { INC, DEC, ADD, GET, FETCH_INC, FETCH_ADD, OPS };
enum { INIT };

static const struct plumb_spec_opdef ops[OPS] = {
    [INC] = { "inc increment", "", "ok()", .key = -1 },
    [DEC] = { "dec decrement", "", "ok()", .key = -1 },
    [ADD] = { "add", "i", "ok()", .key = -1 },
    [GET] = { "get read value load", "", "ok(i)", .key = -1 },
    [FETCH_INC] = { "fetch_inc get_and_increment fetch_and_increment", "",
                    "ok(i)", .key = -1 },
    [FETCH_ADD] = { "fetch_add get_and_add fetch_and_add", "i", "ok(i)",
                    .key = -1 },
};

static const struct plumb_spec_param params[] = {
    [INIT] = { .name = "init",
               .kind = PLUMB_PARAM_INTEGER,
               .what = "the initial value (default 0)" },
};

static plumb_spec_state initial(struct plumb_spec_space *space)
{
    return plumb_spec_number_state(space, space->spec->param[INIT]);
}

/* How much more there is after `a`. */
static uint64_t increment(const struct plumb_spec_space *space,
                          const struct plumb_spec_action *a)
{
    switch (a->kind) {
    case INC:
    case FETCH_INC:
        return 1;
    case DEC:
        return UINT64_MAX; /* - 1 */
    case ADD:
    case FETCH_ADD:
        return plumb_spec_vid_value(space, a->arg[0]).bits;
    default:
        return 0;
    }
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const uint64_t old = plumb_spec_number_of(space, s);
    const uint64_t more = increment(space, a);
    if (a->nres && plumb_spec_vid_value(space, a->res[0]).bits != old)
        return true;
    return plumb_spec_states_made(
        out, more ? plumb_spec_number_state(space, old + more) : s);
}

static bool reads(const struct plumb_spec *spec,
                  const struct plumb_spec_action *a)
{
    (void)spec;
    const bool adds = a->kind == ADD || a->kind == FETCH_ADD;
    return a->kind == GET || (adds && a->arg[0] == PLUMB_VID_ZERO);
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "%" PRId64,
                           (int64_t)plumb_spec_number_of(space, s));
}

const struct plumb_spec_type plumb_spec_type_counter = {
    .name = "counter",
    .what = "a 64-bit integer that wraps around",
    PLUMB_TABLES(ops, params),
    .guessable = true,
    .initial = initial,
    .step = step,
    .reads = reads,
    .show = show,
};
