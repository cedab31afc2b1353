/* serial.h - every serial execution: threads change only between operations.
 *
 * (Line-Up, section 3.2.)  A *moment* is where no operation is open.  From each
 * moment every operation that a thread is about to call is run to its return,
 * or to where it waits for ever although others could go on.  Two moments with
 * the same fingerprint have the same future, so that each is left only once:
 * what comes out is a graph of moments, whose paths are the serial histories.
 *
 * Threads that call no operations, such as those an operation starts, may go on
 * at any time: they are not serial.  What an operation chooses it chooses in
 * every way. */
#ifndef PLUMB_STRATEGIES_SERIAL_H
#define PLUMB_STRATEGIES_SERIAL_H

#include "explore.h"

#include <plumb/budget.h>
#include <plumb/error.h>

enum plumb_strategies_serial_kind {
    PLUMB_SERIAL_RETURNS, /* the operation answers, and leads to `to`         */
    PLUMB_SERIAL_STUCK,   /* it waits for ever: nothing follows               */
    PLUMB_SERIAL_HIDDEN   /* a thread beside the operations went on, to `to`  */
};

/* Moments are numbered from 0, where every execution begins. */
struct plumb_strategies_serial_edge {
    enum plumb_strategies_serial_kind kind;
    uint32_t from, to;
    uint32_t op, answer;
};

struct plumb_strategies_serial {
    /* Calls and returns are events of their own, which tell the operation as
     * their `at`; it has fingerprints.  A step that does both is a RETURN. */
    const struct plumb_strategies_machine *machine;
    struct plumb_budget *budget;
    uint32_t steps; /* of an execution; 0: no limit */
    enum plumb_strategies_back back;
    /* Thread 0 leads the others: outside of operations it goes first. */
    bool leader;
    void *context;
    /* May a thread that is outside of operations go first, because nobody can
     * tell when it does this?  NULL: none may. */
    bool (*is_unseen)(void *context, unsigned thread,
                      const struct plumb_strategies_event *event);
    /* What the operation that has just returned answered, as a number. */
    uint32_t (*answer)(void *context, unsigned op);
    /* The machine has ended early: a fault, an exit. */
    bool (*is_broken)(void *context);
    /* False: that is enough. */
    bool (*edge)(void *context, const struct plumb_strategies_serial_edge *e);
};

struct plumb_strategies_serial_stats {
    uint32_t moments;
    uint64_t runs; /* of an operation, or of a part of one after a choice */
    bool cut;      /* some execution was longer than `steps`, or had too
                      many choices in one operation                       */
    bool broken;   /* ... or ended early: nothing was told of its last part */
};

/* PLUMB_OK, or what plumb_strategies_explore() answers. */
enum plumb_status plumb_strategies_explore_serial(
    const struct plumb_strategies_serial *serial,
    struct plumb_strategies_serial_stats *stats, struct plumb_error *err);

#endif
