/* explore_serial.c - see serial.h.
 *
 * Depth first.  What is known before each step stands in a frame: the moment
 * that was left last, the operation that is open, and the threads that are
 * still to be tried.  The machine keeps moments from which several can go on.
 *
 * An operation that goes round without end waits for ever.  Where only one
 * thread can go on, in one way, a cycle is found by fingerprints, when the
 * operation has become long.  Elsewhere is a *fork*: the forks inside an
 * operation since a moment, and the ways from one to the next, are a graph,
 * whose fair cycles (state_graph.h) are told at the end. */
#include "serial.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/memory.h"
#include "run.h"
#include "state_graph.h"

#include <assert.h>

enum {
    LONG = 256,       /* steps of an operation                         */
    MOST_FORKS = 1000 /* of an operation: each is gone back to in turn */
};

#define NO_OPERATION UINT32_MAX
#define NO_FORK      0 /* the node of the graph that leads to all others */

/* Before a step. */
struct frame {
    uint64_t may;    /* threads that can go on */
    uint64_t left;   /* ... and are to be tried */
    uint64_t idle;   /* threads that stood before a call at that moment */
    uint32_t moment; /* the one left last   */
    /* The operation that is open; or, between moments, the one that has
     * returned since the last, with its answer. */
    uint32_t open, returned, answer;
    uint32_t since; /* steps before its call */
    uint32_t fork;  /* its number, if there is a choice */
    uint32_t forks; /* so many since its call */
    uint8_t caller; /* of the open one       */
    bool hidden;    /* another thread went on since the moment */
};

/* Brent's way to find a cycle: a moment that is kept is replaced by a later
 * one at powers of two. */
struct round {
    struct plumb_base_hash128 kept;
    uint32_t at, next; /* steps of the operation */
};

/* Inside operations, where there was a choice. */
struct forks {
    struct plumb_strategies_state_graph graph;
    struct inside {
        uint32_t moment, op;
    } * at; /* of each node */
    size_t count, capacity;
};

struct explorer {
    const struct plumb_strategies_serial *with;
    struct plumb_strategies_serial_stats *stats;
    struct plumb_strategies_run *run;
    struct frame *frame;
    size_t capacity;
    struct frame now; /* before the next step */
    struct round round;
    struct plumb_strategies_state_graph moments; /* without edges */
    struct forks forks;
};

/* ---- moments ---- */

static struct plumb_base_hash128 fingerprint(
    const struct plumb_strategies_machine *m)
{
    uint64_t hash[2];
    m->fingerprint(m->context, hash);
    return (struct plumb_base_hash128){ .lo = hash[0], .hi = hash[1] };
}

static bool tell(struct explorer *e, enum plumb_strategies_serial_kind kind,
                 uint32_t op, uint32_t to)
{
    const struct frame *const f = &e->now;
    const struct plumb_strategies_serial_edge edge = {
        .kind = kind,
        .from = f->moment,
        .to = to,
        .op = op,
        .answer = kind == PLUMB_SERIAL_RETURNS ? f->answer : 0,
    };
    if (e->with->edge(e->with->context, &edge))
        return true;
    e->run->over = true;
    return false;
}

/* ---- who may go on ---- */

static bool is_before_call(const struct explorer *e, unsigned thread)
{
    const struct plumb_strategies_machine *const m = e->with->machine;
    struct plumb_strategies_event event;
    return m->stand(m->context, thread, &event) == PLUMB_READY &&
           event.kind == PLUMB_EVENT_CALL;
}

static uint64_t threads_before_calls(const struct explorer *e)
{
    uint64_t set = 0;
    for (uint64_t left = e->run->ready; left; left &= left - 1)
        if (is_before_call(e, plumb_base_lowest(left)))
            set |= left & -left;
    return set;
}

static bool is_unseen(const struct explorer *e, unsigned thread)
{
    const struct plumb_strategies_machine *const m = e->with->machine;
    struct plumb_strategies_event event;
    return m->stand(m->context, thread, &event) == PLUMB_READY &&
           e->with->is_unseen(e->with->context, thread, &event);
}

