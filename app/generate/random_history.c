/* random_history.c - histories of an object that behaves, made up at random.
 *
 * A thread calls, takes effect, returns, and calls again.  In each turn the
 * thread that had the last one goes on until it returns, or, with a chance of
 * `overlap` percent, another thread has its turn.  What the operation is gets
 * decided when it takes effect: one that would block is not chosen, so that
 * the threads cannot deadlock. */
#include "random_history.h"

#include "base/fail.h"
#include "base/memory.h"
#include "random_events.h"
#include "random_values.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { ATTEMPTS = 1000 };

struct thread {
    uint32_t number;
    uint32_t symbol; /* of its name */
    uint64_t called; /* number of the event */
    bool open;
};

struct maker {
    const struct generate_random_settings *with;
    struct plumb_proof_plain *p;
    struct plumb_proof_plain_state *state;
    struct plumb_base_rng *rng;
    struct plumb_builder *b;
    struct plumb_budget *budget;
    struct plumb_error *err;
    struct thread *thread;
    uint32_t names_given; /* to threads */
    struct generate_random_events events;
    struct generate_random_values values;
    uint64_t started; /* operations                                 */
};

/* An operation that is being made. */
struct making {
    const struct plumb_proof_plain_operation *operation;
    uint32_t name, term;
    unsigned nargs, nres;
    struct plumb_value value[RANDOM_EVENT_VALUES]; /* arguments, then results */
};

static unsigned choose_at_random(void *rng, unsigned n)
{
    return plumb_base_rng_below(rng, n);
}

static uint32_t symbol(struct maker *m, const char *text, size_t length)
{
    return plumb_builder_symbol(m->b, text, length);
}

static bool name_thread(struct maker *m, struct thread *t)
{
    char name[16];
    const int length = snprintf(name, sizeof name, "P%u", t->number);
    t->symbol = symbol(m, name, (size_t)length);
    return t->symbol != UINT32_MAX;
}

static bool new_thread(struct maker *m, struct thread *t)
{
    *t = (struct thread){ .number = ++m->names_given };
    return name_thread(m, t);
}

/* ---- what it does ---- */

/* False if it is not to be done now. */
static bool choose_operation(struct maker *m, struct making *k)
{
    const struct generate_random_settings *const w = m->with;
    const struct plumb_proof_plain_type *const type = m->p->type;
    k->operation =
        w->choices
            ? w->choice[plumb_base_rng_below(m->rng, (uint32_t)w->choices)]
            : type->operation + plumb_base_rng_below(m->rng, type->operations);
    k->nargs = k->operation->least;
    return generate_random_arguments(&m->values, k->operation, k->value);
}

/* A value of the specification's as one of the history's: strings have other
 * numbers there. */
static bool take_value(struct maker *m, struct plumb_value v,
                       struct plumb_value *to)
{
    size_t size;
    *to = v;
    if (v.tag != PLUMB_STR)
        return true;
    const char *const text =
        plumb_proof_plain_symbol(m->p, (uint32_t)v.bits, &size);
    const uint32_t number = symbol(m, text, size);
    *to = plumb_str(number);
    return number != UINT32_MAX;
}

static bool take_reply(struct maker *m, struct making *k,
                       const struct plumb_proof_plain_reply *r)
{
    k->term = symbol(m, r->term, strlen(r->term));
    k->nres = r->nres;
    for (unsigned i = 0; i < r->nres; i++)
        if (!take_value(m, r->res[i], &k->value[k->nargs + i]))
            return false;
    return k->term != UINT32_MAX;
}

/* Choose operations until one can return here, and perform it. */
static enum plumb_status take_effect(struct maker *m, const struct thread *t,
                                     struct making *k)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        if (!choose_operation(m, k))
            continue;
        struct plumb_proof_plain_reply reply = { .term = NULL };
        const struct plumb_proof_plain_call call = { .operation = k->operation,
                                                     .nargs = k->nargs,
                                                     .thread = t->number,
                                                     .args = k->value,
                                                     .choose = choose_at_random,
                                                     .chooser = m->rng };
        const enum plumb_proof_plain_result result =
            plumb_proof_plain_perform(m->p, m->state, &call, &reply);
        if (result == PLAIN_NO_MEMORY)
            return plumb_base_fail_memory(m->err);
        if (result == PLAIN_RETURNS)
            return take_reply(m, k, &reply) ? PLUMB_OK
                                            : plumb_base_fail_memory(m->err);
    }
    return plumb_base_fail(m->err, PLUMB_EINPUT, 0, 0,
                           "after %llu operations every allowed operation "
                           "blocks; allow more with --operations",
                           (unsigned long long)m->started);
}

