/* theatre.h - the stage from outside: what is played, and the machine it is.
 *
 * The host loads a target (image.h), says what its first threads do, and gets
 * a struct plumb_machine for the strategies. */
#ifndef PLUMB_EXPLORE_THEATRE_H
#define PLUMB_EXPLORE_THEATRE_H

#include "runtime/explore/races/races.h"
#include "stage.h"
#include "runtime/explore/races/tails.h"

/* A thread that is there when an execution begins. */
struct theatre_role {
    void (*body)(void *argument);
    void *argument;
    struct plumb_event first; /* it stands before */
    stage_condition *ready;   /* or NULL          */
    const void *what;
};

/* What becomes of a thread that has done a round (awaiting.h). */
enum theatre_pruning {
    PRUNE_NOT,
    PRUNE_WAIT,  /* it waits until something that it has read is changed     */
    PRUNE_LEAVE, /* it does nothing more: what it would do after a change, it
                    does in an execution in which it did not come so early   */
    PRUNE_WATCH  /* it may go on; only theatre_awaits() knows                */
};

struct theatre_play {
    const struct theatre_role *role;
    unsigned roles;
    bool tidy;  /* stacks keep nothing of calls that have returned, so that
                  fewer states differ */
    bool split; /* calls and returns are events of their own */
    bool frees; /* so is to free a block: it writes all of it.  For who knows
                   nothing but events and looks for no races, which tell where
                   that is needed */
    enum theatre_pruning prune;
    void *context;
    /* An operation was called, or has returned.  Not told on a fiber: it may
     * allocate.  False: the history is a violation. */
    bool (*told)(void *context, unsigned op, bool returned);
    /* What there is to tell apart in histories, and of histories that this does
     * not tell apart, the class (sched/machine.h). */
    uint64_t (*history)(void *context);
    uint32_t (*class)(void *context);
    bool (*covers)(void *context, uint32_t narrow, uint32_t wide);
    /* An execution begins. */
    void (*begun)(void *context);
    /* Races that no execution told of yet. */
    void (*raced)(void *context, const struct race *race);
    /* Accesses that can come either way round, of which no execution so far is
     * to show that they race.  NULL: all is to be explored again. */
    void (*suspected)(void *context, const struct race *race);
};

/* Once.  False when the system refuses memory or threads. */
bool theatre_open(void);

/* Run body(argument) as thread 0, with nobody else there and no events: what
 * comes before all executions, if theatre_begin_here() follows.  False: it ended
 * otherwise (theatre_finding), or it cannot be done once for all (*often: it
 * starts a thread, waits, or chooses). */
bool theatre_prepare(void (*body)(void *), void *argument, bool *often);

/* The world as it is now is what executions begin with. */
bool theatre_begin_here(void);

/* Fibers for so many threads are there; more are made when they are needed. */
bool theatre_cast(unsigned threads);

/* The machine of this play; until the next call. */
struct plumb_machine theatre_machine(const struct theatre_play *play);

/* How the execution ended, so far: fault NONE if nothing is wrong. */
const struct stage_finding *theatre_finding(void);
bool theatre_exited(int *status);

/* Plain accesses at `pc` are events from the next execution on.  False if they
 * were before, or there are too many. */
bool theatre_interleave(const void *pc);
/* How many places were in the execution that runs. */
unsigned theatre_points(void);

/* Threads that go round until somebody changes something, and would do the same
 * again. */
uint64_t theatre_awaits(void);

/* PRUNE_LEAVE: threads on whose stacks others have been, in any execution.
 * What is theirs alone cannot be told, so they are not pruned from then on. */
uint64_t theatre_visited_stacks(void);

/* For reports. */
unsigned theatre_threads(void);
bool theatre_stack(unsigned thread, uintptr_t *at, size_t *size);
bool theatre_locals(unsigned thread, uintptr_t *at, size_t *size);
uint64_t theatre_hooks(void); /* called so far, of all kinds        */
uint64_t theatre_failed_swaps(void);

/* Where the thread stands, and the event: for deadlocks. */
const void *theatre_place(unsigned thread);

#endif
