/* machine_adapter.h - the scheduler from outside: what is run, and the machine it is.
 *
 * The host loads a target (image.h), says what its first threads do, and gets
 * a struct plumb_strategies_machine for the strategies. */
#ifndef PLUMB_RUNTIME_EXPLORE_SCHEDULER_MACHINE_ADAPTER_H
#define PLUMB_RUNTIME_EXPLORE_SCHEDULER_MACHINE_ADAPTER_H

#include "runtime/explore/races/races.h"
#include "runtime/explore/races/step_races.h"
#include "scheduler.h"

/* A thread that is there when an execution begins. */
struct scheduler_adapter_role {
    void (*body)(void *argument);
    void *argument;
    struct plumb_strategies_event first; /* it stands before */
    scheduler_condition *ready;          /* or NULL          */
    const void *what;
};

/* What becomes of a thread that has done a round (waiting_loops.h). */
enum scheduler_adapter_pruning {
    PRUNE_NOT,
    PRUNE_WAIT,  /* it waits until something that it has read is changed     */
    PRUNE_LEAVE, /* it does nothing more: what it would do after a change, it
                    does in an execution in which it did not come so early   */
    PRUNE_WATCH /* it may go on; only scheduler_adapter_awaits() knows                */
};

struct memory_tape;
struct scheduler_adapter_play {
    const struct scheduler_adapter_role *role;
    unsigned roles;
    bool tidy;   /* stacks keep nothing of calls that have returned, so that
                  fewer states differ */
    bool split;  /* calls and returns are events of their own */
    bool serial; /* ... also the first call of a role that stands before
                    something else */
    bool frees;  /* so is to free a block: it writes all of it.  For who knows
                   nothing but events and looks for no races, which tell where
                   that is needed */
    bool ends;   /* a role may end its thread from any depth */
    enum scheduler_adapter_pruning prune;
    void *context;
    /* An operation was called, or has returned.  Not told on a fiber: it may
     * allocate.  False: the history is a violation. */
    bool (*told)(void *context, unsigned op, bool returned);
    /* What there is to tell apart in histories, and of histories that this does
     * not tell apart, the class (strategies/machine.h). */
    uint64_t (*history)(void *context);
    uint32_t (*class)(void *context);
    bool (*covers)(void *context, uint32_t narrow, uint32_t wide);
    /* An execution begins. */
    void (*begun)(void *context);
    /* What of the execution is the play's own.  NULL: it cannot be put back. */
    void (*pass)(void *context, struct memory_tape *tape);
    /* Everybody who can go on stands before a call, which nobody has to make,
     * and operations wait.  Not told on a fiber.  False: they may not wait, as
     * *finding says, and the execution ends here.  NULL: nobody can tell. */
    bool (*stuck)(void *context, struct scheduler_finding *finding);
    /* Races that no execution told of yet. */
    void (*raced)(void *context, const struct race *race);
    /* Accesses that can come either way round, of which no execution so far is
     * to show that they race.  NULL: all is to be explored again. */
    void (*suspected)(void *context, const struct race *race);
};

/* Once.  False when the system refuses memory or threads. */
bool scheduler_adapter_open(void);

/* Run body(argument) as thread 0, with nobody else there and no events: what
 * comes before all executions, if scheduler_adapter_begin_here() follows.  False: it ended
 * otherwise (scheduler_adapter_finding), or it cannot be done once for all (*often: it
 * starts a thread, waits, or chooses). */
bool scheduler_adapter_prepare(void (*body)(void *), void *argument,
                               bool *often);

/* The world as it is now is what executions begin with. */
bool scheduler_adapter_begin_here(void);

/* Fibers for so many threads are there; more are made when they are needed. */
bool scheduler_adapter_cast(unsigned threads);

/* The machine of this play; until the next call. */
struct plumb_strategies_machine scheduler_adapter_machine(
    const struct scheduler_adapter_play *play);

/* How the execution ended, so far: fault NONE if nothing is wrong. */
const struct scheduler_finding *scheduler_adapter_finding(void);
bool scheduler_adapter_exited(int *status);

/* Plain accesses at `pc` are events from the next execution on.  False if they
 * were before, or there are too many. */
bool scheduler_adapter_interleave(const void *pc);
/* How many places were in the execution that runs. */
unsigned scheduler_adapter_points(void);

/* Threads that go round until somebody changes something, and would do the same
 * again. */
uint64_t scheduler_adapter_awaits(void);

/* Has any thread done what may wait for what another operation does?  All but
 * for locks that an operation takes and gives back.  Since there is this
 * machine. */
bool scheduler_adapter_may_wait(void);

/* Threads that can go on, with a call. */
uint64_t scheduler_adapter_calling(void);

/* PRUNE_LEAVE: threads on whose stacks others have been, in any execution.
 * What is theirs alone cannot be told, so they are not pruned from then on. */
uint64_t scheduler_adapter_visited_stacks(void);

/* For reports. */
unsigned scheduler_adapter_threads(void);
bool scheduler_adapter_stack(unsigned thread, uintptr_t *at, size_t *size);
bool scheduler_adapter_locals(unsigned thread, uintptr_t *at, size_t *size);
uint64_t scheduler_adapter_hooks(void); /* called so far, of all kinds        */
uint64_t scheduler_adapter_failed_swaps(void);

/* Does the thread wait, and where? */
bool scheduler_adapter_waits(unsigned thread);
const void *scheduler_adapter_place(unsigned thread);

#endif
