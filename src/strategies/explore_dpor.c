/* explore_dpor.c - one execution of each trace: source-DPOR with sleep sets.
 *
 * A *trace* is the class of executions that differ only in the order of
 * independent events.  Depth first, like dfs, but a step tries only the threads
 * in its *plan*: the first that was taken, and what races ask for.  When event
 * e of thread p races with an earlier f, let v be what came after f without
 * needing it, and then e: an execution that goes on with v from where f was
 * taken has them the other way round.  The *initials* of v are the threads that
 * some execution of the same trace begins with.  If none of them is in the plan
 * of f's step or asleep there, one has to be added (Abdulla, Aronis, Jonsson
 * and Sagonas 2014, Algorithm 1).
 *
 * A thread falls *asleep* at a step when it was tried there: what begins with
 * it is done.  It sleeps on in what comes below until an event is dependent on
 * its own.  When all that are ready sleep, the execution is given up; thus no
 * trace is completed twice.
 *
 * With a bound on preemptions there is no sleeping, and p is asked for at every
 * earlier step whose event e depends on and does not happen after, and where
 * the block of steps of that thread began, as a switch there is cheaper (Coons,
 * Musuvathi and McKinley 2013). */
#include "base/bits.h"
#include "dpor.h"

#include "base/memory.h"
#include <assert.h>

enum { MOST_AWAITED = 64 };

/* ---- what a race asks for ---- */

/* CALL and RETURN are as the user wants them; with a bound, where traces may
 * come twice, a compare-and-swap is always a write. */
static struct plumb_strategies_event seen_event(
    const struct plumb_strategies_dpor *d, uint32_t at)
{
    const struct plumb_strategies_explore_options *const o = d->run->options;
    struct plumb_strategies_event e = d->run->step[at].event;
    if (!o->calls &&
        (e.kind == PLUMB_EVENT_CALL || e.kind == PLUMB_EVENT_RETURN))
        e.kind = PLUMB_EVENT_LOCAL;
    if (o->bounded && e.kind == PLUMB_EVENT_FAILED)
        e.kind = PLUMB_EVENT_WRITE;
    return e;
}

/* Nothing of another thread that comes after step `at` happens before an event
 * with this row. */
static bool is_first(const struct plumb_strategies_dpor *d, const uint32_t *row,
                     unsigned thread, uint32_t at)
{
    bool first = true;
    for (unsigned t = 0; t < d->clocks.width; t++)
        first &= row[t] <= at + 1 || t == thread;
    return first;
}

/* Threads that v, of the race between step `at` and the event of `thread` with
 * clocks.past, can begin with. */
static uint64_t initials(const struct plumb_strategies_dpor *d, uint32_t at,
                         unsigned thread)
{
    const struct plumb_strategies_step *const step = d->run->step;
    const unsigned other = step[at].thread;
    uint64_t seen = 0, first = 0;
    for (uint32_t i = at + 1; i < d->clocks.length; i++) {
        const uint32_t *const row = plumb_strategies_clocks_row(&d->clocks, i);
        const unsigned t = step[i].thread;
        if (row[other] > at || seen & plumb_base_bit(t))
            continue;
        seen |= plumb_base_bit(t);
        if (is_first(d, row, t, at))
            first |= plumb_base_bit(t);
    }
    if (!(seen & plumb_base_bit(thread)) &&
        is_first(d, d->clocks.past, thread, at))
        first |= plumb_base_bit(thread);
    return first;
}

/* Above the floor the choices are somebody else's. */
static void ask(struct plumb_strategies_dpor *d,
                const struct plumb_strategies_wish *w)
{
    struct plumb_strategies_choice *const c = d->choice + w->at;
    if (w->at >= d->floor)
        d->run->stats->races += plumb_strategies_choice_plan(c, w);
    else if (!plumb_strategies_wishes_add(d->run->options->budget, &d->wishes,
                                          c, w))
        plumb_strategies_run_fail_memory(d->run);
}

