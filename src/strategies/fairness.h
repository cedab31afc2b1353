/* fairness.h - a thread that gives way again and again lets others go on.
 *
 * From one time that a thread gives way to the next, threads that could have
 * gone on all that time, or that it kept from going on, and did not, come before
 * it from then on, until they do (Musuvathi and Qadeer 2008).  So a loop that
 * waits and gives way ends, if what it waits for comes.
 *
 * This leaves out schedules: those in which a thread gives way several times,
 * and another that could go on is not let go on in between. */
#ifndef PLUMB_STRATEGIES_FAIRNESS_H
#define PLUMB_STRATEGIES_FAIRNESS_H

#include "explore.h"

struct plumb_strategies_fairness {
    uint64_t given_way; /* threads that ever have; of these:              */
    uint64_t after[PLUMB_MAX_THREADS]; /* whom they come after            */
    /* Since they last did: who could go on all the time, whom they kept from
     * it, who went on. */
    uint64_t enabled[PLUMB_MAX_THREADS], disabled[PLUMB_MAX_THREADS],
        scheduled[PLUMB_MAX_THREADS];
};

void plumb_strategies_fairness_begin(struct plumb_strategies_fairness *f);

/* A step was done; the sets are who could go on before it and behind it. */
void plumb_strategies_fairness_step(struct plumb_strategies_fairness *f,
                                    const struct plumb_strategies_step *step,
                                    uint64_t before, uint64_t behind);

/* Of those that are ready, who may go on: at least one, if there is one. */
uint64_t plumb_strategies_fairness_filter(
    const struct plumb_strategies_fairness *f, uint64_t ready);

#endif
