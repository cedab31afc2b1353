/* scenario.h - which operations each process of a small test performs. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include "record/log.h"
#include <stdbool.h>

enum { MAX_PROCESSES = 6, MAX_INVOKED = 16 };

/* Process 0 also performs what comes before and after the others run. */
enum { BEFORE = MAX_PROCESSES, AFTER, PARTS };

struct invoked {
    unsigned process;
    const struct plumb_operation *operation;
    struct plumb_record_entry entry; /* the call alone: number and arguments */
};

/* Part p, a process or BEFORE or AFTER, is op[first[p]] and what follows,
 * length[p] of them. */
struct scenario {
    unsigned processes, count;
    unsigned first[PARTS], length[PARTS];
    struct invoked op[MAX_INVOKED];
};

/* "enq(1) deq() | deq()"; `init` and `final` may be NULL.  False after saying
 * on stderr what is wrong. */
bool scenario_parse(struct scenario *s, const struct plumb_object *object,
                    const char *init, const char *text, const char *final);

#endif