static void plan_reversal(struct plumb_strategies_dpor *d, uint32_t at,
                          unsigned thread)
{
    const struct plumb_strategies_choice *const c = d->choice + at;
    const uint64_t first = initials(d, at, thread);
    if (first & (c->plan | c->asleep))
        return;
    ask(d, &(struct plumb_strategies_wish){
               .at = at, .any = first, .thread = thread, .times = 1 });
}

static void plan_all(struct plumb_strategies_dpor *d, uint32_t at, uint64_t all)
{
    if (all & ~d->choice[at].plan)
        ask(d, &(struct plumb_strategies_wish){
                   .at = at, .all = all, .times = 1 });
}

/* Did the thread stand before the event after clocks.past already, after `at`
 * steps? */
static bool stood_there(const struct plumb_strategies_dpor *d, uint32_t at,
                        unsigned thread)
{
    return d->clocks.past[thread] <= at && d->clocks.born[thread] <= at;
}

/* An event of an object with SYNC against those before it, the latest first.
 * With one that it could have come before, it races; there an execution is
 * planned in which it does, and the others are seen in that.  It could not, if
 * the thread stood before it there and had to wait: only what happens to the
 * object could have changed that.  If the thread did not stand there yet,
 * nothing is known, and it has to be tried. */
static void plan_for_object(struct plumb_strategies_dpor *d, unsigned thread)
{
    for (uint32_t walk = d->clocks.object; walk;) {
        const uint32_t at = plumb_strategies_clocks_walk(&d->clocks, &walk);
        const bool stood = stood_there(d, at, thread),
                   ready = d->choice[at].ready & plumb_base_bit(thread);
        if (at < d->clocks.past[d->run->step[at].thread])
            return;
        if (ready || !stood)
            plan_reversal(d, at, thread);
        if (ready && stood)
            return;
    }
}

static void plan_thread(struct plumb_strategies_dpor *d, uint32_t at,
                        unsigned thread)
{
    const struct plumb_strategies_choice *const c = d->choice + at;
    plan_all(d, at,
             c->ready & plumb_base_bit(thread) ? plumb_base_bit(thread)
                                               : c->ready);
}

/* Where the block of steps of one thread began that step `at` is in, and where
 * the thread gave way since. */
static void plan_before_block(struct plumb_strategies_dpor *d, uint32_t at,
                              unsigned thread)
{
    const struct plumb_strategies_step *const step = d->run->step;
    for (; at > 0 && step[at - 1].thread == step[at].thread; at--)
        if (step[at - 1].gave_way)
            plan_thread(d, at, thread);
    plan_thread(d, at, thread);
}

/* The next event of `thread`, against every step that it is dependent on and
 * that does not happen before it: not only the latest, because the bound may
 * not allow for the execution in which the others would be the latest.  To come
 * to a lock while it is held, or to a JOIN before the end, makes the switch
 * that follows free; so the thread is also asked for where it would have to
 * wait: behind a LOCK, before an UNLOCK, before the steps of who is joined. */
static void plan_within_bound(struct plumb_strategies_dpor *d, unsigned thread,
                              const struct plumb_strategies_event *event)
{
    const uint32_t *const clock =
        plumb_strategies_clocks_of(&d->clocks, thread);
    for (uint32_t at = d->clocks.length; at-- > 0;) {
        const struct plumb_strategies_event other = seen_event(d, at);
        const unsigned t = d->run->step[at].thread;
        const bool joined = event->kind == PLUMB_EVENT_JOIN && event->at == t;
        if (t == thread || (clock && at < clock[t]) ||
            !(joined || plumb_strategies_events_depend(&other, event)))
            continue;
        d->run->stats->races++;
        plan_thread(d, at, thread);
        plan_before_block(d, at, thread);
        if (event->kind == PLUMB_EVENT_LOCK || event->kind == PLUMB_EVENT_SYNC)
            plan_thread(d, at + 1, thread);
    }
}

