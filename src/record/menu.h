/* menu.h - what a process may invoke next: operations and arguments by chance.
 *
 * Some operations may wait for ever, as taking from an empty queue does, and a
 * history that gets stuck costs a long time.  Which ones they are is learned
 * from histories that did get stuck.  A *careful* process invokes such an
 * operation only if it has invoked more of the others: then, whoever is served
 * first, there is something left for each that waits, if every other operation
 * serves one that waits. */
#ifndef PLUMB_RECORD_MENU_H
#define PLUMB_RECORD_MENU_H

#include "base/rng.h"
#include "log.h"

struct plumb_record_menu {
    const struct plumb_object *object;
    unsigned operations;
    uint32_t waiting; /* a bit per operation that may wait for ever */
    uint64_t base;    /* fresh values of process p are p * base + 1, ... */
    unsigned words[PLUMB_MAX_OPERATIONS][PLUMB_MAX_ARGUMENTS];
    /* Values that come from a range or a list are made unique, too: 3 becomes
     * 3, the process and a counter in one number, in this order; red becomes
     * red.101.  What orders values orders them as before, and of two that were
     * equal the one before the other. */
    bool unique;
};

/* Is the process, from 0, one of those that may call the operation? */
static inline bool plumb_record_may_invoke(const struct plumb_operation *o,
                                           unsigned process)
{
    switch (o->by) {
    case PLUMB_BY_FIRST:
        return process == 0;
    case PLUMB_BY_SECOND:
        return process == 1;
    case PLUMB_BY_OTHERS:
        return process != 0;
    default:
        return true;
    }
}

/* The object was found complete; no process invokes more than `most`. */
void plumb_record_menu_init(struct plumb_record_menu *m,
                            const struct plumb_object *object, uint64_t most);

/* How far a process has got in one history. */
struct plumb_record_guest {
    unsigned process;  /* from 0 */
    uint64_t position; /* of its next operation, from 0 */
    int served;        /* operations that cannot wait minus those that may */
    bool careful;
    struct plumb_base_rng rng;
};

/* Fill in operation and arguments, and what else an entry has before its call.
 * False if the process may invoke nothing of this object. */
bool plumb_record_menu_choose(const struct plumb_record_menu *m,
                              struct plumb_record_guest *g,
                              struct plumb_record_entry *e);

#endif
