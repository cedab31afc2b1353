/* rising_bound.h - a higher bound on preemptions, while that is cheap.
 *
 * When all tests hold within the bound, they are run again in another *round*:
 * with one preemption more, then without a bound, then with two more, three
 * more, ... until a budget is used up or no schedule is left.  The verdict
 * names the highest bound within which every test was run to its end.
 *
 * The budget is counted in steps of the target, not in seconds, so that equal
 * runs print equal bytes with any -j and on any machine.  A test costs its
 * schedules times the steps of the longest: sharing a test among processes
 * changes neither. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_RISING_BOUND_H
#define PLUMB_APP_EXPLORE_DRIVER_RISING_BOUND_H

#include "explore_settings.h"

/* What a test may take. */
struct explore_limit {
    uint64_t executions;
    uint32_t steps; /* of an execution */
};

struct explore_rising {
    struct explore_settings with; /* of the round that runs            */
    struct explore_settings done; /* of the last that was completed    */
    unsigned rounds;              /* that have begun                   */
    bool rises;                   /* there may be another              */
    bool was_unbounded;           /* that was tried                    */
    bool limited, complete;       /* of the round                      */
    uint64_t left;                /* of the budget                     */
    uint64_t used;                /* in the round                      */
    uint64_t cost;                /* of the last that was completed    */
    /* The tests, in the order in which they are taken. */
    unsigned *number, tests, taken;
    uint32_t *longest; /* so many steps had an execution */
    struct explore_limit *limit;
};

/* At most so many tests.  Nothing rises unless the settings want it. */
void explore_rising_begin(struct explore_rising *r,
                          const struct explore_settings *with, unsigned most);
void explore_rising_release(struct explore_rising *r);

/* Test `number` was run to this end.  In the first round it becomes one of the
 * tests; in others it is the next of them.  False: the round is over, and
 * cannot be completed. */
bool explore_rising_add(struct explore_rising *r, unsigned number,
                        const struct job *job);

/* Was every test of the round run to its end, at no more than is left?  The
 * first may cost more. */
bool explore_rising_holds(const struct explore_rising *r);

/* A round is over and found nothing.  True: there is another, with r->with and
 * r->limit.  False: there is none, and r->done has the bound that holds. */
bool explore_rising_next(struct explore_rising *r);

#endif
