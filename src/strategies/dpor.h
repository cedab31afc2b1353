/* dpor.h - the stack of a depth-first search by source-DPOR, as data.
 *
 * Between two executions the stack is all there is to know: the steps of the
 * last execution, and for each step which threads were tried there, sleep, and
 * are planned.  It can be copied, given to another process, and gone on with
 * there.  What is done below a step depends on the steps up to it and on who
 * sleeps there, and on nothing else; so this, too, can be done elsewhere and at
 * another time (dpor_branches.c). */
#ifndef PLUMB_STRATEGIES_DPOR_H
#define PLUMB_STRATEGIES_DPOR_H

#include "clocks.h"
#include "run.h"

struct plumb_strategies_choice {
    uint64_t ready;
    uint64_t plan;     /* threads to be tried, tried ones too  */
    uint64_t asleep;   /* tried, or asleep from above          */
    uint32_t sleepers; /* where they begin, in sleeper[]       */
};

struct plumb_strategies_sleeper {
    struct plumb_strategies_event
        event; /* as it turned out when it was tried */
    unsigned thread;
};

/* What is asked of a choice above the floor, which is not ours: that some
 * thread of `any` is planned there, best `thread`; or that all are. */
struct plumb_strategies_wish {
    uint64_t any, all;
    uint32_t at;
    uint32_t times; /* that it was asked for */
    uint32_t
        next; /* of the same choice, plus 1; only in struct plumb_strategies_wishes */
    uint32_t thread;
};

/* In the order in which they were first asked for. */
struct plumb_strategies_wishes {
    struct plumb_strategies_wish *wish;
    uint32_t *last; /* per choice the latest, plus 1 */
    size_t capacity, choices;
    uint32_t count;
};

struct plumb_strategies_dpor {
    struct plumb_strategies_run *run;
    struct plumb_strategies_clocks clocks;
    struct plumb_strategies_choice *choice; /* one per step, and one behind */
    size_t choices;
    struct plumb_strategies_sleeper
        *sleeper; /* of all choices, in their order */
    size_t sleeper_capacity;
    uint32_t sleepers;
    uint32_t floor; /* choices before this one are not ours, ...      */
    bool fresh;     /* ... but from the last of them we have to begin */
    struct plumb_strategies_wishes wishes;
};

/* Where the search goes on: `at` is kept, then this thread is taken. */
struct plumb_strategies_turn {
    uint32_t at;
    unsigned thread, option;
};

/* Of `last`, which was taken after `at` steps of `run`, and a choice there:
 * what comes when all below was done?  False: nothing. */
bool plumb_strategies_choice_turn(
    const struct plumb_strategies_explore_options *o,
    const struct plumb_strategies_step *step,
    const struct plumb_strategies_choice *choice, uint32_t at,
    struct plumb_strategies_turn *turn);

/* The first of these, from the last step up to the floor. */
bool plumb_strategies_stack_turn(
    const struct plumb_strategies_explore_options *o,
    const struct plumb_strategies_step *step,
    const struct plumb_strategies_choice *choice, uint32_t length,
    uint32_t floor, struct plumb_strategies_turn *turn);

static inline bool plumb_strategies_turns_are_equal(
    const struct plumb_strategies_turn *a,
    const struct plumb_strategies_turn *b)
{
    return a->at == b->at && a->thread == b->thread && a->option == b->option;
}

/* Add to the plan of a choice what is asked for; so many are new. */
uint32_t plumb_strategies_choice_plan(struct plumb_strategies_choice *c,
                                      const struct plumb_strategies_wish *w);

/* Unless that is no news to the choice `c`.  False: memory is refused. */
bool plumb_strategies_wishes_add(struct plumb_budget *budget,
                                 struct plumb_strategies_wishes *to,
                                 const struct plumb_strategies_choice *c,
                                 const struct plumb_strategies_wish *w);
void plumb_strategies_wishes_clear(struct plumb_strategies_wishes *w);
void plumb_strategies_wishes_release(struct plumb_budget *budget,
                                     struct plumb_strategies_wishes *w);

/* The next execution.  False: there is none, or the exploration is over. */
bool plumb_strategies_dpor_next(struct plumb_strategies_dpor *d);
/* Make room for a stack that is copied to run->step, choice and sleeper, ... */
bool plumb_strategies_dpor_make_room(struct plumb_strategies_dpor *d,
                                     uint32_t length, uint32_t sleepers);
/* ... and be there: the last execution is that of run->step. */
bool plumb_strategies_dpor_stand(struct plumb_strategies_dpor *d,
                                 uint32_t length);

/* With options.hands, after the first executions: be the leader, or a hand. */
void plumb_strategies_dpor_lead(struct plumb_strategies_dpor *d);
void plumb_strategies_dpor_serve(struct plumb_strategies_dpor *d);

#endif
