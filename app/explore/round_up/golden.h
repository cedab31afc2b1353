/* golden.h - phase 1 of Round-Up: the legal sequential histories of a test.
 *
 * They are those of a *golden model*: a built-in specification, or an object
 * that is run with every operation in a lock, such as a sequential version of
 * the object under test, or itself with a factor of 0. */
#ifndef PLUMB_APP_EXPLORE_ROUND_UP_GOLDEN_H
#define PLUMB_APP_EXPLORE_ROUND_UP_GOLDEN_H

#include "app/explore/driver/exploration.h"

/* An operation of a sequential history: its name, arguments and answer. */
struct explore_golden_call {
    const char *name;
    const struct plumb_record_entry *entry;
};

/* Takes one history; false: it cannot go on. */
typedef bool explore_golden_take(void *context,
                                 const struct explore_golden_call *call,
                                 unsigned count);

struct explore_golden {
    const struct exploration *e;
    struct plumb_spec *spec;      /* NULL: it is an object */
    struct objects_target target; /* if so */
};

/* As --golden says; else the specification without its factor.  False after
 * saying why not. */
bool explore_golden_open(struct explore_golden *g, const struct exploration *e);
void explore_golden_close(struct explore_golden *g);

/* What the report calls it. */
const char *explore_golden_name(const struct explore_golden *g);

/* Every history of the test in which all operations return.  False after saying
 * why there are not all of them, unless `take` has had enough. */
bool explore_golden_run(const struct explore_golden *g,
                        const struct explore_scenario *s,
                        explore_golden_take *take, void *context);

/* With a built-in specification: golden_spec.c. */
bool explore_golden_run_spec(const struct explore_golden *g,
                             const struct explore_scenario *s,
                             explore_golden_take *take, void *context);

#endif
