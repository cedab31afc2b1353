/* barrier.c - participants that wait for each other, phase by phase.
 *
 * An operation that waits takes effect in steps: it arrives, and leaves when
 * the phase in which it arrived is over.  The last to arrive ends the phase, so
 * all of the phase take effect at once.  In between the others see how many
 * have arrived.  signal_and_wait first looks whether it is canceled, and leaves
 * early if it is so later.
 *
 * A treap says of each operation under way what has become of it: LOOKED,
 * CANCELED, REFUSED, INVALID, or, + ARRIVED, the phase in which it arrived.
 * Those of the phase at hand wait. */
#include "spec/stores/container.h"
#include "spec/stores/treap.h"
#include <inttypes.h>

enum { WAIT, SIGNAL_AND_WAIT, CANCEL, ADD, REMOVE, COUNT, REMAINING, PHASE };
enum { LEAVE, ARRIVE, LOOK }; /* how many steps are to follow */
enum { N };
enum { UNKNOWN, LOOKED, CANCELED, REFUSED, INVALID, ARRIVED };

struct barrier {
    uint64_t participants, phase;
    uint32_t waiting; /* how many */
    uint32_t tree;
    uint64_t canceled;
};

static const struct plumb_spec_opdef ops[] = {
    [WAIT] = { "wait await arrive_and_wait", "", "ok()", .partial = true,
               .key = -1, .steps = ARRIVE + 1 },
    [SIGNAL_AND_WAIT] = { "signal_and_wait", "", "ok()|canceled()|invalid()",
                          .partial = true, .key = -1, .steps = LOOK + 1 },
    [CANCEL] = { "cancel_token cancel", "", "ok()", .key = -1 },
    [ADD] = { "add_participant", "", "ok(i)|invalid()", .key = -1 },
    [REMOVE] = { "remove_participant", "", "ok()|invalid()", .key = -1 },
    [COUNT] = { "participant_count participants", "", "ok(i)", .key = -1,
                .role = PLUMB_ROLE_READ },
    [REMAINING] = { "participants_remaining", "", "ok(i)", .key = -1,
                    .role = PLUMB_ROLE_READ },
    [PHASE] = { "current_phase_number current_phase phase", "", "ok(i)",
                .key = -1, .role = PLUMB_ROLE_READ },
};

static const struct plumb_spec_param params[] = {
    [N] = { .name = "n",
            .kind = PLUMB_PARAM_COUNT,
            .what = "how many take part at first (default 2)",
            .initial = 2,
            .least = 1 },
};

static struct barrier barrier_of(const struct plumb_spec_space *space,
                                 plumb_spec_state s)
{
    struct barrier b;
    memcpy(&b, space->data[s], sizeof b);
    return b;
}

static plumb_spec_state initial(struct plumb_spec_space *space)
{
    const struct barrier b = { .participants = space->spec->param[N] };
    return plumb_spec_space_intern(space, &b, sizeof b);
}

static bool become(struct plumb_spec_space *space, const struct barrier *b,
                   struct plumb_spec_states *out)
{
    return plumb_spec_states_made(out,
                                  plumb_spec_space_intern(space, b, sizeof *b));
}

/* The same, where the operation of `a` is at `stage` now. */
static bool proceed(struct plumb_spec_space *space, struct barrier b,
                    const struct plumb_spec_action *a, uint32_t stage,
                    struct plumb_spec_states *out)
{
    b.tree = plumb_spec_treap_set(space->extra, b.tree, a->thread, stage);
    return b.tree != PLUMB_NO_STATE && become(space, &b, out);
}

static bool answers_number(const struct plumb_spec_space *space,
                           const struct plumb_spec_action *a, uint64_t n)
{
    return a->term == PLUMB_TERM_ANY ||
           (a->term == PLUMB_TERM_OK &&
            plumb_spec_vid_value(space, a->res[0]).bits == n);
}

/* If all have arrived the next phase begins. */
static void advance(struct barrier *b)
{
    if (b->waiting == 0 || b->waiting != b->participants)
        return;
    b->waiting = 0;
    b->phase++;
}

/* ---- the steps of waiting ---- */