/* ---- when it does it ---- */

/* The call, now that it is known what was called. */
static enum plumb_status tell_call(struct maker *m, const struct thread *t,
                                   const struct making *k)
{
    const char *const names = k->operation->names;
    struct generate_random_event call = { .thread = t->symbol,
                                          .count = k->nargs };
    call.symbol = symbol(m, names, strcspn(names, " /"));
    memcpy(call.value, k->value, k->nargs * sizeof *call.value);
    if (call.symbol == UINT32_MAX)
        return plumb_base_fail_memory(m->err);
    return generate_random_event_tell(&m->events, t->called, &call, m->err);
}

static enum plumb_status respond(struct maker *m, const struct thread *t,
                                 const struct making *k)
{
    struct generate_random_event response = { .responds = true,
                                              .thread = t->symbol,
                                              .symbol = k->term,
                                              .count = k->nres };
    const uint64_t number = generate_random_event_announce(&m->events);
    memcpy(response.value, k->value + k->nargs,
           k->nres * sizeof *response.value);
    if (number == UINT64_MAX)
        return plumb_base_fail_memory(m->err);
    return generate_random_event_tell(&m->events, number, &response, m->err);
}

/* The thread never returns: another one takes its place. */
static enum plumb_status stay_pending(struct maker *m, struct thread *t)
{
    struct making k = { 0 };
    enum plumb_status status = PLUMB_OK;
    if (plumb_base_rng_chance(m->rng, 50))
        status = take_effect(m, t, &k);
    else
        choose_operation(m, &k);
    if (status == PLUMB_OK)
        status = tell_call(m, t, &k);
    if (status == PLUMB_OK && !new_thread(m, t))
        status = plumb_base_fail_memory(m->err);
    return status;
}

/* Between its call and its return others may have their turn twice: before it
 * takes effect and after. */
static enum plumb_status finish_or_stay(struct maker *m, struct thread *t,
                                        struct making *k, bool *effective)
{
    if (!*effective && plumb_base_rng_chance(m->rng, m->with->pending))
        return stay_pending(m, t);
    if (!*effective) {
        *effective = true;
        const enum plumb_status status = take_effect(m, t, k);
        return status == PLUMB_OK ? tell_call(m, t, k) : status;
    }
    *effective = false;
    t->open = false;
    return respond(m, t, k);
}

static uint32_t next_thread(struct maker *m, uint32_t current)
{
    const uint32_t threads = m->with->threads;
    if (threads > 1 && plumb_base_rng_chance(m->rng, m->with->overlap)) {
        const uint32_t other = plumb_base_rng_below(m->rng, threads - 1);
        return other + (other >= current);
    }
    if (m->thread[current].open)
        return current;
    return plumb_base_rng_below(m->rng, threads);
}

struct turn {
    struct making making;
    bool effective; /* has taken effect, has not returned */
};

static enum plumb_status have_turn(struct maker *m, uint32_t i,
                                   struct turn *turn, uint32_t *open)
{
    struct thread *const t = m->thread + i;
    if (!t->open) {
        if (m->started == m->with->operations)
            return PLUMB_OK;
        m->started++;
        *open += 1;
        t->open = true;
        t->called = generate_random_event_announce(&m->events);
        return t->called == UINT64_MAX ? plumb_base_fail_memory(m->err)
                                       : PLUMB_OK;
    }
    const enum plumb_status status =
        finish_or_stay(m, t, &turn[i].making, &turn[i].effective);
    *open -= !t->open;
    return status;
}

/* ---- all of it ---- */

/* Everything that has a name, in what is built now. */
static bool name_all(struct maker *m)
{
    char object[32];
    const char *const spec = m->with->spec;
    const int length =
        snprintf(object, sizeof object, "%.*s", (int)strcspn(spec, ":"), spec);
    for (char *c = object; *c; c++)
        if (*c == '-')
            *c = '_';
    m->events.object = symbol(m, object, (size_t)length);
    const uint32_t text = symbol(m, spec, strlen(spec));
    if (m->events.object == UINT32_MAX || text == UINT32_MAX)
        return false;
    plumb_builder_spec(m->b, text);
    for (uint32_t i = 0; i < m->with->threads; i++)
        if (!name_thread(m, m->thread + i))
            return false;
    return true;
}

