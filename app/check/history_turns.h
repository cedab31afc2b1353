/* history_turns.h - several histories, decided in turns and printed in order.
 *
 * A hard history must not keep easy ones behind it from being decided.  Each is
 * given some steps of the specification, and those that are not decided with
 * these wait and are given four times as many, the smallest first, until one is
 * left.  Steps, not seconds: what is printed does not depend on the threads. */
#ifndef PLUMB_APP_CHECK_HISTORY_TURNS_H
#define PLUMB_APP_CHECK_HISTORY_TURNS_H

#include "pool.h"
#include "source.h"

struct check_turns {
    struct check_pool *pool;
    struct check_source *source;
    struct plumb_budget *budget;
    unsigned jobs;
    /* False: nobody can read it. */
    bool (*print)(void *context, const struct check_subject *s);
    void *context;
};

/* Decide and print `first` and what the source has behind it.  False: out of
 * memory. */
bool check_take_turns(struct check_turns *t, struct check_subject *first);

#endif
