/* run.c - steps forward, and back by restoring a moment or doing steps again. */
#include "run.h"

#include "base/fail.h"
#include "base/memory.h"

#include <assert.h>

enum { PATIENCE = 1024, AGAIN = 512 /* steps */ };

static bool end(struct plumb_strategies_run *run, enum plumb_status status)
{
    run->status = status;
    run->over = true;
    return false;
}

bool plumb_strategies_run_fail_memory(struct plumb_strategies_run *run)
{
    return end(run, plumb_base_fail_memory(run->err));
}

static bool ask_budget(struct plumb_strategies_run *run)
{
    run->patience = PATIENCE;
    const enum plumb_status status = plumb_budget_state(run->options->budget);
    if (status == PLUMB_OK)
        return true;
    return end(run, plumb_base_fail(run->err, status, 0, 0,
                                    status == PLUMB_ETIME ? "time is up"
                                                          : "interrupted"));
}

static bool is_patient(struct plumb_strategies_run *run)
{
    return --run->patience || ask_budget(run);
}

static bool are_equal(const struct plumb_strategies_event *a,
                      const struct plumb_strategies_event *b)
{
    return a->kind == b->kind && a->at == b->at && a->size == b->size;
}

bool plumb_strategies_run_fail_diverged(struct plumb_strategies_run *run,
                                        uint32_t at, unsigned thread)
{
    return end(run, plumb_base_fail(run->err, PLUMB_EINPUT, 0, 0,
                                    "the program is not deterministic: step %u "
                                    "of thread %u differed on replay",
                                    at + 1, thread));
}

/* ---- fairness ---- */

/* states has its own way. */
static bool is_fair(const struct plumb_strategies_run *run)
{
    return run->options->fair && run->options->strategy != PLUMB_STATES;
}

static bool look_who_may(struct plumb_strategies_run *run)
{
    run->may = run->ready;
    if (!is_fair(run))
        return true;
    run->may = plumb_strategies_fairness_filter(&run->fairness, run->ready);
    run->stats->withheld += run->may != run->ready;
    if (!PLUMB_GROW(run->options->budget, run->before, run->befores,
                    (size_t)run->length + 1))
        return plumb_strategies_run_fail_memory(run);
    run->before[run->length] = run->ready;
    return true;
}

static void be_fair_again(struct plumb_strategies_run *run)
{
    plumb_strategies_fairness_begin(&run->fairness);
    for (uint32_t i = 0; is_fair(run) && i < run->length; i++)
        plumb_strategies_fairness_step(&run->fairness, &run->step[i],
                                       run->before[i], run->before[i + 1]);
}

/* ---- back ---- */

struct again {
    struct plumb_strategies_run *run;
    uint32_t at, keep;
    bool same;
};

static unsigned step_again(void *context,
                           const struct plumb_strategies_event *done,
                           uint64_t ready, uint64_t yields, unsigned *option)
{
    struct again *const a = context;
    const struct plumb_strategies_step *const step = a->run->step;
    (void)ready, (void)yields;
    if (done && !are_equal(done, &step[a->at++].event)) {
        a->same = false;
        return PLUMB_NOBODY;
    }
    if (a->at == a->keep)
        return PLUMB_NOBODY;
    *option = step[a->at].option;
    return step[a->at].thread;
}

static bool walk_again(struct plumb_strategies_run *run, uint32_t from,
                       uint32_t keep)
{
    const struct plumb_strategies_machine *const m = run->machine;
    struct again a = { .run = run, .at = from, .keep = keep, .same = true };
    const struct plumb_strategies_walker walker = { .context = &a,
                                                    .next = step_again,
                                                    .blind = true };
    m->walk(m->context, &walker);
    if (!a.same || a.at < keep)
        return plumb_strategies_run_fail_diverged(
            run, a.at - !a.same, run->step[a.at - !a.same].thread);
    const uint32_t steps = keep - from;
    run->patience -= run->patience > steps ? steps : run->patience - 1;
    return true;
}

/* That a thread is ready is asked for again only at the end: a thread that is
 * not would do what no strategy can see, so machines assert it. */
