/* explore_dfs.c - every schedule, depth first.
 *
 * A choice is the set of threads still to be tried at a step.  With a bound,
 * threads whose choice would cost a preemption too many are not in it: going on
 * with the running thread costs nothing, so every schedule within the bound is
 * reached by choices within it.  That a thread stands before a CHOICE is seen
 * when it has taken the first option.
 *
 * To be shared, the tree of schedules is cut: what is below a step is a
 * portion if it seems to be small.  Everybody goes through what is above, and
 * asks at each cut; so all have the same portions in the same order, though
 * nobody has told the others.  An execution that ends above is a portion, too.
 * How many steps threads have is seen in some executions, which are done alone.
 */
#include "base/bits.h"
#include "run.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

enum { ALONE = 128 };

struct dfs {
    struct plumb_strategies_run *run;
    uint64_t *left; /* per step: threads to be tried there */
    size_t capacity;

    bool shared;
    bool inside; /* a portion, which begins after `root` steps */
    uint32_t root;
    uint64_t most; /* schedules of a portion, if it can be seen  */
    uint32_t steps[PLUMB_MAX_THREADS]; /* of the threads, as far as is known */
    unsigned threads;
};

static bool open_choice(struct dfs *d)
{
    if (!PLUMB_GROW(d->run->options->budget, d->left, d->capacity,
                    (size_t)d->run->length + 1))
        return plumb_strategies_run_fail_memory(d->run);
    d->left[d->run->length] =
        plumb_strategies_run_affordable(d->run, d->run->length, d->run->may);
    return true;
}

static bool take_choice(struct dfs *d)
{
    uint64_t *const left = d->left + d->run->length;
    assert(*left);
    const unsigned thread = plumb_base_lowest(*left);
    *left &= *left - 1;
    if (*left)
        plumb_strategies_run_keep(d->run);
    return plumb_strategies_run_step(d->run, thread, 0);
}

/* ---- portions ---- */

static void count_steps(const struct plumb_strategies_run *run,
                        uint32_t steps[PLUMB_MAX_THREADS])
{
    memset(steps, 0, PLUMB_MAX_THREADS * sizeof *steps);
    for (uint32_t i = 0; i < run->length; i++)
        steps[run->step[i].thread]++;
}

static void learn_steps(struct dfs *d)
{
    uint32_t steps[PLUMB_MAX_THREADS];
    count_steps(d->run, steps);
    for (unsigned t = 0; t < PLUMB_MAX_THREADS; t++)
        if (steps[t] > d->steps[t]) {
            d->steps[t] = steps[t];
            d->threads = t < d->threads ? d->threads : t + 1;
        }
}

/* Who waits for the end of others does not go on at any time. */
static bool joins(const struct plumb_strategies_machine *m, unsigned thread)
{
    struct plumb_strategies_event event;
    return thread < m->threads(m->context) &&
           m->stand(m->context, thread, &event) == PLUMB_WAITING &&
           event.kind == PLUMB_EVENT_JOIN;
}

/* As many steps as each thread has left, and how many they are. */
static uint32_t steps_left(const struct dfs *d,
                           uint32_t left[PLUMB_MAX_THREADS])
{
    uint32_t sum = 0;
    count_steps(d->run, left);
    for (unsigned t = 0; t < d->threads; t++) {
        left[t] = d->steps[t] > left[t] && !joins(d->run->machine, t)
                      ? d->steps[t] - left[t]
                      : 0;
        sum += left[t];
    }
    return sum;
}

/* Ways to interleave them, if there are at most `most`. */
static bool are_few_orders(const struct dfs *d,
                           const uint32_t left[PLUMB_MAX_THREADS])
{
    double ways = 1;
    uint32_t sum = 0;
    for (unsigned t = 0; t < d->threads; t++)
        for (uint32_t i = 1; i <= left[t]; i++) {
            ways = ways * ++sum / i;
            if (ways > (double)d->most)
                return false;
        }
    return true;
}

/* Ways to place so many preemptions in so many steps. */
static bool are_few_places(const struct dfs *d, uint32_t preemptions,
                           uint32_t steps)
{
    double ways = 1, all = 1;
    for (uint32_t i = 0; i < preemptions && i < steps; i++) {
        ways = ways * (steps - i) / (i + 1) * (d->threads - 1);
        all += ways;
        if (all > (double)d->most)
            return false;
    }
    return true;
}

/* Does a portion begin here? */
static bool is_cut(const struct dfs *d)
{
    const struct plumb_strategies_run *const run = d->run;
    const struct plumb_strategies_explore_options *const o = run->options;
    const uint32_t used =
        run->length ? run->step[run->length - 1].preemptions : 0;
    uint32_t left[PLUMB_MAX_THREADS];
    const uint32_t steps = steps_left(d, left);
    return are_few_orders(d, left) ||
           (o->bounded &&
            are_few_places(d, o->preemptions > used ? o->preemptions - used : 0,
                           steps));
}

/* A portion begins: is it done by others, or not at all? */
static bool is_others(struct dfs *d)
{
    struct plumb_strategies_portion p = { .first = plumb_strategies_run_told(
                                              d->run) };
    const enum plumb_strategies_share share =
        plumb_strategies_run_portion(d->run, &p);
    d->most = p.most;
    d->inside = share == PLUMB_SHARE_RUN;
    d->root = d->run->length;
    return !d->inside;
}

static bool begins_portion(const struct dfs *d, bool ends)
{
    return d->shared && !d->inside && (ends || is_cut(d));
}

static void learn_to_share(struct dfs *d)
{
    if (!d->run->options->portion || d->shared)
        return;
    learn_steps(d);
    d->shared = plumb_strategies_run_told(d->run) >= ALONE;
}

static void leave_portion(struct dfs *d)
{
    if (d->inside)
        plumb_strategies_run_end_portion(d->run);
    d->inside = false;
}

/* ---- forward and back ---- */

/* Of others' executions, only to where their portion begins. */
static bool go_to_the_end(struct dfs *d)
{
    struct plumb_strategies_run *const run = d->run;
    bool ends = false;
    while (!ends) {
        ends = !run->ready || plumb_strategies_run_is_too_long(run);
        if (begins_portion(d, ends) && is_others(d))
            return !run->over && plumb_strategies_run_goes_on(
                                     run, plumb_strategies_run_told(run));
        if (!ends && (!open_choice(d) || !take_choice(d)))
            return false;
    }
    return plumb_strategies_run_tell(run, plumb_strategies_run_outcome(run));
}

static bool go_back_to(struct dfs *d, uint32_t at)
{
    if (at < d->root)
        leave_portion(d);
    return plumb_strategies_run_rewind(d->run, at);
}

/* To the last step that has an option or a thread left. */
static bool go_back(struct dfs *d)
{
    struct plumb_strategies_run *const run = d->run;
    assert(!run->length || d->left);
    for (uint32_t at = run->length; at-- > 0;) {
        const struct plumb_strategies_step last = run->step[at];
        const unsigned option = plumb_strategies_step_next_option(&last);
        if (option)
            return go_back_to(d, at) &&
                   plumb_strategies_run_step(run, last.thread, option);
        if (d->left[at])
            return go_back_to(d, at) && take_choice(d);
    }
    leave_portion(d);
    return false;
}

void plumb_strategies_explore_dfs(struct plumb_strategies_run *run)
{
    struct dfs d = { .run = run };
    bool more = plumb_strategies_run_rewind(run, 0);
    while (more) {
        more = go_to_the_end(&d);
        learn_to_share(&d);
        more = more && go_back(&d);
    }
    PLUMB_RELEASE(run->options->budget, d.left, d.capacity);
}
