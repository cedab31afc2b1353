/* machine.h - a program whose threads wait for us before every event.
 *
 * The waist between strategies (which schedules to run) and what runs them: the
 * runtime with real code on fibers, or a small interpreter in a test.  An
 * execution is a sequence of steps; a step lets one thread do the event it
 * stands before, and run on until it stands before the next.
 *
 * Two events are *dependent* if they are of one thread, or both touch a common
 * byte and one of them writes it, or both want the same lock.  Executions that
 * differ only in the order of independent events have the same results.
 *
 * What a machine owes its strategy: the same steps lead to the same states and
 * events; what is enabled stays so until a dependent event; a thread waits only
 * for a lock (LOCK, until the UNLOCK), for what a SYNC of the same object
 * changes, for the end of a thread (JOIN), or for a change of what
 * `awaits` tells; this last not under dpor without a bound. */
#ifndef PLUMB_STRATEGIES_MACHINE_H
#define PLUMB_STRATEGIES_MACHINE_H

#include "base/rng.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { PLUMB_MAX_THREADS = 64, PLUMB_MOST_MOMENTS = 1024 };

enum plumb_strategies_event_kind {
    PLUMB_EVENT_LOCAL,  /* dependent on nothing of others                */
    PLUMB_EVENT_READ,   /* of [at, at + size)                            */
    PLUMB_EVENT_WRITE,  /* also what reads and writes in one step        */
    PLUMB_EVENT_FAILED, /* a compare-and-swap that has only read         */
    PLUMB_EVENT_LOCK,   /* acquires the lock at `at`, which is no memory:
                           dependent on others that do                   */
    PLUMB_EVENT_UNLOCK, /* releases it: orders the LOCK behind it, but
                           the two cannot come the other way round       */
    PLUMB_EVENT_SYNC,   /* anything else with the object at `at`, a
                           condition or semaphore or lock that is tried:
                           may wait; dependent on every SYNC, LOCK and
                           UNLOCK of it                                  */
    PLUMB_EVENT_CHOICE, /* takes one of `size` options; dependent on
                           nothing                                       */
    PLUMB_EVENT_CALL,   /* of an operation: dependent on every RETURN    */
    PLUMB_EVENT_RETURN, /* ... and that on every CALL                    */
    PLUMB_EVENT_SPAWN,  /* thread `at` exists from here on; dependent on
                           every SPAWN, because they number the threads  */
    PLUMB_EVENT_EXIT,   /* ends all threads: what the others were about to
                           do they could have done before                */
    PLUMB_EVENT_JOIN    /* thread `at` has ended: enabled only then      */
};

struct plumb_strategies_event {
    uint64_t at;
    uint32_t size;
    enum plumb_strategies_event_kind kind;
};

enum plumb_strategies_standing {
    PLUMB_READY,   /* before an event that it can do  */
    PLUMB_WAITING, /* before one that it cannot do now */
    PLUMB_LEFT,    /* before one that it could do, but has come to where it
                      was before, having changed nothing; it does nothing more,
                      because what it does from here it also does in an
                      execution in which it did not go round               */
    PLUMB_ENDED
};

/* Who goes on, step by step. */
#define PLUMB_NOBODY UINT32_MAX
struct plumb_strategies_walker {
    void *context;
    /* Asked before each step, with what the last one of this walk was
     * (NULL at first); `ready` and `yields` as the machine has
     * them.  A thread that is ready, and an option for it; or PLUMB_NOBODY:
     * that is all. */
    unsigned (*next)(void *context, const struct plumb_strategies_event *done,
                     uint64_t ready, uint64_t yields, unsigned *option);
    bool blind; /* it does not look at `ready` and `yields`, which are 0 */
};

/* A whole execution by chance, of which only its end is wanted. */
struct plumb_strategies_random_run {
    struct plumb_base_rng rng;
    uint32_t most; /* steps */
    uint32_t length;
    /* The schedule while it is walked: a thread and an option for each step. */
    uint8_t (*written)[2];
    _Atomic uint32_t *writing; /* its length */
};

struct plumb_strategies_machine {
    void *context;
    /* Begin a new execution. */
    void (*begin)(void *context);
    /* Threads are numbered in the order they came to be; those of the
     * beginning are there before the first step. */
    unsigned (*threads)(void *context);
    /* Bit t: thread t can do its event now. */
    uint64_t (*ready)(void *context);
    /* Where a thread stands; before which event, unless it has ended. */
    enum plumb_strategies_standing (*stand)(
        void *context, unsigned thread, struct plumb_strategies_event *event);
    /* Let a thread that is ready do its event.  `event` becomes what it turned
     * out to be.  `option`: of a CHOICE, below its size; else 0. */
    void (*step)(void *context, unsigned thread, unsigned option,
                 struct plumb_strategies_event *event);
    /* Many steps at once, until nobody is ready or wanted: the same as steps one
     * by one, and faster.  NULL: the machine cannot. */
    void (*walk)(void *context, const struct plumb_strategies_walker *walker);
    /* From the beginning on: each step is of any thread that is ready, all
     * equally likely, and so are the options of a CHOICE, which are drawn after
     * the thread.  True: all threads have ended, and there is no more to tell.
     * False: it is to be done again step by step, with the same numbers.
     * NULL: the machine cannot. */
    bool (*random_run)(void *context, struct plumb_strategies_random_run *run);
    /* Bit t: thread t gives way, so that to go on with another is no
     * preemption although it is ready.  NULL: none ever does. */
    uint64_t (*yields)(void *context);
    /* What a thread has read, that goes round until some of it is changed: so
     * many READs, at most `most`.  NULL: none ever does. */
    unsigned (*awaits)(void *context, unsigned thread,
                       struct plumb_strategies_event *read, unsigned most);
    /* Two moments with the same fingerprint have the same future: the same
     * threads, values, and whatever the user wants to tell apart.  NULL: the
     * machine has none, and states cannot be explored.  The result is the
     * *class* of the moment, see below. */
    uint32_t (*fingerprint)(void *context, uint64_t hash[2]);
    /* Of two moments with the same fingerprint: does everything that can go
     * wrong after one of class `wide` go wrong after one of class `narrow`?
     * Then who has explored that need not explore this.  NULL: only if the
     * classes are equal. */
    bool (*covers)(void *context, uint32_t narrow, uint32_t wide);
    /* Bit t: thread t is ready, before a CALL that it need not make: others who
     * wait for that wait for ever.  NULL: every call is made. */
    uint64_t (*calling)(void *context);
    /* Going back without repeating.  Kept moments are a stack: each lies before
     * the next in one execution.  keep() puts the moment now on it as number n,
     * in place of those from n on, or refuses: it cannot, or it would not be
     * worth it.  restore() makes the n-th the moment now; it stays, and those
     * after it are forgotten.  begin() leaves the stack alone: whoever begins
     * and does the same steps again may use it.  Both NULL: the machine cannot. */
    bool (*keep)(void *context, unsigned n);
    void (*restore)(void *context, unsigned n);
    /* The step that was just done was done in its state for the first time:
     * what is compared with what else can be done there need not be compared
     * again.  Told by who explores states, depth first; or NULL. */
    void (*taken)(void *context);
};

/* Of two threads: does their order matter? */
bool plumb_strategies_events_depend(const struct plumb_strategies_event *a,
                                    const struct plumb_strategies_event *b);

#endif
