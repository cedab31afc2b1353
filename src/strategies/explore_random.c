/* explore_random.c - one execution after the other, each by chance.
 *
 * random: each step is of any thread that is ready, all equally likely.
 * Options of a CHOICE are equally likely with both.  Execution k draws from
 * numbers of its own: it can be run without those before it.
 * pct (Burckhardt and others 2010): threads have random priorities and the
 * highest that is ready goes on; at d - 1 random steps its priority falls below
 * all others.  Of n threads and k steps, a fault that needs d orderings is
 * found by an execution with probability at least 1 / (n k^(d-1)).  k is not
 * known: the longest execution so far stands for it; so far is until the last
 * power of two, so that not every execution depends on the one before.
 *
 * Every execution has a generator of its own, which depends on the seed and its
 * number alone: it can be run without those before it. */
#include "run.h"

#include "base/hash.h"
#include "chance.h"

#include <assert.h>

enum { MOST_CHANGES = 64 };

struct walk {
    struct plumb_strategies_run *run;
    struct plumb_base_rng rng;
    uint64_t priority[PLUMB_MAX_THREADS];
    uint32_t change[MOST_CHANGES];
    unsigned changes;
    uint64_t fallen; /* how many have: each below the one before */
    uint64_t number; /* of the execution */
    uint32_t longest;
};

static unsigned highest_thread(const struct walk *w)
{
    uint64_t ready = w->run->may;
    assert(ready);
    unsigned best = (unsigned)__builtin_ctzll(ready);
    while (ready &= ready - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(ready);
        if (w->priority[t] > w->priority[best])
            best = t;
    }
    return best;
}

static bool changes_here(const struct walk *w)
{
    for (unsigned i = 0; i < w->changes; i++)
        if (w->change[i] == w->run->length)
            return true;
    return false;
}

static unsigned by_priority(struct walk *w)
{
    if (changes_here(w))
        w->priority[highest_thread(w)] = MOST_CHANGES - ++w->fallen;
    assert(w->fallen <= w->changes);
    return highest_thread(w);
}

/* The upper half of the numbers is for priorities that have not fallen. */
static void draw_priorities(struct walk *w)
{
    const struct plumb_strategies_explore_options *const o = w->run->options;
    for (unsigned t = 0; t < PLUMB_MAX_THREADS; t++)
        w->priority[t] = plumb_base_rng_next(&w->rng) | (uint64_t)1 << 63;
    w->changes = o->changes < MOST_CHANGES ? o->changes : MOST_CHANGES;
    for (unsigned i = 0; i < w->changes; i++)
        w->change[i] =
            plumb_base_rng_below(&w->rng, w->longest ? w->longest : 1);
    w->fallen = 0;
}

static unsigned option_of(struct walk *w, unsigned thread)
{
    const struct plumb_strategies_machine *const m = w->run->machine;
    struct plumb_strategies_event event = { 0 };
    m->stand(m->context, thread, &event);
    return event.kind == PLUMB_EVENT_CHOICE
               ? plumb_base_rng_below(&w->rng, event.size)
               : 0;
}

static unsigned choose(struct walk *w)
{
    return w->run->options->strategy == PLUMB_PCT
               ? by_priority(w)
               : plumb_strategies_any_of(&w->rng, w->run->may);
}

static bool take_one_by_one(struct walk *w)
{
    struct plumb_strategies_run *const run = w->run;
    while (run->ready && !plumb_strategies_run_is_too_long(run)) {
        const unsigned thread = choose(w);
        if (!plumb_strategies_run_step(run, thread, option_of(w, thread)))
            return false;
    }
    return true;
}

/* The same at once: the run is told of each step when it was done. */
static unsigned next(void *context, const struct plumb_strategies_event *done,
                     uint64_t ready, uint64_t yields, unsigned *option)
{
    struct walk *const w = context;
    struct plumb_strategies_run *const run = w->run;
    if (done)
        plumb_strategies_run_did(run, done, ready, yields);
    if (run->over || !ready || plumb_strategies_run_is_too_long(run))
        return PLUMB_NOBODY;
    const unsigned thread = choose(w);
    *option = option_of(w, thread);
    return plumb_strategies_run_will(run, thread, *option) ? thread
                                                           : PLUMB_NOBODY;
}

static bool take_at_once(struct walk *w)
{
    const struct plumb_strategies_machine *const m = w->run->machine;
    const struct plumb_strategies_walker walker = { .context = w,
                                                    .next = next };
    m->walk(m->context, &walker);
    return !w->run->over;
}

/* Most executions are of no interest but for how they end. */
static bool runs_at_random(const struct walk *w)
{
    const struct plumb_strategies_explore_options *const o = w->run->options;
    return w->run->machine->random_run && o->strategy == PLUMB_RANDOM &&
           !o->fair;
}

static bool walk_to_the_end(struct walk *w)
{
    struct plumb_strategies_run *const run = w->run;
    bool done = false;
    plumb_base_rng_seed(&w->rng, plumb_base_mix(run->options->seed, w->number));
    if (runs_at_random(w) &&
        (!plumb_strategies_run_at_random(run, &w->rng, &done) || done))
        return !run->over;
    if (!plumb_strategies_run_rewind(run, 0))
        return false;
    if (run->options->strategy == PLUMB_PCT)
        draw_priorities(w);
    if (!(run->machine->walk ? take_at_once(w) : take_one_by_one(w)))
        return false;
    return plumb_strategies_run_tell(run, plumb_strategies_run_outcome(run));
}

/* ---- portions ---- */

static bool is_power_of_two(uint64_t n)
{
    return !(n & (n - 1));
}

/* Portions of pct end where `longest` is looked at again. */
static uint64_t end_of_portion(const struct walk *w, uint64_t most)
{
    const uint64_t limit = w->run->options->executions;
    uint64_t end =
        most < UINT64_MAX - w->number ? w->number + most : UINT64_MAX;
    if (limit && limit < end)
        end = limit;
    for (uint64_t n = 1; w->run->options->strategy == PLUMB_PCT && n; n *= 2)
        if (n > w->number && n < end)
            end = n;
    return end;
}

static bool take_portion(struct walk *w)
{
    struct plumb_strategies_run *const run = w->run;
    struct plumb_strategies_portion p = { .first = w->number,
                                          .most = UINT64_MAX };
    p.meets = run->options->strategy == PLUMB_PCT && is_power_of_two(w->number);
    const enum plumb_strategies_share share =
        plumb_strategies_run_portion(run, &p);
    const uint64_t end = end_of_portion(w, p.most);
    if (share == PLUMB_SHARE_END)
        return false;
    if (p.meets)
        w->longest = run->stats->longest;
    if (share == PLUMB_SHARE_SKIP)
        w->number = end;
    for (; w->number < end; w->number++)
        if (!walk_to_the_end(w))
            return false;
    if (share == PLUMB_SHARE_RUN)
        plumb_strategies_run_end_portion(run);
    return plumb_strategies_run_goes_on(run, w->number);
}

void plumb_strategies_explore_random(struct plumb_strategies_run *run)
{
    struct walk w = { .run = run };
    while (take_portion(&w))
        ;
    assert(run->over);
}