static bool repeat(struct plumb_strategies_run *run, uint32_t from,
                   uint32_t keep)
{
    const struct plumb_strategies_machine *const m = run->machine;
    if (m->walk && from < keep)
        return walk_again(run, from, keep);
    for (uint32_t i = from; i < keep; i++) {
        struct plumb_strategies_event event = { 0 };
        m->step(m->context, run->step[i].thread, run->step[i].option, &event);
        if (!are_equal(&event, &run->step[i].event))
            return plumb_strategies_run_fail_diverged(run, i,
                                                      run->step[i].thread);
        if (!is_patient(run))
            return false;
    }
    return true;
}

static bool begin_anew(struct plumb_strategies_run *run, uint32_t keep)
{
    const struct plumb_strategies_machine *const m = run->machine;
    m->begin(m->context);
    return repeat(run, 0, keep);
}

/* So many steps of the first `keep` are done. */
static uint32_t restore(struct plumb_strategies_run *run, uint32_t keep)
{
    const struct plumb_strategies_machine *const m = run->machine;
    while (run->keeps && run->kept[run->keeps - 1] > keep)
        run->keeps--;
    if (!run->keeps) {
        m->begin(m->context);
        return 0;
    }
    m->restore(m->context, run->keeps - 1);
    return run->kept[run->keeps - 1];
}

/* The moment after so many steps.  If there are as many as there may be, the
 * later half gives way: who goes back step by step needs the last ones first,
 * and has those before them kept again then. */
static void keep_moment(struct plumb_strategies_run *run, uint32_t steps)
{
    const struct plumb_strategies_machine *const m = run->machine;
    if (run->keeps == PLUMB_MOST_MOMENTS)
        run->keeps = PLUMB_MOST_MOMENTS / 2;
    const unsigned n = run->keeps;
    assert(!n || run->kept[n - 1] <= steps);
    if (m->keep && run->options->back != PLUMB_BACK_REPEAT &&
        steps > (n ? run->kept[n - 1] : 0) && m->keep(m->context, n))
        run->kept[run->keeps++] = steps;
}

/* So many steps are repeated that the way back would take their square. */
static bool repeat_long(struct plumb_strategies_run *run, uint32_t from,
                        uint32_t keep)
{
    bool same = repeat(run, from, keep - AGAIN);
    for (uint32_t i = keep - AGAIN; same && i < keep; i++) {
        same = repeat(run, i, i + 1);
        if (same && i % 2)
            keep_moment(run, i + 1);
    }
    return same;
}

/* From the last moment that is kept. */
static bool return_to(struct plumb_strategies_run *run, uint32_t keep)
{
    const uint32_t from = restore(run, keep);
    run->stats->repeated += keep - from;
    return run->keeps && keep - from > 2 * AGAIN ? repeat_long(run, from, keep)
                                                 : repeat(run, from, keep);
}

/* Both ways, which must lead to the same moment. */
static bool go_both_ways(struct plumb_strategies_run *run, uint32_t keep)
{
    const struct plumb_strategies_machine *const m = run->machine;
    uint64_t repeated[2], restored[2];
    if (!begin_anew(run, keep))
        return false;
    m->fingerprint(m->context, repeated);
    if (!return_to(run, keep))
        return false;
    m->fingerprint(m->context, restored);
    return (repeated[0] == restored[0] && repeated[1] == restored[1]) ||
           end(run,
               plumb_base_fail(run->err, PLUMB_EINPUT, 0, 0,
                               "internal error: after %u steps, a restored "
                               "execution differs from a repeated one",
                               keep));
}

static bool go_back(struct plumb_strategies_run *run, uint32_t keep)
{
    const struct plumb_strategies_explore_options *const o = run->options;
    return o->back == PLUMB_BACK_BOTH && run->machine->fingerprint && run->keeps
               ? go_both_ways(run, keep)
               : return_to(run, keep);
}

bool plumb_strategies_run_rewind(struct plumb_strategies_run *run,
                                 uint32_t keep)
{
    assert(keep <= run->length);
    if (!go_back(run, keep))
        return false;
    run->length = keep;
    run->ready = run->machine->ready(run->machine->context);
    be_fair_again(run);
    return look_who_may(run) && is_patient(run);
}

