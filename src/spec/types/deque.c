/* deque.c - a sequence that is open at both ends. */
#include "spec/stores/container.h"
#include "spec/stores/sequence.h"

enum { PUSH_FRONT, PUSH_BACK, POP_FRONT, POP_BACK, PEEK_FRONT, PEEK_BACK, OPS };

#define REMOVED "ok(v)|empty()"

static const struct plumb_spec_opdef ops[OPS] = {
    [PUSH_FRONT] = { "push_front push_left add_first offer_first push_top", "v",
                     "ok()|full()", .key = -1 },
    [PUSH_BACK] = { "push_back push_right add_last offer_last push_bottom", "v",
                    "ok()|full()", .key = -1 },
    [POP_FRONT] = { "pop_front pop_left poll_first remove_first steal pop_top",
                    "", REMOVED, .waits = true, .key = -1 },
    [POP_BACK] = { "pop_back pop_right poll_last remove_last pop_bottom", "",
                   REMOVED, .waits = true, .key = -1 },
    [PEEK_FRONT] = { "peek_front peek_left peek_first", "", REMOVED,
                     .key = -1 },
    [PEEK_BACK] = { "peek_back peek_right peek_last", "", REMOVED, .key = -1 },
};

static const struct plumb_spec_param params[] = {
    [PLUMB_CAP] = PLUMB_PARAM_CAP,
    [PLUMB_BLOCKING] = PLUMB_PARAM_BLOCKING("the pops wait"),
};

static plumb_spec_state pushed(struct plumb_spec_sequences *q,
                               plumb_spec_state s,
                               const struct plumb_spec_action *a)
{
    return a->kind == PUSH_FRONT
               ? plumb_spec_sequence_push_front(q, s, a->arg[0])
               : plumb_spec_sequence_push_back(q, s, a->arg[0]);
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    struct plumb_spec_sequences *const q = space->extra;
    if (plumb_spec_finds_limit(space, PLUMB_CAP,
                               plumb_spec_sequence_length(q, s), a))
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    if (a->kind <= PUSH_BACK)
        return !plumb_spec_answers(a, PLUMB_TERM_OK) ||
               plumb_spec_states_made(out, pushed(q, s, a));
    const bool front = a->kind == POP_FRONT || a->kind == PEEK_FRONT;
    const plumb_spec_vid item = front ? plumb_spec_sequence_front(q, s)
                                      : plumb_spec_sequence_back(q, s);
    if (!plumb_spec_answers_value(a, PLUMB_TERM_OK, item))
        return true;
    if (a->kind >= PEEK_FRONT)
        return plumb_spec_states_add(out, s);
    return plumb_spec_states_made(out,
                                  front ? plumb_spec_sequence_pop_front(q, s)
                                        : plumb_spec_sequence_pop_back(q, s));
}

/* Its operations have no roles: no monitor decides it. */
static bool reads(const struct plumb_spec *spec,
                  const struct plumb_spec_action *a)
{
    return a->kind >= PEEK_FRONT || plumb_spec_reads(spec, a);
}

static struct plumb_spec_end ends(const struct plumb_spec *spec,
                                  const struct plumb_spec_action *a)
{
    (void)spec;
    return plumb_spec_at_end(a, a->kind >= PEEK_FRONT, a->kind % 2);
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    plumb_spec_sequence_show(space, space->extra, s, out);
}

const struct plumb_spec_type plumb_spec_type_deque = {
    .name = "deque",
    .what = "a double-ended queue",
    PLUMB_TABLES(ops, params),
    .guessable = true,
    .open = plumb_spec_sequences_open,
    .close = plumb_spec_sequences_close,
    .initial = plumb_spec_initial_empty,
    .step = step,
    .reads = reads,
    .owner = plumb_spec_owner,
    .closed = plumb_spec_closed_without_cap,
    .bar = plumb_spec_barred_by_full,
    .ends = ends,
    .show = show,
};