/* Who goes first outside of operations, as a set of one; or none. */
static uint64_t who_leads(const struct explorer *e)
{
    const uint64_t ready = e->run->ready;
    if (e->with->leader && ready & 1 && !is_before_call(e, 0))
        return 1;
    for (uint64_t left = e->with->is_unseen ? ready : 0; left; left &= left - 1)
        if (is_unseen(e, plumb_base_lowest(left)))
            return left & -left;
    return 0;
}

/* ---- an operation that goes round ---- */

static void begin_round(struct explorer *e, uint32_t steps)
{
    e->round = (struct round){ .kept = fingerprint(e->with->machine),
                               .at = steps,
                               .next = 2 * steps };
}

/* True: it has been here before, and would come here again. */
static bool goes_round(struct explorer *e)
{
    const uint32_t steps = e->run->length - e->now.since;
    if (e->now.open == NO_OPERATION || steps < LONG)
        return false;
    if (steps <= e->round.at || steps >= e->round.next) {
        begin_round(e, steps);
        return false;
    }
    return plumb_base_hash128_equal(e->round.kept,
                                    fingerprint(e->with->machine));
}

/* ---- forward ---- */

/* A thread without operations stands before a call, too, and ends there. */
static bool has_ended(const struct explorer *e, unsigned thread)
{
    const struct plumb_strategies_machine *const m = e->with->machine;
    struct plumb_strategies_event event;
    return m->stand(m->context, thread, &event) == PLUMB_ENDED;
}

static void open_operation(struct explorer *e,
                           const struct plumb_strategies_step *s)
{
    struct frame *const f = &e->now;
    f->open = (uint32_t)s->event.at;
    f->caller = s->thread;
    f->idle &= ~plumb_base_bit(s->thread);
    f->since = e->run->length - 1;
    f->forks = 0;
    e->round = (struct round){ .at = 0 };
    e->stats->runs++;
}

/* What the step that was just done changed.  To return while no operation is
 * open is to call it and to return. */
static void look_at_step(struct explorer *e)
{
    const struct plumb_strategies_step *const s =
        e->run->step + e->run->length - 1;
    struct frame *const f = &e->now;
    const bool returns = s->event.kind == PLUMB_EVENT_RETURN;
    const bool calls =
        s->event.kind == PLUMB_EVENT_CALL && !has_ended(e, s->thread);
    if (f->open == NO_OPERATION && (calls || returns))
        open_operation(e, s);
    else if (f->open == NO_OPERATION && f->returned == NO_OPERATION)
        f->hidden = true;
    if (returns && f->open == s->event.at && s->thread == f->caller) {
        f->returned = f->open;
        f->answer = e->with->answer(e->with->context, f->open);
        f->open = NO_OPERATION;
    }
}

static bool take_step(struct explorer *e, unsigned thread, unsigned option)
{
    struct plumb_strategies_run *const run = e->run;
    if (!PLUMB_GROW(e->with->budget, e->frame, e->capacity,
                    (size_t)run->length + 1))
        return plumb_strategies_run_fail_memory(run);
    e->frame[run->length] = e->now;
    if (!plumb_strategies_run_step(run, thread, option))
        return false;
    look_at_step(e);
    return true;
}

/* Here no operation is open and nobody leads: tell how we came, and whether
 * anybody was here before. */
static bool arrive(struct explorer *e, bool *is_new)
{
    struct frame *const f = &e->now;
    static const struct plumb_base_hash128 end = { 0 };
    const uint32_t before = e->moments.nodes;
    uint32_t here = 0;
    f->idle = threads_before_calls(e);
    /* After all there is nothing to tell apart. */
    if (!plumb_strategies_state_graph_enter(
            &e->moments, e->run->ready ? fingerprint(e->with->machine) : end, 0,
            0, &here))
        return plumb_strategies_run_fail_memory(e->run);
    *is_new = here == before;
    if (f->returned != NO_OPERATION &&
        !tell(e, PLUMB_SERIAL_RETURNS, f->returned, here))
        return false;
    if (f->returned == NO_OPERATION && f->hidden && here != f->moment &&
        !tell(e, PLUMB_SERIAL_HIDDEN, NO_OPERATION, here))
        return false;
    f->moment = here;
    f->returned = NO_OPERATION;
    f->hidden = false;
    return true;
}