/* What a thread goes round for: changes of any of it let the thread go on, and
 * to have come before them lets it wait. */
struct awaited {
    unsigned count;
    struct plumb_strategies_event read[MOST_AWAITED];
};

static void find_awaited(const struct plumb_strategies_dpor *d, unsigned thread,
                         struct awaited *a)
{
    const struct plumb_strategies_machine *const m = d->run->machine;
    a->count = m->awaits && d->run->options->bounded
                   ? m->awaits(m->context, thread, a->read, MOST_AWAITED)
                   : 0;
}

static void plan_for_awaited(struct plumb_strategies_dpor *d, unsigned thread,
                             const struct awaited *a)
{
    for (unsigned i = 0; i < a->count; i++)
        plan_within_bound(d, thread, &a->read[i]);
}

static void plan_reversals(struct plumb_strategies_dpor *d, unsigned thread)
{
    for (unsigned i = 0; i < d->clocks.races; i++)
        plan_reversal(d, d->clocks.race[i], thread);
    plan_for_object(d, thread);
}

/* At the end, threads that wait for a lock race with those that hold it: had
 * they come first, it would have been theirs.  Likewise for what a SYNC waits
 * for.  That holds for executions that
 * are given up, too: a thread that waits is awake, and what it does when it
 * comes first may wake those for whose sleep this one was given up. */
static void plan_for_waiting(struct plumb_strategies_dpor *d)
{
    const struct plumb_strategies_machine *const m = d->run->machine;
    const unsigned threads = m->threads(m->context);
    for (unsigned t = 0; t < threads; t++) {
        struct plumb_strategies_event event;
        if (m->stand(m->context, t, &event) != PLUMB_WAITING)
            continue;
        if (d->run->options->bounded) {
            struct awaited awaited;
            find_awaited(d, t, &awaited);
            plan_within_bound(d, t, &event);
            plan_for_awaited(d, t, &awaited);
        } else {
            plumb_strategies_clocks_wait(&d->clocks, t, &event);
            plan_reversals(d, t);
        }
    }
}

/* ---- sleep ---- */

static bool fall_asleep(struct plumb_strategies_dpor *d,
                        struct plumb_strategies_choice *c,
                        const struct plumb_strategies_event *event,
                        unsigned thread)
{
    if (!PLUMB_APPEND(d->run->options->budget, d->sleeper, d->sleepers,
                      d->sleeper_capacity,
                      (struct plumb_strategies_sleeper){ *event, thread }))
        return plumb_strategies_run_fail_memory(d->run);
    c->asleep |= plumb_base_bit(thread);
    return true;
}

/* Those of the choice above that the step from there did not wake. */
static bool sleep_on(struct plumb_strategies_dpor *d,
                     struct plumb_strategies_choice *c,
                     const struct plumb_strategies_event *event)
{
    const uint32_t end = d->sleepers;
    assert(c > d->choice && c[-1].sleepers <= end);
    if (d->run->options->bounded)
        return true;
    for (uint32_t i = c[-1].sleepers; i < end; i++) {
        const struct plumb_strategies_sleeper s = d->sleeper[i];
        if (!plumb_strategies_events_depend(&s.event, event) &&
            !fall_asleep(d, c, &s.event, s.thread))
            return false;
    }
    return true;
}

/* ---- the search ---- */

static bool open_choice(struct plumb_strategies_dpor *d,
                        const struct plumb_strategies_event *before)
{
    const uint32_t at = d->run->length;
    if (!PLUMB_GROW(d->run->options->budget, d->choice, d->choices,
                    (size_t)at + 1))
        return plumb_strategies_run_fail_memory(d->run);
    d->choice[at] = (struct plumb_strategies_choice){ .ready = d->run->ready,
                                                      .sleepers = d->sleepers };
    plumb_strategies_run_affordable(d->run, at, d->run->ready);
    return !before || sleep_on(d, d->choice + at, before);
}

