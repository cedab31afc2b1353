/* explore.h - running a machine under many schedules.
 *
 * dfs runs every schedule, dpor one of each class of schedules that differ only
 * in the order of independent events, random and pct as many as they are told,
 * states enough to reach every state.
 * docs/how-exploration-works.md has the arguments. */
#ifndef PLUMB_STRATEGIES_EXPLORE_H
#define PLUMB_STRATEGIES_EXPLORE_H

#include "machine.h"

#include <plumb/budget.h>

enum plumb_strategy {
    PLUMB_DPOR,   /* source sets and sleep sets                          */
    PLUMB_DFS,    /* every schedule                                      */
    PLUMB_RANDOM, /* at each step any of the threads that can go on      */
    PLUMB_PCT,    /* the thread of the highest priority, which is random */
    PLUMB_STATES  /* every state once: needs machine.fingerprint         */
};

enum plumb_strategies_ending {
    PLUMB_COMPLETE, /* all threads have ended                            */
    PLUMB_DEADLOCK, /* complete too: some have not, and none can go on   */
    PLUMB_ASLEEP,   /* given up: every way on was or will be explored
                       elsewhere                                         */
    PLUMB_CUT,      /* given up after options.steps steps                */
    PLUMB_SEEN,     /* states: given up, what follows was explored       */
    PLUMB_ENDLESS   /* states: the last `cycle` steps lead back to where
                       they began, and every thread that can go on all
                       that time does: it may go on like this for ever   */
};

struct plumb_strategies_step {
    struct plumb_strategies_event
        event;            /* what it turned out to be               */
    uint32_t preemptions; /* up to and with this step               */
    uint8_t thread, option;
    bool gave_way; /* to switch away after it is no preemption */
    bool yielded;  /* ... because the thread said so           */
};

/* Valid only during the call that tells it. */
struct plumb_strategies_execution {
    enum plumb_strategies_ending outcome;
    const struct plumb_strategies_step
        *step; /* NULL: only their number is known */
    uint32_t length;
    uint32_t cycle; /* of PLUMB_ENDLESS */
};

/* dfs, random and pct do executions in *portions*, which come in an order.  Who
 * shares an exploration with others, who do the same, is asked before each. */
enum plumb_strategies_share {
    PLUMB_SHARE_RUN,
    PLUMB_SHARE_SKIP, /* as if it had been run: whoever says so adds what came
                         of it to the stats                                 */
    PLUMB_SHARE_END   /* no more */
};

struct plumb_strategies_portion {
    uint64_t first; /* random, pct: executions before it                   */
    uint64_t most;  /* executions in it: with random and pct so many, with
                       dfs perhaps more.  May be set, to the same by all   */
    bool meets;     /* pct: what it does depends on stats->longest, which is
                       to be that of all portions before it                */
};

/* dpor is shared in another way.  What is below a step is a *branch*; the
 * leader gives branches to hands, other processes with the same machine and the
 * same options, a *piece* at a time, and puts together what came of them in the
 * order in which it would have come to them (dpor_branches.c).  Whoever offers
 * hands keeps what was told and counted in each piece. */
enum plumb_strategies_hand {
    PLUMB_HAND_NONE,
    PLUMB_HAND_THERE,
    PLUMB_HAND_SELF /* this process is a hand from here on */
};

enum { PLUMB_MOST_BRANCHES = 256 };

enum plumb_strategies_piece_end {
    PLUMB_PIECE_DONE,
    PLUMB_PIECE_NEWS, /* it has to be done by the leader, in its place: all is
                          as if it had not been given */
    PLUMB_PIECE_STOP  /* there is no time */
};

struct plumb_strategies_hands {
    /* Between executions, of which there were so many: is there help? */
    enum plumb_strategies_hand (*begin)(void *context, uint64_t executions);
    /* A piece goes on if it has done so many executions. */
    bool (*goes_on)(void *context, uint64_t executions);