static bool look(struct plumb_spec_space *space, const struct barrier *b,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    if (b->canceled && !plumb_spec_answers(a, PLUMB_TERM_CANCELED))
        return true;
    return proceed(space, *b, a, b->canceled ? CANCELED : LOOKED, out);
}

static bool arrive(struct plumb_spec_space *space, struct barrier b,
                   const struct plumb_spec_action *a, uint32_t stage,
                   struct plumb_spec_states *out)
{
    if (stage == CANCELED)
        return proceed(space, b, a, REFUSED, out);
    if (stage != (a->kind == WAIT ? UNKNOWN : LOOKED))
        return true;
    if (b.participants == 0)
        return a->kind == WAIT || !plumb_spec_answers(a, PLUMB_TERM_INVALID) ||
               proceed(space, b, a, INVALID, out);
    if (a->term == PLUMB_TERM_INVALID)
        return true;
    stage = ARRIVED + (uint32_t)b.phase;
    b.waiting++;
    advance(&b);
    return proceed(space, b, a, stage, out);
}

static bool leave(struct plumb_spec_space *space, struct barrier b,
                  const struct plumb_spec_action *a, uint32_t stage,
                  struct plumb_spec_states *out)
{
    const bool waits = stage == ARRIVED + (uint32_t)b.phase;
    enum plumb_spec_term term = PLUMB_TERM_OK;
    if (stage < REFUSED || (waits && !(b.canceled && a->kind != WAIT)))
        return true;
    if (stage == INVALID)
        term = PLUMB_TERM_INVALID;
    else if (stage == REFUSED || waits)
        term = PLUMB_TERM_CANCELED;
    b.waiting -= waits;
    return !plumb_spec_answers(a, term) || proceed(space, b, a, UNKNOWN, out);
}

/* ---- the others ---- */

static bool remove_one(struct plumb_spec_space *space, struct barrier b,
                       plumb_spec_state s, const struct plumb_spec_action *a,
                       struct plumb_spec_states *out)
{
    if (b.participants == b.waiting)
        return !plumb_spec_answers(a, PLUMB_TERM_INVALID) ||
               plumb_spec_states_add(out, s);
    if (!plumb_spec_answers(a, PLUMB_TERM_OK))
        return true;
    b.participants--;
    advance(&b);
    return become(space, &b, out);
}

static bool step_at_once(struct plumb_spec_space *space, struct barrier b,
                         plumb_spec_state s, const struct plumb_spec_action *a,
                         struct plumb_spec_states *out)
{
    switch (a->kind) {
    case CANCEL:
        b.canceled = true;
        return become(space, &b, out);
    case ADD:
        if (!answers_number(space, a, b.phase))
            return true;
        b.participants++;
        return become(space, &b, out);
    case REMOVE:
        return remove_one(space, b, s, a, out);
    case COUNT:
        return !answers_number(space, a, b.participants) ||
               plumb_spec_states_add(out, s);
    case REMAINING:
        return !answers_number(space, a, b.participants - b.waiting) ||
               plumb_spec_states_add(out, s);
    default:
        return !answers_number(space, a, b.phase) ||
               plumb_spec_states_add(out, s);
    }
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const struct barrier b = barrier_of(space, s);
    if (a->kind > SIGNAL_AND_WAIT)
        return step_at_once(space, b, s, a, out);
    const uint32_t stage =
        plumb_spec_treap_get(space->extra, b.tree, a->thread);
    switch (a->more) {
    case LOOK:
        return look(space, &b, a, out);
    case ARRIVE:
        return arrive(space, b, a, stage, out);
    default:
        return leave(space, b, a, stage, out);
    }
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    const struct barrier b = barrier_of(space, s);
    plumb_base_text_printf(
        out, "phase %" PRIu64 ", %" PRIu32 " of %" PRIu64 " waiting%s", b.phase,
        b.waiting, b.participants, b.canceled ? ", canceled" : "");
}

const struct plumb_spec_type plumb_spec_type_barrier = {
    .name = "setlin:barrier",
    .what = "all wait for all, phase by phase (set-linearizability)",
    PLUMB_TABLES(ops, params),
    .stepwise = true,
    .open = plumb_spec_treap_open,
    .close = plumb_spec_treap_close,
    .initial = initial,
    .step = step,
    .reads = plumb_spec_reads,
    .show = show,
};