static bool take(struct plumb_strategies_dpor *d, unsigned thread,
                 unsigned option)
{
    const uint32_t at = d->run->length;
    struct awaited awaited;
    d->choice[at].plan |= plumb_base_bit(thread);
    if (d->choice[at].ready & ~plumb_base_bit(thread))
        plumb_strategies_run_keep(d->run);
    find_awaited(d, thread, &awaited);
    if (!plumb_strategies_run_step(d->run, thread, option))
        return false;
    struct plumb_strategies_event event = seen_event(d, at);
    if (event.kind == PLUMB_EVENT_EXIT)
        plan_all(d, at, d->choice[at].ready);
    const bool bounded = d->run->options->bounded;
    if (bounded) {
        plan_within_bound(d, thread, &event);
        plan_for_awaited(d, thread, &awaited);
    }
    if (!plumb_strategies_clocks_push(&d->clocks, thread, &event))
        return plumb_strategies_run_fail_memory(d->run);
    if (!bounded)
        plan_reversals(d, thread);
    return open_choice(d, &event);
}

/* Go on with the thread that ran, if it may. */
static unsigned thread_to_take(const struct plumb_strategies_dpor *d,
                               uint64_t awake)
{
    const uint32_t at = d->run->length;
    const unsigned last = at ? d->run->step[at - 1].thread : 0;
    assert(awake);
    return awake & plumb_base_bit(last) ? last : plumb_base_lowest(awake);
}

static enum plumb_strategies_ending outcome(
    const struct plumb_strategies_dpor *d)
{
    if (plumb_strategies_run_is_too_long(d->run))
        return PLUMB_CUT;
    return d->run->ready ? PLUMB_ASLEEP : plumb_strategies_run_outcome(d->run);
}

static bool go_to_the_end(struct plumb_strategies_dpor *d)
{
    struct plumb_strategies_run *const run = d->run;
    while (!plumb_strategies_run_is_too_long(run)) {
        const uint64_t awake = run->ready & ~d->choice[run->length].asleep;
        if (!awake)
            break;
        if (!take(d, thread_to_take(d, awake), 0))
            return false;
    }
    plan_for_waiting(d);
    return plumb_strategies_run_tell(run, outcome(d));
}

/* Threads that are to be tried, and may be without exceeding the bound. */
static uint64_t left_at(const struct plumb_strategies_explore_options *o,
                        const struct plumb_strategies_step *step,
                        const struct plumb_strategies_choice *c, uint32_t at)
{
    return c->plan & ~c->asleep &
           plumb_strategies_affordable(o, step, at, c->ready);
}

/* To the last step that has an option or a thread to be tried.  A thread falls
 * asleep when all its options have been. */
static bool go_back(struct plumb_strategies_dpor *d)
{
    for (uint32_t at = d->run->length; at-- > d->floor - d->fresh;) {
        struct plumb_strategies_choice *const c = d->choice + at;
        const struct plumb_strategies_step last = d->run->step[at];
        const unsigned option = plumb_strategies_step_next_option(&last);
        struct plumb_strategies_event event = last.event;
        assert(d->clocks.length == at + 1);
        event.kind = plumb_strategies_clocks_kind(&d->clocks, at);
        plumb_strategies_clocks_pop(&d->clocks);
        d->sleepers = c[1].sleepers;
        if (option)
            return plumb_strategies_run_rewind(d->run, at) &&
                   take(d, last.thread, option);
        if (!fall_asleep(d, c, &event, last.thread))
            return false;
        const uint64_t left = left_at(d->run->options, d->run->step, c, at);
        if (left)
            return plumb_strategies_run_rewind(d->run, at) &&
                   take(d, plumb_base_lowest(left), 0);
    }
    return false;
}

bool plumb_strategies_dpor_next(struct plumb_strategies_dpor *d)
{
    const bool more = go_back(d);
    d->fresh = false;
    return more && go_to_the_end(d) && !d->run->over;
}

