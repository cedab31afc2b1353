/* weak_orders.c - see weak_orders.h.
 *
 * A place is added once, by whichever process is there first.  What that leaves
 * on the stack is cleared: it would make two states of one. */
#include "weak_orders.h"

#include "base/hash.h"
#include "runtime/explore/job/job.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/scheduler/fiber_switch.h"
#include "runtime/explore/scheduler/scheduler_state.h"

#include <string.h>

enum { WIPED = 512 };

const void *hooks_weak_orders_known[WEAK_ORDERS_KNOWN];

static _Atomic uint32_t nowhere[JOB_WEAK_ORDERS];
static _Atomic uint32_t *places = nowhere;

void hooks_weak_orders_tell(_Atomic uint32_t *place)
{
    memset(hooks_weak_orders_known, 0, sizeof hooks_weak_orders_known);
    places = place;
}

/* 0 is an empty slot; no code is at offset 0. */
static __attribute__((noinline)) void insert(uint32_t offset)
{
    const uint64_t first = plumb_base_mix1(offset);
    for (unsigned i = 0; i < JOB_WEAK_ORDERS; i++) {
        _Atomic uint32_t *const slot = &places[(first + i) % JOB_WEAK_ORDERS];
        uint32_t there = 0;
        /* relaxed: read when all processes have ended */
        if (atomic_compare_exchange_strong_explicit(slot, &there, offset,
                                                    memory_order_relaxed,
                                                    memory_order_relaxed) ||
            there == offset)
            return;
    }
}

static __attribute__((noinline)) void wipe(void)
{
    char below[WIPED];
    memset(below, 0, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
    scheduler_fiber_clear_registers();
}

__attribute__((noinline)) void hooks_weak_order_add(const void *pc)
{
    if (!scheduler_inside || scheduler.alone || scheduler.threads < 2)
        return; /* nobody is there who could see another order */
    *hooks_weak_order_known(pc) = pc;
    if (memory_image_has_code(pc))
        insert((uint32_t)memory_image_offset(pc));
    wipe();
}
