/* run.h - the execution that a strategy is at.
 *
 * Strategies go forward by steps and back by beginning anew and repeating the
 * steps they keep. */
#ifndef PLUMB_SCHED_RUN_H
#define PLUMB_SCHED_RUN_H

#include "explore.h"
#include "fairness.h"

#include <stddef.h>

struct plumb_run {
    const struct plumb_machine *machine;
    const struct plumb_explore_options *options;
    struct plumb_explore_stats *stats;
    struct plumb_error *err;
    struct plumb_step *step;
    size_t capacity;
    uint32_t length;
    unsigned patience; /* steps until the budget is asked again */
    uint32_t cycle;    /* to be told with PLUMB_ENDLESS         */
    uint64_t ready;    /* what can go on, after the last step   */
    uint64_t may;      /* ... and may, in fairness              */
    struct plumb_fairness fairness;
    uint64_t *before; /* under fairness: what could go on, per step */
    size_t befores;
    enum plumb_status status; /* why it has to end                     */
    bool over;                /* it has to                             */
    bool enough;              /* ... as it has run options.executions  */
};

/* Each false: the exploration is over. */
bool plumb_run_rewind(struct plumb_run *run, uint32_t keep);
bool plumb_run_step(struct plumb_run *run, unsigned thread, unsigned option);
/* The two halves of a step, of which the machine does what is between. */
bool plumb_run_will(struct plumb_run *run, unsigned thread, unsigned option);
bool plumb_run_did(struct plumb_run *run, const struct plumb_event *event,
                   uint64_t ready, uint64_t yields);
bool plumb_run_tell(struct plumb_run *run, enum plumb_ending outcome);
/* Is this portion to be run?  Not known: the exploration is over. */
enum plumb_share plumb_run_portion(struct plumb_run *run,
                                   struct plumb_portion *portion);
void plumb_run_end_portion(const struct plumb_run *run);
/* Others say that there is no time for more. */
void plumb_run_stop(struct plumb_run *run);
/* So many executions there have been, those of others too. */
bool plumb_run_goes_on(struct plumb_run *run, uint64_t executions);
/* A whole execution by chance, which is told; unless it is not *done. */
bool plumb_run_stroll(struct plumb_run *run, const struct plumb_rng *rng,
                      bool *done);
bool plumb_run_fail_memory(struct plumb_run *run);
bool plumb_run_fail_diverged(struct plumb_run *run, uint32_t at,
                             unsigned thread);

uint64_t plumb_run_told(const struct plumb_run *run);

/* Nothing is ready: have all threads ended?  ASLEEP: some have left. */
enum plumb_ending plumb_run_outcome(const struct plumb_run *run);

static inline bool plumb_run_is_too_long(const struct plumb_run *run)
{
    return run->options->steps && run->length >= run->options->steps;
}

/* Of a CHOICE the option to be taken after this one; 0 is none. */
static inline unsigned plumb_step_next_option(const struct plumb_step *step)
{
    return step->event.kind == PLUMB_EVENT_CHOICE &&
                   step->option + 1u < step->event.size
               ? step->option + 1u
               : 0;
}

/* Of the threads that were ready after `at` steps, those that may go on without
 * exceeding the bound on preemptions. */
static inline uint64_t plumb_affordable(const struct plumb_explore_options *o,
                                        const struct plumb_step *step,
                                        uint32_t at, uint64_t ready)
{
    if (!o->bounded || !at)
        return ready;
    const struct plumb_step *const last = step + at - 1;
    const uint64_t same = ready & (uint64_t)1 << last->thread;
    return same && !last->gave_way && last->preemptions >= o->preemptions
               ? same
               : ready;
}

static inline uint64_t plumb_run_affordable(const struct plumb_run *run,
                                            uint32_t at, uint64_t ready)
{
    return plumb_affordable(run->options, run->step, at, ready);
}

void plumb_explore_dfs(struct plumb_run *run);
void plumb_explore_dpor(struct plumb_run *run);
void plumb_explore_random(struct plumb_run *run);
void plumb_explore_states(struct plumb_run *run);

#endif
