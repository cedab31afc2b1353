/* explore_dfs.c - every schedule, depth first.
 *
 * A choice is the set of threads still to be tried at a step.  With a bound,
 * threads whose choice would cost a preemption too many are not in it: going on
 * with the running thread costs nothing, so every schedule within the bound is
 * reached by choices within it.  That a thread stands before a CHOICE is seen
 * when it has taken the first option. */
#include "sched/run.h"

#include "base/memory.h"

#include <assert.h>

struct dfs {
    struct plumb_run *run;
    uint64_t *left; /* per step: threads to be tried there */
    size_t capacity;
};

static unsigned lowest(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

static bool open_choice(struct dfs *d)
{
    void *block = d->left;
    if (!plumb_grow(d->run->options->budget, &block, &d->capacity,
                    (size_t)d->run->length + 1, sizeof *d->left))
        return plumb_run_fail_memory(d->run);
    d->left = block;
    d->left[d->run->length] =
        plumb_run_affordable(d->run, d->run->length, d->run->may);
    return true;
}

static bool take_choice(struct dfs *d)
{
    uint64_t *const left = d->left + d->run->length;
    const unsigned thread = lowest(*left);
    *left &= *left - 1;
    return plumb_run_step(d->run, thread, 0);
}

static bool go_to_the_end(struct dfs *d)
{
    struct plumb_run *const run = d->run;
    while (run->ready && !plumb_run_is_too_long(run))
        if (!open_choice(d) || !take_choice(d))
            return false;
    return plumb_run_tell(run, run->ready ? PLUMB_CUT : plumb_run_outcome(run));
}

/* To the last step that has an option or a thread left. */
static bool go_back(struct dfs *d)
{
    struct plumb_run *const run = d->run;
    assert(!run->length || d->left);
    for (uint32_t at = run->length; at-- > 0;) {
        const struct plumb_step last = run->step[at];
        const unsigned option = plumb_step_next_option(&last);
        if (option)
            return plumb_run_rewind(run, at) &&
                   plumb_run_step(run, last.thread, option);
        if (d->left[at])
            return plumb_run_rewind(run, at) && take_choice(d);
    }
    return false;
}

void plumb_explore_dfs(struct plumb_run *run)
{
    struct dfs d = { .run = run };
    bool more = plumb_run_rewind(run, 0);
    while (more)
        more = go_to_the_end(&d) && go_back(&d);
    plumb_release(run->options->budget, d.left, d.capacity * sizeof *d.left);
}