    /* The leader.  Is there a hand without work?  Then it gets this one. */
    bool (*is_idle)(void *context);
    enum plumb_strategies_hand (*give)(void *context, unsigned branch,
                                       const void *piece, size_t size);
    /* Waits for any.  The piece, as it is now, is valid until the next call. */
    enum plumb_strategies_piece_end (*wait)(void *context, unsigned *branch,
                                            const void **piece, size_t *size);
    /* What came of the piece that was waited for comes behind all that came of
     * this branch.  0 is that of the leader itself: to the stats.  False: it
     * cannot be taken, and was not. */
    bool (*take)(void *context, unsigned branch);
    /* What came of a branch comes behind what came of another.  Likewise. */
    bool (*join)(void *context, unsigned to, unsigned from);
    void (*drop)(void *context, unsigned branch);

    /* A hand.  Waits for a piece; false: no more. */
    bool (*next)(void *context, const void **piece, size_t *size);
    void (*done)(void *context, const void *piece, size_t size);
};

/* How an execution goes back to a moment that lies behind it. */
enum plumb_strategies_back {
    PLUMB_BACK_RESTORE, /* from the last moment that the machine has kept    */
    PLUMB_BACK_REPEAT,  /* by doing all steps again                          */
    PLUMB_BACK_BOTH     /* first the one and then the other, and compare     */
};

/* All zero is dpor without limits. */
struct plumb_strategies_explore_options {
    enum plumb_strategy strategy;
    /* dpor: the order of a RETURN and a CALL matters. */
    bool calls;
    /* dpor, dfs, states: at most so many preemptions, if bounded.  One is a
     * switch away from a thread that is ready and does not give way. */
    bool bounded;
    uint32_t preemptions;
    /* dfs, random, pct: a thread that gives way again and again does not keep
     * others from going on (fairness.h).  With dfs this leaves out schedules,
     * and if it did nothing is said to be exhausted.
     * states, bounded: a thread that came back to where it was by itself has
     * given way, so that to go on with another is no preemption. */
    bool fair;
    /* random, pct: the seed, and for pct the number of steps at which the
     * running thread gets the lowest priority. */
    uint64_t seed;
    uint32_t changes;
    /* End after so many executions of all outcomes; 0 is never.  random and pct
     * never end by themselves. */
    uint64_t executions;
    /* Give up an execution after so many steps; 0 is never. */
    uint32_t steps;
    enum plumb_strategies_back back;
    struct plumb_budget *budget;
    /* If there is one, told of every execution; false ends the exploration. */
    bool (*ended)(void *context,
                  const struct plumb_strategies_execution *execution);
    void *context;
    /* dfs, random, pct: asked before each portion, unless it is NULL; and told
     * at its end, if it was run to its end. */
    enum plumb_strategies_share (*portion)(
        void *context, struct plumb_strategies_portion *portion);
    void (*portion_ended)(void *context);
    /* dpor: others that help, if any, with the same context. */
    const struct plumb_strategies_hands *hands;
};

struct plumb_strategies_explore_stats {
    uint64_t complete; /* executions, deadlocks among them               */
    uint64_t deadlocks;
    uint64_t asleep, cut;
    uint64_t states, edges, seen; /* states: distinct ones, steps between
                                     them, executions given up there      */
    uint64_t endless;             /* ... and the cycles that were told     */
    uint64_t steps;    /* done for the first time                        */
    uint64_t repeated; /* done again on the way to another execution     */
    uint64_t races;    /* dpor: pairs of events to be tried reversed     */
    uint64_t withheld; /* steps at which fairness kept some thread back  */
    uint32_t longest;  /* steps of the longest execution                 */
    bool exhausted;    /* all there are within the bound, and none cut or
                          withheld                                       */
    bool limited;      /* the bound kept some thread from going on: there
                          are schedules with more preemptions            */
};

/* What was done in another piece of the same exploration.  Whether it is
 * exhausted is for whoever puts them together. */
void plumb_strategies_add_stats(struct plumb_strategies_explore_stats *to,
                                const struct plumb_strategies_explore_stats *n);

/* PLUMB_OK: exhausted, or ended by options.ended or options.executions.
 * PLUMB_EMEMORY, PLUMB_ETIME, PLUMB_ESTOP: by the budget.  PLUMB_EINPUT: the
 * machine did something else when its steps were repeated.  `stats` tells what
 * was done until then. */
enum plumb_status plumb_strategies_explore(
    const struct plumb_strategies_machine *machine,
    const struct plumb_strategies_explore_options *options,
    struct plumb_strategies_explore_stats *stats, struct plumb_error *err);

#endif
