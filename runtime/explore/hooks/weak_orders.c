/* weak_orders.c - see weak_orders.h.
 *
 * A place is added once, by whichever process is there first, and not on the
 * stack of the thread that met it. */
#include "weak_orders.h"

#include "base/hash.h"
#include "runtime/explore/job/job.h"
#include "runtime/explore/memory/image.h"

#include <string.h>

const void *hooks_weak_orders_known[WEAK_ORDERS_KNOWN];
const void *hooks_weak_orders_met[WEAK_ORDERS_MET];
unsigned hooks_weak_orders_meeting;

static _Atomic uint32_t nowhere[JOB_WEAK_ORDERS];
static _Atomic uint32_t *places = nowhere;

void hooks_weak_orders_tell(_Atomic uint32_t *place)
{
    memset(hooks_weak_orders_known, 0, sizeof hooks_weak_orders_known);
    places = place;
}

/* 0 is an empty slot; no code is at offset 0. */
static void insert(uint32_t offset)
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

void hooks_weak_orders_take(void)
{
    for (unsigned i = 0; i < hooks_weak_orders_meeting; i++) {
        const void *const pc = hooks_weak_orders_met[i];
        *hooks_weak_order_known(pc) = pc;
        if (memory_image_has_code(pc))
            insert((uint32_t)memory_image_offset(pc));
    }
    hooks_weak_orders_meeting = 0;
}
