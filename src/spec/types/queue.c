/* queue.c - first in, first out.
 *
 * Relaxed queues have states of their own: src/spec/relaxed.  So have those
 * with weak answers: src/spec/weak. */
#include "queue_family.h"
#include "spec/relaxed/relaxation.h"
#include "spec/stores/sequence.h"
#include "spec/weak/weakness.h"

const struct plumb_spec_param plumb_spec_queue_params[] = {
    PLUMB_QUEUE_PARAMS,
    [PLUMB_QUEUE_K] = { .name = "k",
                        .kind = PLUMB_PARAM_COUNT,
                        .what =
                            "an item may leave up to N places early or late" },
    [PLUMB_QUEUE_EARLY] = { .name = "early",
                            .kind = PLUMB_PARAM_COUNT,
                            .what = "an item may leave with up to N older ones"
                                    " present",
                            .excludes = "k" },
    [PLUMB_QUEUE_LATE] = { .name = "late",
                           .kind = PLUMB_PARAM_COUNT,
                           .what = "up to N younger items may leave before an"
                                   " item",
                           .excludes = "k" },
    [PLUMB_QUEUE_SEGMENT] = { .name = "segment",
                              .kind = PLUMB_PARAM_COUNT,
                              .what = "the items of a segment of N leave in"
                                      " any order",
                              .least = 1,
                              .excludes = "k early" },
    [PLUMB_QUEUE_ENQ_FACTOR] = { .name = "enq",
                                 .kind = PLUMB_PARAM_COUNT,
                                 .what = "quasi-linearization factor of"
                                         " additions",
                                 .excludes = "k early late segment" },
    [PLUMB_QUEUE_DEQ_FACTOR] = { .name = "deq",
                                 .kind = PLUMB_PARAM_COUNT,
                                 .what = "quasi-linearization factor of"
                                         " removals",
                                 .excludes = "k early late segment" },
    [PLUMB_QUEUE_EMPTY] = PLUMB_PARAM_EMPTY,
    [PLUMB_QUEUE_WEAK] = PLUMB_PARAM_WEAK(plumb_spec_weak_words,
                                          "k early late segment enq deq empty"),
};

static const char *refuses(const struct plumb_spec *spec)
{
    return plumb_spec_weak_pool_needs_cap(spec, PLUMB_QUEUE_WEAK);
}

static const struct plumb_spec_type *variant(const struct plumb_spec *spec)
{
    if (spec->param[PLUMB_QUEUE_ENQ_FACTOR] &&
        spec->param[PLUMB_QUEUE_DEQ_FACTOR])
        return &plumb_spec_type_factor_queue;
    for (unsigned i = PLUMB_QUEUE_K; i <= PLUMB_QUEUE_EMPTY; i++)
        if (spec->given[i])
            return &plumb_spec_type_relaxed_queue;
    return spec->given[PLUMB_QUEUE_WEAK] ? plumb_spec_weak_queue(spec)
                                         : spec->type;
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    struct plumb_spec_sequences *const q = space->extra;
    if (plumb_spec_finds_limit(space, PLUMB_CAP,
                               plumb_spec_sequence_length(q, s), a))
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    if (plumb_spec_queue_inserts(a))
        return !plumb_spec_answers(a, PLUMB_TERM_OK) ||
               plumb_spec_states_made(
                   out, plumb_spec_sequence_push_back(q, s, a->arg[0]));
    if (!plumb_spec_answers_value(a, PLUMB_TERM_OK,
                                  plumb_spec_sequence_front(q, s)))
        return true;
    if (a->kind == PLUMB_QUEUE_PEEK)
        return plumb_spec_states_add(out, s);
    return plumb_spec_states_made(out, plumb_spec_sequence_pop_front(q, s));
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    plumb_spec_sequence_show(space, space->extra, s, out);
}

const struct plumb_spec_type plumb_spec_type_queue = {
    .name = "queue",
    .what = "first in, first out",
    PLUMB_TABLES(plumb_spec_queue_ops, plumb_spec_queue_params),
    .guessable = true,
    .variant = variant,
    .refuses = refuses,
    .open = plumb_spec_sequences_open,
    .close = plumb_spec_sequences_close,
    .initial = plumb_spec_initial_empty,
    .step = step,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .closed = plumb_spec_closed_without_cap,
    .bar = plumb_spec_barred_by_full,
    .fifo = plumb_spec_queue_fifo,
    .show = show,
};
