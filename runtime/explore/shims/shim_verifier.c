/* shim_verifier.c - assumptions, and what programs for model checkers call.
 *
 * A thread whose assumption fails stands for ever, and others go on: what they
 * do then could have come before.  So strategies that reverse races see what
 * would have made the assumption hold.  That the thread waits is no deadlock.
 *
 * A block that is atomic is one where only its thread can go on, unless it has
 * to wait.  Strategies that go by events (dpor) know nothing of that. */
#include "runtime/explore/races/races.h"
#include "shims.h"

#include <plumb/object.h>
#include <stdlib.h>

void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);
_Noreturn void __VERIFIER_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
bool __VERIFIER_nondet_bool(void);
long __VERIFIER_nondet_long(void);

static const char world; /* what atomic blocks order */
static bool events_are_all;

void shims_verifier_init(bool goes_by_events)
{
    memory_world_keep(&scheduler_atomic, sizeof scheduler_atomic);
    events_are_all = goes_by_events;
}

/* ---- assumptions ---- */

static void assume(struct shims_place from, bool condition)
{
    if (scheduler_inside && !condition)
        scheduler_give_up(from.pc);
}

void plumb_assume(bool condition)
{
    assume(PLACE, condition);
}

void __VERIFIER_assume(int condition)
{
    assume(PLACE, condition != 0);
}

/* ---- assertions ---- */

_Noreturn void __VERIFIER_error(void)
{
    if (!scheduler_inside)
        abort();
    scheduler_fail(FAULT_ASSERTION, HERE, NULL, "%s() was called", __func__);
}

void __VERIFIER_assert(int condition)
{
    if (!scheduler_inside || condition)
        return;
    scheduler_fail(FAULT_ASSERTION, HERE, NULL, "assertion failed: %s()",
                   __func__);
}

/* ---- blocks ---- */

void __VERIFIER_atomic_begin(void)
{
    const struct shims_place from = PLACE;
    if (!scheduler_inside)
        return;
    if (events_are_all)
        shims_unmodelled(from, "an atomic block, with --strategy dpor");
    scheduler_sync(from.pc, &world, PLUMB_EVENT_SYNC, NULL, NULL);
    scheduler_atomic = scheduler_self() + 1;
    if (races_on)
        races_acquire(scheduler_self(), &world);
}

void __VERIFIER_atomic_end(void)
{
    if (!scheduler_inside)
        return;
    scheduler_sync(HERE, &world, PLUMB_EVENT_SYNC, NULL, NULL);
    scheduler_atomic = 0;
    if (races_on)
        races_release(scheduler_self(), &world);
}

/* ---- values: of --random ---- */

#define NONDET(type, name)                                                     \
    type __VERIFIER_nondet_##name(void)                                        \
    {                                                                          \
        return (type)shims_random_any(PLACE);                                  \
    }

NONDET(int, int)
NONDET(unsigned, uint)
NONDET(bool, bool)
NONDET(long, long)