void plumb_strategies_run_keep(struct plumb_strategies_run *run)
{
    keep_moment(run, run->length);
}

/* Switching away from a thread that could have gone on costs one. */
static uint32_t preemptions_with(const struct plumb_strategies_run *run,
                                 unsigned thread)
{
    if (!run->length)
        return 0;
    const struct plumb_strategies_step *const last =
        run->step + run->length - 1;
    return last->preemptions + (last->thread != thread && !last->gave_way &&
                                run->ready >> last->thread & 1);
}

bool plumb_strategies_run_will(struct plumb_strategies_run *run,
                               unsigned thread, unsigned option)
{
    assert(run->ready >> thread & 1);
    if (!PLUMB_GROW(run->options->budget, run->step, run->capacity,
                    (size_t)run->length + 1))
        return plumb_strategies_run_fail_memory(run);
    struct plumb_strategies_step *const step = run->step + run->length;
    *step = (struct plumb_strategies_step){
        .thread = (uint8_t)thread,
        .option = (uint8_t)option,
        .preemptions = preemptions_with(run, thread),
    };
    return true;
}

bool plumb_strategies_run_did(struct plumb_strategies_run *run,
                              const struct plumb_strategies_event *event,
                              uint64_t ready, uint64_t yields)
{
    struct plumb_strategies_step *const step = run->step + run->length;
    assert(event->kind != PLUMB_EVENT_CHOICE ||
           (step->option < event->size && event->size < 256));
    step->event = *event;
    step->gave_way = step->yielded = yields >> step->thread & 1;
    run->length++;
    run->stats->steps++;
    const uint64_t before = run->ready;
    run->ready = ready;
    if (is_fair(run))
        plumb_strategies_fairness_step(&run->fairness, step, before,
                                       run->ready);
    return look_who_may(run) && is_patient(run);
}

bool plumb_strategies_run_step(struct plumb_strategies_run *run,
                               unsigned thread, unsigned option)
{
    const struct plumb_strategies_machine *const m = run->machine;
    struct plumb_strategies_event event;
    if (!plumb_strategies_run_will(run, thread, option))
        return false;
    m->step(m->context, thread, option, &event);
    return plumb_strategies_run_did(run, &event, m->ready(m->context),
                                    m->yields ? m->yields(m->context) : 0);
}

enum plumb_strategies_ending plumb_strategies_run_outcome(
    const struct plumb_strategies_run *run)
{
    const struct plumb_strategies_machine *const m = run->machine;
    const unsigned threads = m->threads(m->context);
    enum plumb_strategies_ending outcome = PLUMB_COMPLETE;
    struct plumb_strategies_event event;
    if (run->ready)
        return PLUMB_CUT;
    for (unsigned t = 0; t < threads; t++) {
        const enum plumb_strategies_standing standing =
            m->stand(m->context, t, &event);
        if (standing == PLUMB_LEFT)
            return PLUMB_ASLEEP;
        if (standing != PLUMB_ENDED)
            outcome = PLUMB_DEADLOCK;
    }
    return outcome;
}

uint64_t plumb_strategies_run_told(const struct plumb_strategies_run *run)
{
    const struct plumb_strategies_explore_stats *const s = run->stats;
    return s->complete + s->asleep + s->cut + s->seen;
}

static void count(struct plumb_strategies_explore_stats *s,
                  enum plumb_strategies_ending outcome)
{
    s->complete += outcome == PLUMB_COMPLETE || outcome == PLUMB_DEADLOCK;
    s->deadlocks += outcome == PLUMB_DEADLOCK;
    s->asleep += outcome == PLUMB_ASLEEP;
    s->cut += outcome == PLUMB_CUT;
    s->seen += outcome == PLUMB_SEEN;
    s->endless += outcome == PLUMB_ENDLESS;
}

static bool tell(struct plumb_strategies_run *run,
                 const struct plumb_strategies_execution *x)
{
    const struct plumb_strategies_explore_options *const o = run->options;
    count(run->stats, x->outcome);
    if (x->length > run->stats->longest)
        run->stats->longest = x->length;
    if (o->ended && !o->ended(o->context, x))
        return end(run, PLUMB_OK);
    if (x->outcome == PLUMB_ENDLESS)
        return true;
    return plumb_strategies_run_goes_on(run, plumb_strategies_run_told(run));
}

