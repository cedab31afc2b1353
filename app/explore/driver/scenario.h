/* scenario.h - which operations each thread does.
 *
 * Texts as in record/script.h: "enq(1) | deq() deq()" is a test of two threads;
 * what is in `init` one thread does before them, and `final` after them. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_SCENARIO_H
#define PLUMB_APP_EXPLORE_DRIVER_SCENARIO_H

#include "runtime/explore/job/job.h"
#include <plumb/error.h>

struct explore_scenario {
    char init[JOB_TEXT], test[JOB_TEXT], final[JOB_TEXT];
};

/* How large the test is. */
struct explore_scenario_shape {
    unsigned threads, least, most; /* operations of a thread */
};
struct explore_scenario_shape explore_scenario_shape(
    const struct explore_scenario *s);

/* Operations, those of init and final as well. */
unsigned explore_scenario_size(const struct explore_scenario *s);

/* `s` without its operation `k`, which are counted through init, test and
 * final.  A thread without operations is left out unless `keep`: where threads
 * differ by their number. */
void explore_scenario_without(const struct explore_scenario *s, unsigned k,
                              bool keep, struct explore_scenario *out);

/* `s` with the first operation of thread `t` of the test done before all others
 * are.  False: it has none, or there is no room. */
bool explore_scenario_moved(const struct explore_scenario *s, unsigned t,
                            bool keep, struct explore_scenario *out);

/* `s` with what thread `b` does done by thread `a`, afterwards.  False: there
 * are no such threads. */
bool explore_scenario_joined(const struct explore_scenario *s, unsigned a,
                             unsigned b, struct explore_scenario *out);

/* For how many threads, from the first on, does it matter which number they
 * have?  The others are alike. */
unsigned explore_threads_differ(const struct plumb_object *object);

/* Are these operations of the object, and not too many?  The error's message
 * names the part: "--test, column 5: ...". */
enum plumb_status explore_scenario_check(const struct explore_scenario *s,
                                         const struct plumb_object *object,
                                         struct plumb_error *err);

/* The first operation of the test that the object leaves to other threads than
 * the one that does it: *thread, from 0.  NULL if all is as it says. */
const struct plumb_operation *explore_scenario_misuse(
    const struct explore_scenario *s, const struct plumb_object *object,
    unsigned *thread);

#endif
