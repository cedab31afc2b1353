/* scenario.h - which operations each process of a small test performs. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include "record/log.h"
#include <stdbool.h>

enum { MAX_PROCESSES = 6, MAX_INVOKED = 16 };

/* Processes are 0, 1, ...; who runs `init` and `final` is none of them. */
enum { OUTSIDE = MAX_PROCESSES };

struct invoked {
    unsigned process; /* or OUTSIDE */
    const struct plumb_operation *operation;
    struct plumb_entry entry; /* the call alone: number and arguments */
};

/* In the order of the text: first `init`, then process by process, then
 * `final`.  Part p of it, OUTSIDE for init and OUTSIDE + 1 for final, is
 * op[first[p]] .. op[first[p] + length[p] - 1]. */
struct scenario {
    unsigned processes, count;
    unsigned first[MAX_PROCESSES + 2], length[MAX_PROCESSES + 2];
    struct invoked op[MAX_INVOKED];
};

/* "enq(1) deq() | deq()"; `init` and `final` may be NULL.  False after saying
 * on stderr what is wrong. */
bool scenario_parse(struct scenario *s, const struct plumb_object *object,
                    const char *init, const char *text, const char *final);

#endif
