/* machine.h - a program whose threads wait for us before every event.
 *
 * The waist between strategies (which schedules to run) and what runs them: the
 * runtime with real code on fibers, or a small interpreter in a test.  An
 * execution is a sequence of steps; a step lets one thread do the event it
 * stands before, and run on until it stands before the next.
 *
 * Two events are *dependent* if they are of one thread, or both touch a common
 * byte and one of them writes it, or both want the same lock.  Executions that
 * differ only in the order of independent events have the same results. */
#ifndef PLUMB_SCHED_MACHINE_H
#define PLUMB_SCHED_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum { PLUMB_MAX_THREADS = 64 };

enum plumb_event_kind {
    PLUMB_EVENT_LOCAL, /* dependent on nothing of others                 */
    PLUMB_EVENT_READ,  /* of [at, at + size)                             */
    PLUMB_EVENT_WRITE, /* also what reads and writes in one step         */
    PLUMB_EVENT_LOCK,  /* acquires the lock at `at`: dependent on others
                          that do; releases are LOCAL, but order what
                          comes behind them                              */
    PLUMB_EVENT_UNLOCK,
    PLUMB_EVENT_CALL,   /* of an operation: dependent on every RETURN    */
    PLUMB_EVENT_RETURN, /* ... and that on every CALL                    */
    PLUMB_EVENT_SPAWN,  /* thread `at` exists from here on               */
    PLUMB_EVENT_JOIN    /* thread `at` has ended: enabled only then      */
};

struct plumb_event {
    uint64_t at;
    uint32_t size;
    enum plumb_event_kind kind;
};

struct plumb_machine {
    void *context;
    /* Begin a new execution; the same steps lead to the same states. */
    void (*begin)(void *context);
    /* Threads are numbered in the order they came to be; thread 0 is there at
     * the beginning. */
    unsigned (*threads)(void *context);
    /* The event that a thread stands before.  False: it cannot do it now, or
     * has ended. */
    bool (*next)(void *context, unsigned thread, struct plumb_event *event);
    /* Let it.  `event` becomes what it turned out to be: a compare-and-swap
     * that failed has only read. */
    void (*step)(void *context, unsigned thread, struct plumb_event *event);
};

bool plumb_events_depend(const struct plumb_event *a,
                         const struct plumb_event *b);

#endif
