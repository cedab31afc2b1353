/* run.h - the execution that a strategy is at.
 *
 * Strategies go forward by steps.  They go back to the last moment that the
 * machine has kept, or begin anew, and repeat the steps from there. */
#ifndef PLUMB_STRATEGIES_RUN_H
#define PLUMB_STRATEGIES_RUN_H

#include "explore.h"
#include "fairness.h"

#include <stddef.h>

struct plumb_strategies_run {
    const struct plumb_strategies_machine *machine;
    const struct plumb_strategies_explore_options *options;
    struct plumb_strategies_explore_stats *stats;
    struct plumb_error *err;
    struct plumb_strategies_step *step;
    size_t capacity;
    uint32_t length;
    unsigned patience; /* steps until the budget is asked again */
    uint32_t cycle;    /* to be told with PLUMB_ENDLESS         */
    uint64_t ready;    /* what can go on, after the last step   */
    uint64_t may;      /* ... and may, in fairness              */
    struct plumb_strategies_fairness fairness;
    /* Moments that the machine has kept: after so many steps. */
    uint32_t kept[PLUMB_MOST_MOMENTS];
    unsigned keeps;
    uint64_t *before; /* under fairness: what could go on, per step */
    size_t befores;
    enum plumb_status status; /* why it has to end                     */
    bool over;                /* it has to                             */
    bool enough;              /* ... as it has run options.executions  */
};

/* Each false: the exploration is over. */
bool plumb_strategies_run_rewind(struct plumb_strategies_run *run,
                                 uint32_t keep);
/* Going back to here need not begin anew, if the machine can keep it. */
void plumb_strategies_run_keep(struct plumb_strategies_run *run);
bool plumb_strategies_run_step(struct plumb_strategies_run *run,
                               unsigned thread, unsigned option);
/* The two halves of a step, of which the machine does what is between. */
bool plumb_strategies_run_will(struct plumb_strategies_run *run,
                               unsigned thread, unsigned option);
bool plumb_strategies_run_did(struct plumb_strategies_run *run,
                              const struct plumb_strategies_event *event,
                              uint64_t ready, uint64_t yields);
bool plumb_strategies_run_tell(struct plumb_strategies_run *run,
                               enum plumb_strategies_ending outcome);
/* Is this portion to be run?  Not known: the exploration is over. */
enum plumb_strategies_share plumb_strategies_run_portion(
    struct plumb_strategies_run *run, struct plumb_strategies_portion *portion);
void plumb_strategies_run_end_portion(const struct plumb_strategies_run *run);
/* Others say that there is no time for more. */
void plumb_strategies_run_stop(struct plumb_strategies_run *run);
/* So many executions there have been, those of others too. */
bool plumb_strategies_run_goes_on(struct plumb_strategies_run *run,
                                  uint64_t executions);
/* A whole execution by chance, which is told; unless it is not *done. */
bool plumb_strategies_run_at_random(struct plumb_strategies_run *run,
                                    const struct plumb_base_rng *rng,
                                    bool *done);
bool plumb_strategies_run_fail_memory(struct plumb_strategies_run *run);
bool plumb_strategies_run_fail_diverged(struct plumb_strategies_run *run,
                                        uint32_t at, unsigned thread);

uint64_t plumb_strategies_run_told(const struct plumb_strategies_run *run);

/* CUT: somebody could go on.  Else, have all threads ended?  ASLEEP: some have
 * left. */
enum plumb_strategies_ending plumb_strategies_run_outcome(
    const struct plumb_strategies_run *run);

static inline bool plumb_strategies_run_is_too_long(
    const struct plumb_strategies_run *run)
{
    return run->options->steps && run->length >= run->options->steps;
}

/* Of a CHOICE the option to be taken after this one; 0 is none. */
static inline unsigned plumb_strategies_step_next_option(
    const struct plumb_strategies_step *step)
{
    return step->event.kind == PLUMB_EVENT_CHOICE &&
                   step->option + 1u < step->event.size
               ? step->option + 1u
               : 0;
}

/* Of the threads that were ready after `at` steps, those that may go on without
 * exceeding the bound on preemptions. */
static inline uint64_t plumb_strategies_affordable(
    const struct plumb_strategies_explore_options *o,
    const struct plumb_strategies_step *step, uint32_t at, uint64_t ready)
{
    if (!o->bounded || !at)
        return ready;
    const struct plumb_strategies_step *const last = step + at - 1;
    const uint64_t same = ready & (uint64_t)1 << last->thread;
    return same && !last->gave_way && last->preemptions >= o->preemptions
               ? same
               : ready;
}

static inline uint64_t plumb_strategies_run_affordable(
    const struct plumb_strategies_run *run, uint32_t at, uint64_t ready)
{
    const uint64_t may =
        plumb_strategies_affordable(run->options, run->step, at, ready);
    run->stats->limited |= may != ready;
    return may;
}

void plumb_strategies_explore_dfs(struct plumb_strategies_run *run);
void plumb_strategies_explore_dpor(struct plumb_strategies_run *run);
void plumb_strategies_explore_random(struct plumb_strategies_run *run);
void plumb_strategies_explore_states(struct plumb_strategies_run *run);

#endif
