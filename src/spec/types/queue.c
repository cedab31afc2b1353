/* queue.c - first in, first out.
 *
 * The quasi queue, queue:k=K, has states of its own: kqueue.c. */
#include "queue_family.h"
#include "spec/stores/sequence.h"

enum { K = PLUMB_OWN_PARAM };

static const struct plumb_spec_param params[] = {
    PLUMB_QUEUE_PARAMS,
    { .name = "k",
      .kind = PLUMB_PARAM_COUNT,
      .what = "quasi-queue: an item may leave N places early or late" },
};

static bool is_quasi(const struct plumb_spec *spec)
{
    return spec->given[K];
}

static bool open(struct plumb_spec_space *space)
{
    return is_quasi(space->spec) ? plumb_spec_kqueue_open(space)
                                 : plumb_spec_sequences_open(space);
}

static void close(struct plumb_spec_space *space)
{
    if (is_quasi(space->spec))
        plumb_spec_kqueue_close(space);
    else
        plumb_spec_sequences_close(space);
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    struct plumb_spec_sequences *const q = space->extra;
    if (is_quasi(space->spec))
        return plumb_spec_kqueue_step(space, s, a, out);
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

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    return is_quasi(bound->spec) && a->term == PLUMB_TERM_ANY &&
           plumb_spec_queue_removes(a);
}

static bool closed(const struct plumb_spec_bound *bound, uint32_t object)
{
    return !is_quasi(bound->spec) &&
           plumb_spec_closed_without_cap(bound, object);
}

static enum plumb_spec_fifo fifo(const struct plumb_spec *spec,
                                 const struct plumb_spec_action *a)
{
    return is_quasi(spec) ? PLUMB_FIFO_NEITHER : plumb_spec_queue_fifo(spec, a);
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    if (is_quasi(space->spec))
        plumb_spec_kqueue_show(space, s, out);
    else
        plumb_spec_sequence_show(space, space->extra, s, out);
}

const struct plumb_spec_type plumb_spec_type_queue = {
    .name = "queue",
    .what = "first in, first out",
    PLUMB_TABLES(plumb_spec_queue_ops, params),
    .guessable = true,
    .open = open,
    .close = close,
    .initial = plumb_spec_initial_empty,
    .step = step,
    .branches = branches,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .closed = closed,
    .fifo = fifo,
    .show = show,
};
