/* weak_orders.h - atomic accesses that ask for less than sequential consistency,
 * which is what they get here. */
#ifndef PLUMB_RUNTIME_EXPLORE_HOOKS_WEAK_ORDERS_H
#define PLUMB_RUNTIME_EXPLORE_HOOKS_WEAK_ORDERS_H

#include <stdatomic.h>
#include <stdint.h>

/* From now on their places are written there, to JOB_WEAK_ORDERS slots; several
 * processes may share them. */
void hooks_weak_orders_tell(_Atomic uint32_t *place);

/* The ones that this process knows, by a hash. */
enum { WEAK_ORDERS_KNOWN = 1024 };
extern const void *hooks_weak_orders_known[WEAK_ORDERS_KNOWN];

static inline const void **hooks_weak_order_known(const void *pc)
{
    const uintptr_t at = (uintptr_t)pc;
    return &hooks_weak_orders_known[(at ^ at >> 10) % WEAK_ORDERS_KNOWN];
}

/* Those that the thread which runs met, until it stands again.  A call would
 * leave a trace on the stack, and only the first time: it would make two states
 * of one. */
enum { WEAK_ORDERS_MET = 16 };
extern const void *hooks_weak_orders_met[WEAK_ORDERS_MET];
extern unsigned hooks_weak_orders_meeting; /* how many */

static inline void hooks_weak_order_note(const void *pc, int order)
{
    if (order != memory_order_seq_cst && *hooks_weak_order_known(pc) != pc &&
        hooks_weak_orders_meeting < WEAK_ORDERS_MET)
        hooks_weak_orders_met[hooks_weak_orders_meeting++] = pc;
}

/* Not on a fiber: from now on they are known. */
void hooks_weak_orders_take(void);

#endif