static bool is_broken(struct explorer *e)
{
    if (!e->with->is_broken(e->with->context))
        return false;
    e->stats->broken = true;
    return true;
}

/* Does the thread stand before a choice of several? */
static bool chooses(const struct explorer *e, unsigned thread)
{
    const struct plumb_strategies_machine *const m = e->with->machine;
    struct plumb_strategies_event event;
    m->stand(m->context, thread, &event);
    return event.kind == PLUMB_EVENT_CHOICE && event.size > 1;
}

/* The number of this fork; it is new if it is the last. */
static bool number_fork(struct explorer *e, uint32_t *number)
{
    struct forks *const forks = &e->forks;
    const struct frame *const f = &e->now;
    struct plumb_base_hash128 key = fingerprint(e->with->machine);
    const uint64_t tag = (uint64_t)f->moment << 32 | f->open;
    key.lo = plumb_base_mix(key.lo, tag);
    key.hi = plumb_base_mix(key.hi, ~tag);
    if (!plumb_strategies_state_graph_enter(&forks->graph, key, 0, f->may,
                                            number))
        return plumb_strategies_run_fail_memory(e->run);
    const struct inside at = { f->moment, f->open };
    if (*number == forks->count &&
        !PLUMB_APPEND(e->with->budget, forks->at, forks->count, forks->capacity,
                      at))
        return plumb_strategies_run_fail_memory(e->run);
    return true;
}

/* From the last fork of the operation: a step of each thread that went on. */
static bool connect_fork(struct explorer *e, uint32_t fork)
{
    const struct plumb_strategies_run *const run = e->run;
    uint64_t moved = 0;
    uint32_t from = NO_FORK;
    for (uint32_t at = run->length; at-- > e->now.since && from == NO_FORK;) {
        moved |= plumb_base_bit(run->step[at].thread);
        from = e->frame[at].fork;
    }
    for (; moved; moved &= moved - 1)
        if (!plumb_strategies_state_graph_connect(&e->forks.graph, from, fork,
                                                  plumb_base_lowest(moved), 0))
            return plumb_strategies_run_fail_memory(e->run);
    return true;
}

/* An operation that chooses again and again would never end: where it has been
 * since the same moment, it need not go on. */
static bool choose_at_fork(struct explorer *e)
{
    const size_t before = e->forks.count;
    uint32_t fork;
    if (!number_fork(e, &fork) || !connect_fork(e, fork))
        return false;
    e->now.fork = fork;
    if (fork != before)
        e->now.left = 0;
    if (++e->now.forks <= MOST_FORKS)
        return true;
    e->now.left = 0;
    e->stats->cut = true;
    return true;
}

static bool choose_inside(struct explorer *e)
{
    struct frame *const f = &e->now;
    f->may = f->left = e->run->ready & ~f->idle;
    if (!f->left)
        return tell(e, PLUMB_SERIAL_STUCK, f->open, 0);
    if (f->left & (f->left - 1) || chooses(e, plumb_base_lowest(f->left)))
        return choose_at_fork(e);
    return true;
}

/* Who may go on from here: nobody at the end of an execution, and where an
 * earlier one has been.  False: the exploration is over. */
static bool choose(struct explorer *e)
{
    struct frame *const f = &e->now;
    bool is_new = true;
    f->may = f->left = 0;
    f->fork = NO_FORK;
    if (is_broken(e))
        return true;
    if (f->open != NO_OPERATION)
        return choose_inside(e);
    f->left = who_leads(e);
    if (f->left)
        return true;
    if (!arrive(e, &is_new))
        return false;
    f->left = is_new ? e->run->ready : 0;
    if (f->left & (f->left - 1))
        plumb_strategies_run_keep(e->run);
    return true;
}

static bool is_given_up(struct explorer *e)
{
    if (e->with->steps && e->run->length >= e->with->steps) {
        e->stats->cut = true;
        return true;
    }
    return false;
}

static bool take_next(struct explorer *e)
{
    assert(e->now.left);
    const unsigned thread = plumb_base_lowest(e->now.left);
    e->now.left &= e->now.left - 1;
    return take_step(e, thread, 0);
}

