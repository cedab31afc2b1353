/* queue.c - first in, first out.
 *
 * The quasi queue, queue:k=K, has states of its own: kqueue.c. */
#include "kqueue.h"
#include "queue_family.h"
#include "spec/stores/sequence.h"

enum { K = PLUMB_OWN_PARAM };

static const struct plumb_param params[] = {
    PLUMB_QUEUE_PARAMS,
    { .name = "k",
      .kind = PLUMB_PARAM_COUNT,
      .what = "quasi: an item may be removed k too early or late" },
};

static bool is_quasi(const struct plumb_spec *spec)
{
    return spec->given[K];
}

static bool open(struct plumb_space *space)
{
    return is_quasi(space->spec) ? plumb_kqueue_open(space)
                                 : plumb_sequences_open(space);
}

static void close(struct plumb_space *space)
{
    if (is_quasi(space->spec))
        plumb_kqueue_close(space);
    else
        plumb_sequences_close(space);
}

static plumb_state initial(struct plumb_space *space)
{
    return is_quasi(space->spec) ? plumb_kqueue_initial(space)
                                 : PLUMB_EMPTY_SEQUENCE;
}

static bool insert(struct plumb_space *space, plumb_state s,
                   const struct plumb_action *a, struct plumb_states *out)
{
    struct plumb_sequences *const q = space->extra;
    if (plumb_is_full(space, PLUMB_CAP, plumb_sequence_length(q, s)))
        return plumb_queue_step_full(s, a, out);
    if (!plumb_answers(a, PLUMB_TERM_OK))
        return true;
    return plumb_states_made(out, plumb_sequence_push_back(q, s, a->arg[0]));
}

static bool step(struct plumb_space *space, plumb_state s,
                 const struct plumb_action *a, struct plumb_states *out)
{
    struct plumb_sequences *const q = space->extra;
    if (is_quasi(space->spec))
        return plumb_kqueue_step(space, s, a, out);
    if (plumb_queue_inserts(a))
        return insert(space, s, a, out);
    if (plumb_sequence_length(q, s) == 0)
        return plumb_queue_step_empty(space, s, a, out);
    if (!plumb_answers_value(a, PLUMB_TERM_OK, plumb_sequence_front(q, s)))
        return true;
    if (a->kind == PLUMB_QUEUE_PEEK)
        return plumb_states_add(out, s);
    return plumb_states_made(out, plumb_sequence_pop_front(q, s));
}

static bool branches(const struct plumb_bound *bound,
                     const struct plumb_action *a)
{
    return is_quasi(bound->spec) && a->term == PLUMB_TERM_ANY &&
           !plumb_queue_inserts(a) && a->kind != PLUMB_QUEUE_PEEK;
}

static bool closed(const struct plumb_bound *bound, uint32_t object)
{
    return !is_quasi(bound->spec) && plumb_closed_without_cap(bound, object);
}

static enum plumb_fifo fifo(const struct plumb_spec *spec,
                            const struct plumb_action *a)
{
    return is_quasi(spec) ? PLUMB_FIFO_NEITHER : plumb_queue_fifo(spec, a);
}

static void show(const struct plumb_space *space, plumb_state s,
                 struct plumb_text *out)
{
    if (is_quasi(space->spec))
        plumb_kqueue_show(space, s, out);
    else
        plumb_sequence_show(space, space->extra, s, out);
}

const struct plumb_type plumb_type_queue = {
    .name = "queue",
    .what = "first in, first out",
    .ops = plumb_queue_ops,
    .nops = PLUMB_QUEUE_OPS,
    .params = params,
    .nparams = PLUMB_COUNT_OF(params),
    .guessable = true,
    .open = open,
    .close = close,
    .initial = initial,
    .step = step,
    .branches = branches,
    .reads = plumb_queue_reads,
    .owner = plumb_queue_owner,
    .closed = closed,
    .fifo = fifo,
    .show = show,
};
