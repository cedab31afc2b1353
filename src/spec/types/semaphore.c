/* semaphore.c - semaphore and mutex: operations that wait. */
#include "spec/stores/container.h"
#include <inttypes.h>
#include <string.h>

enum { ACQUIRE, TRY_ACQUIRE, RELEASE, OPS };
enum { N };
enum { UNLOCKED, LOCKED }; /* the states of a mutex */

static const struct plumb_spec_opdef semaphore_ops[OPS] = {
    [ACQUIRE] = { "acquire wait p down", "", "ok()", .partial = true,
                  .key = -1 },
    [TRY_ACQUIRE] = { "try_acquire try_wait try_down", "", "ok(b)", .key = -1 },
    [RELEASE] = { "release post signal v up", "", "ok()", .key = -1 },
};

static const struct plumb_spec_opdef mutex_ops[OPS] = {
    [ACQUIRE] = { "lock acquire", "", "ok()", .partial = true, .key = -1 },
    [TRY_ACQUIRE] = { "try_lock try_acquire", "", "ok(b)", .key = -1 },
    [RELEASE] = { "unlock release", "", "ok()", .partial = true, .key = -1 },
};

static const struct plumb_spec_param semaphore_params[] = {
    [N] = { .name = "n",
            .kind = PLUMB_PARAM_COUNT,
            .what = "the initial count (default 1)",
            .initial = 1 },
};

static plumb_spec_state semaphore_initial(struct plumb_spec_space *space)
{
    return plumb_spec_number_state(space, space->spec->param[N]);
}

static bool semaphore_step(struct plumb_spec_space *space, plumb_spec_state s,
                           const struct plumb_spec_action *a,
                           struct plumb_spec_states *out)
{
    const uint64_t n = plumb_spec_number_of(space, s);
    if (a->kind == RELEASE)
        return plumb_spec_states_made(out,
                                      plumb_spec_number_state(space, n + 1));
    if (a->kind == TRY_ACQUIRE && !plumb_spec_answers_bool(a, n > 0))
        return true;
    if (n > 0)
        return plumb_spec_states_made(out,
                                      plumb_spec_number_state(space, n - 1));
    return a->kind == ACQUIRE || plumb_spec_states_add(out, s);
}

static bool mutex_step(struct plumb_spec_space *space, plumb_spec_state s,
                       const struct plumb_spec_action *a,
                       struct plumb_spec_states *out)
{
    (void)space;
    switch (a->kind) {
    case ACQUIRE:
        return s == LOCKED || plumb_spec_states_add(out, LOCKED);
    case TRY_ACQUIRE:
        return !plumb_spec_answers_bool(a, s == UNLOCKED) ||
               plumb_spec_states_add(out, LOCKED);
    default:
        return s == UNLOCKED || plumb_spec_states_add(out, UNLOCKED);
    }
}

static void semaphore_show(const struct plumb_spec_space *space,
                           plumb_spec_state s, struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "%" PRIu64, plumb_spec_number_of(space, s));
}

static void mutex_show(const struct plumb_spec_space *space, plumb_spec_state s,
                       struct plumb_base_text *out)
{
    (void)space;
    plumb_base_text_add(out, s == LOCKED ? "locked" : "unlocked");
}

const struct plumb_spec_type plumb_spec_type_semaphore = {
    .name = "semaphore",
    .what = "a count; acquire waits until it is positive",
    PLUMB_TABLES(semaphore_ops, semaphore_params),
    .guessable = true,
    .initial = semaphore_initial,
    .step = semaphore_step,
    .reads = plumb_spec_reads,
    .show = semaphore_show,
};

const struct plumb_spec_type plumb_spec_type_mutex = {
    .name = "mutex",
    .what = "a lock: locked or unlocked",
    .ops = mutex_ops,
    .nops = OPS,
    .guessable = true,
    .initial = plumb_spec_initial_empty,
    .step = mutex_step,
    .reads = plumb_spec_reads,
    .show = mutex_show,
};