static bool go_to_the_end(struct explorer *e)
{
    for (;;) {
        if (goes_round(e))
            return tell(e, PLUMB_SERIAL_STUCK, e->now.open, 0);
        if (!choose(e))
            return false;
        if (!e->now.left || is_given_up(e))
            return true;
        if (!take_next(e))
            return false;
    }
}

/* ---- back ---- */

static bool go_back_to(struct explorer *e, uint32_t at)
{
    e->now = e->frame[at];
    e->round = (struct round){ .at = 0 };
    return plumb_strategies_run_rewind(e->run, at);
}

/* To the last step that has an option or a thread left. */
static bool go_back(struct explorer *e)
{
    struct plumb_strategies_run *const run = e->run;
    for (uint32_t at = run->length; at-- > 0;) {
        const struct plumb_strategies_step last = run->step[at];
        const unsigned option = plumb_strategies_step_next_option(&last);
        if (option)
            return go_back_to(e, at) && take_step(e, last.thread, option);
        if (e->frame[at].left)
            return go_back_to(e, at) && take_next(e);
    }
    return false;
}

/* ---- operations that go on for ever ---- */

static bool tell_cycle(void *context,
                       const struct plumb_strategies_fair_cycle *cycle)
{
    struct explorer *const e = context;
    const struct plumb_strategies_state_step last =
        plumb_strategies_state_graph_step(&e->forks.graph,
                                          cycle->step[cycle->length - 1]);
    const struct inside *const at = e->forks.at + last.to;
    e->now.moment = at->moment;
    return tell(e, PLUMB_SERIAL_STUCK, at->op, 0);
}

static bool open_forks(struct explorer *e)
{
    static const struct plumb_base_hash128 beginning = { 0 };
    static const struct inside nowhere = { 0 };
    struct forks *const forks = &e->forks;
    uint32_t node;
    plumb_strategies_state_graph_init(&forks->graph, e->with->machine,
                                      e->with->budget);
    if (plumb_strategies_state_graph_enter(&forks->graph, beginning, 0, 0,
                                           &node) &&
        PLUMB_APPEND(e->with->budget, forks->at, forks->count, forks->capacity,
                     nowhere))
        return true;
    return plumb_strategies_run_fail_memory(e->run);
}

static void tell_cycles(struct explorer *e)
{
    if (!e->run->over &&
        !(plumb_strategies_state_graph_link(&e->forks.graph) &&
          plumb_strategies_fair_cycles(&e->forks.graph, tell_cycle, e)))
        plumb_strategies_run_fail_memory(e->run);
}

static void release(struct explorer *e)
{
    struct plumb_budget *const budget = e->with->budget;
    plumb_strategies_state_graph_release(&e->moments);
    plumb_strategies_state_graph_release(&e->forks.graph);
    PLUMB_RELEASE(budget, e->forks.at, e->forks.capacity);
    PLUMB_RELEASE(budget, e->frame, e->capacity);
    PLUMB_RELEASE(budget, e->run->before, e->run->befores);
    PLUMB_RELEASE(budget, e->run->step, e->run->capacity);
}

enum plumb_status plumb_strategies_explore_serial(
    const struct plumb_strategies_serial *serial,
    struct plumb_strategies_serial_stats *stats, struct plumb_error *err)
{
    assert(serial->machine->fingerprint && serial->answer && serial->edge);
    const struct plumb_strategies_explore_options options = {
        .strategy = PLUMB_DFS,
        .budget = serial->budget,
        .back = serial->back,
    };
    struct plumb_strategies_explore_stats steps = { 0 };
    struct plumb_strategies_run run = { .machine = serial->machine,
                                        .options = &options,
                                        .stats = &steps,
                                        .err = err,
                                        .patience = 1 };
    struct explorer e = { .with = serial,
                          .stats = stats,
                          .run = &run,
                          .now = { .open = NO_OPERATION,
                                   .returned = NO_OPERATION } };
    *stats = (struct plumb_strategies_serial_stats){ 0 };
    plumb_strategies_state_graph_init(&e.moments, serial->machine,
                                      serial->budget);
    bool more = open_forks(&e) && plumb_strategies_run_rewind(&run, 0);
    while (more)
        more = go_to_the_end(&e) && go_back(&e);
    tell_cycles(&e);
    stats->moments = e.moments.nodes;
    release(&e);
    return run.status;
}