/* Nothing is open. */
static enum plumb_status hand_over(struct maker *m)
{
    struct plumb_history h;
    enum plumb_status status =
        plumb_builder_finish(m->b, PLUMB_TIES_CALL_FIRST, &h, m->err);
    if (status != PLUMB_OK)
        return status;
    status = m->with->hand_over(m->with->to, &h, m->err);
    plumb_history_release(&h);
    if (status == PLUMB_OK && !name_all(m))
        status = plumb_base_fail_memory(m->err);
    return status;
}

static enum plumb_status run_threads(struct maker *m, struct turn *turn)
{
    const uint32_t piece = m->with->piece;
    enum plumb_status status = PLUMB_OK;
    uint32_t current = 0, open = 0;
    uint64_t turns = 0;
    while (status == PLUMB_OK &&
           (open > 0 || m->started < m->with->operations)) {
        current = next_thread(m, current);
        status = have_turn(m, current, turn, &open);
        if (status == PLUMB_OK && ++turns % 4096 == 0)
            status = plumb_budget_state(m->budget);
        if (status == PLUMB_OK && piece && open == 0 &&
            plumb_builder_count(m->b) >= piece)
            status = hand_over(m);
    }
    return status;
}

static bool prepare(struct maker *m)
{
    for (uint32_t i = 0; i < m->with->threads; i++)
        m->thread[i].number = ++m->names_given;
    return name_all(m);
}

enum plumb_status generate_random_history(
    const struct generate_random_settings *s, struct plumb_proof_plain *p,
    struct plumb_base_rng *rng, struct plumb_budget *budget,
    struct plumb_history *h, struct plumb_error *err)
{
    struct maker m = { .with = s, .p = p, .rng = rng, .err = err };
    assert(s->threads > 0 && s->overlap <= 100 && s->pending <= 100);
    const size_t thread_size = s->threads * sizeof *m.thread;
    const size_t turn_size = s->threads * sizeof(struct turn);
    enum plumb_status status = PLUMB_EMEMORY;
    if (p->type->steps)
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "%s: no histories are generated of operations "
                               "that take effect together",
                               s->spec);
    m.budget = budget;
    m.b = plumb_builder_new(budget);
    m.events = (struct generate_random_events){ .to = m.b, .budget = budget };
    m.state = plumb_proof_plain_initial(p);
    m.values = (struct generate_random_values){ s, rng, m.state, 0 };
    m.thread = plumb_base_alloc_zeroed(budget, thread_size);
    struct turn *const turn = plumb_base_alloc_zeroed(budget, turn_size);
    if (m.b && m.state && m.thread && turn && prepare(&m))
        status = run_threads(&m, turn);
    else
        plumb_base_fail_memory(err);
    if (status == PLUMB_OK)
        status = plumb_builder_finish(m.b, PLUMB_TIES_CALL_FIRST, h, err);
    generate_random_events_release(&m.events);
    plumb_base_release(budget, turn, turn_size);
    plumb_base_release(budget, m.thread, thread_size);
    if (m.state)
        plumb_proof_plain_state_free(p, m.state);
    if (m.b)
        plumb_builder_free(m.b);
    return status;
}

/* ---- mistakes ---- */

/* Everything but who did it and when. */
static void copy_deed(struct plumb_op *to, const struct plumb_op *from)
{
    to->name = from->name;
    to->term = from->term;
    to->values = from->values;
    to->nargs = from->nargs;
    to->nres = from->nres;
}

bool generate_plant_mistake(const struct plumb_history *h, struct plumb_op *op,
                            bool unique, bool early, struct plumb_base_rng *rng)
{
    enum { NEAR = 32, END = 10000, EARLY = 64 };
    memcpy(op, h->op, h->count * sizeof *op);
    if (h->count < 2)
        return false;
    const uint32_t most = early ? EARLY : END;
    const uint32_t end = h->count < most ? h->count : most;
    const uint32_t i =
        (early ? 0 : h->count - end) + plumb_base_rng_below(rng, end);
    const uint32_t first = i > NEAR ? i - NEAR : 0;
    const uint32_t room =
        h->count - first < 2 * NEAR ? h->count - first : 2 * NEAR;
    const uint32_t j = first + plumb_base_rng_below(rng, room);
    if (op[i].outcome != PLUMB_OUTCOME_OK || op[j].outcome != PLUMB_OUTCOME_OK)
        return true; /* no mistake: the caller sees, and tries again */
    copy_deed(op + i, h->op + j);
    if (unique || plumb_base_rng_chance(rng, 50))
        copy_deed(op + j, h->op + i);
    return true;
}