bool plumb_strategies_run_goes_on(struct plumb_strategies_run *run,
                                  uint64_t executions)
{
    const uint64_t most = run->options->executions;
    run->enough = most && executions >= most;
    return !run->enough || end(run, PLUMB_OK);
}

/* ---- portions ---- */

void plumb_strategies_run_stop(struct plumb_strategies_run *run)
{
    if (ask_budget(run))
        end(run, PLUMB_OK);
}

enum plumb_strategies_share plumb_strategies_run_portion(
    struct plumb_strategies_run *run, struct plumb_strategies_portion *portion)
{
    const struct plumb_strategies_explore_options *const o = run->options;
    if (!o->portion)
        return PLUMB_SHARE_RUN;
    const enum plumb_strategies_share share = o->portion(o->context, portion);
    if (share == PLUMB_SHARE_END)
        plumb_strategies_run_stop(run);
    return share;
}

void plumb_strategies_run_end_portion(const struct plumb_strategies_run *run)
{
    const struct plumb_strategies_explore_options *const o = run->options;
    if (o->portion_ended)
        o->portion_ended(o->context);
}

bool plumb_strategies_run_tell(struct plumb_strategies_run *run,
                               enum plumb_strategies_ending outcome)
{
    const struct plumb_strategies_execution x = { .outcome = outcome,
                                                  .step = run->step,
                                                  .length = run->length,
                                                  .cycle = run->cycle };
    return tell(run, &x);
}

bool plumb_strategies_run_at_random(struct plumb_strategies_run *run,
                                    const struct plumb_base_rng *rng,
                                    bool *done)
{
    const struct plumb_strategies_machine *const m = run->machine;
    const uint32_t most = run->options->steps;
    struct plumb_strategies_random_run s = { .rng = *rng,
                                             .most = most ? most : UINT32_MAX };
    m->begin(m->context);
    *done = m->random_run(m->context, &s);
    if (!is_patient(run) || !*done)
        return !run->over;
    run->stats->steps += s.length;
    const struct plumb_strategies_execution x = { .outcome = PLUMB_COMPLETE,
                                                  .length = s.length };
    return tell(run, &x);
}

void plumb_strategies_add_stats(struct plumb_strategies_explore_stats *to,
                                const struct plumb_strategies_explore_stats *n)
{
    to->complete += n->complete;
    to->deadlocks += n->deadlocks;
    to->asleep += n->asleep;
    to->cut += n->cut;
    to->states += n->states;
    to->edges += n->edges;
    to->seen += n->seen;
    to->endless += n->endless;
    to->steps += n->steps;
    to->repeated += n->repeated;
    to->races += n->races;
    to->withheld += n->withheld;
    to->limited |= n->limited;
    if (to->longest < n->longest)
        to->longest = n->longest;
}

enum plumb_status plumb_strategies_explore(
    const struct plumb_strategies_machine *machine,
    const struct plumb_strategies_explore_options *options,
    struct plumb_strategies_explore_stats *stats, struct plumb_error *err)
{
    struct plumb_strategies_run run = { .machine = machine,
                                        .options = options,
                                        .stats = stats,
                                        .err = err,
                                        .patience = 1 };
    *stats = (struct plumb_strategies_explore_stats){ 0 };
    switch (options->strategy) {
    case PLUMB_DPOR:
        plumb_strategies_explore_dpor(&run);
        break;
    case PLUMB_DFS:
        plumb_strategies_explore_dfs(&run);
        break;
    case PLUMB_RANDOM:
    case PLUMB_PCT:
        plumb_strategies_explore_random(&run);
        break;
    case PLUMB_STATES:
        assert(machine->fingerprint);
        plumb_strategies_explore_states(&run);
        break;
    }
    stats->exhausted = !run.over && !stats->cut && !stats->withheld;
    PLUMB_RELEASE(options->budget, run.before, run.befores);
    PLUMB_RELEASE(options->budget, run.step, run.capacity);
    return run.status;
}