/* ---- a stack as data ---- */

bool plumb_strategies_choice_turn(
    const struct plumb_strategies_explore_options *o,
    const struct plumb_strategies_step *step,
    const struct plumb_strategies_choice *choice, uint32_t at,
    struct plumb_strategies_turn *turn)
{
    const struct plumb_strategies_step *const last = step + at;
    const unsigned option = plumb_strategies_step_next_option(last);
    const uint64_t left =
        left_at(o, step, choice + at, at) & ~plumb_base_bit(last->thread);
    if (!option && !left)
        return false;
    *turn = (struct plumb_strategies_turn){
        .at = at,
        .thread = option ? last->thread : plumb_base_lowest(left),
        .option = option
    };
    return true;
}

bool plumb_strategies_stack_turn(
    const struct plumb_strategies_explore_options *o,
    const struct plumb_strategies_step *step,
    const struct plumb_strategies_choice *choice, uint32_t length,
    uint32_t floor, struct plumb_strategies_turn *turn)
{
    for (uint32_t at = length; at-- > floor;)
        if (plumb_strategies_choice_turn(o, step, choice, at, turn))
            return true;
    return false;
}

bool plumb_strategies_dpor_make_room(struct plumb_strategies_dpor *d,
                                     uint32_t length, uint32_t sleepers)
{
    struct plumb_budget *const budget = d->run->options->budget;
    struct plumb_strategies_run *const run = d->run;
    const bool has_room =
        PLUMB_GROW(budget, run->step, run->capacity, length) &&
        PLUMB_GROW(budget, d->choice, d->choices, (size_t)length + 1) &&
        PLUMB_GROW(budget, d->sleeper, d->sleeper_capacity, sleepers);
    return has_room || plumb_strategies_run_fail_memory(run);
}

bool plumb_strategies_dpor_stand(struct plumb_strategies_dpor *d,
                                 uint32_t length)
{
    while (d->clocks.length)
        plumb_strategies_clocks_pop(&d->clocks);
    d->run->length = length;
    d->run->keeps = 0;
    for (uint32_t at = 0; at < length; at++) {
        struct plumb_strategies_event event = seen_event(d, at);
        if (!plumb_strategies_clocks_push(&d->clocks, d->run->step[at].thread,
                                          &event))
            return plumb_strategies_run_fail_memory(d->run);
    }
    return true;
}

/* Asked between executions: are there others to help? */
static enum plumb_strategies_hand helper(const struct plumb_strategies_dpor *d)
{
    const struct plumb_strategies_explore_options *const o = d->run->options;
    return o->hands
               ? o->hands->begin(o->context, plumb_strategies_run_told(d->run))
               : PLUMB_HAND_NONE;
}

static bool is_alone(struct plumb_strategies_dpor *d)
{
    const enum plumb_strategies_hand hand = helper(d);
    if (hand == PLUMB_HAND_SELF)
        plumb_strategies_dpor_serve(d);
    else if (hand == PLUMB_HAND_THERE)
        plumb_strategies_dpor_lead(d);
    return hand == PLUMB_HAND_NONE;
}

void plumb_strategies_explore_dpor(struct plumb_strategies_run *run)
{
    struct plumb_budget *const budget = run->options->budget;
    struct plumb_strategies_dpor d = { .run = run };
    plumb_strategies_clocks_init(&d.clocks, budget);
    bool more = plumb_strategies_run_rewind(run, 0) && open_choice(&d, NULL) &&
                go_to_the_end(&d);
    while (more && is_alone(&d))
        more = plumb_strategies_dpor_next(&d);
    plumb_strategies_clocks_release(&d.clocks);
    plumb_strategies_wishes_release(budget, &d.wishes);
    PLUMB_RELEASE(budget, d.choice, d.choices);
    PLUMB_RELEASE(budget, d.sleeper, d.sleeper_capacity);
}
