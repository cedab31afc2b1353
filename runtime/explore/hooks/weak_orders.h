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

void hooks_weak_order_add(const void *pc) __attribute__((cold));

static inline void hooks_weak_order_note(const void *pc, int order)
{
    if (order != memory_order_seq_cst && *hooks_weak_order_known(pc) != pc)
        hooks_weak_order_add(pc);
}

#endif
