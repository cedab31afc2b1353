/* fairness.c - see fairness.h.
 *
 * Invariant: who comes after whom has no cycle.  Relations are added for a
 * thread only when it has just gone on, and then nobody comes after it. */
#include "fairness.h"

#include "base/bits.h"
#include <assert.h>

void plumb_strategies_fairness_begin(struct plumb_strategies_fairness *f)
{
    f->given_way = 0;
}

/* What came before the first time is no matter: nobody is behind then. */
static void give_way(struct plumb_strategies_fairness *f, unsigned t,
                     uint64_t behind)
{
    const bool again = f->given_way & plumb_base_bit(t);
    const uint64_t left_out =
        again ? (f->enabled[t] | f->disabled[t]) & ~f->scheduled[t] : 0;
    assert(!(left_out & plumb_base_bit(t)));
    f->after[t] = (again ? f->after[t] : 0) | left_out;
    f->enabled[t] = behind;
    f->disabled[t] = f->scheduled[t] = 0;
    f->given_way |= plumb_base_bit(t);
}

void plumb_strategies_fairness_step(struct plumb_strategies_fairness *f,
                                    const struct plumb_strategies_step *step,
                                    uint64_t before, uint64_t behind)
{
    const unsigned thread = step->thread;
    assert(before & plumb_base_bit(thread));
    for (uint64_t left = f->given_way; left; left &= left - 1) {
        const unsigned t = plumb_base_lowest(left);
        f->after[t] &= ~plumb_base_bit(thread);
        f->enabled[t] &= behind;
        f->scheduled[t] |= plumb_base_bit(thread);
    }
    if (f->given_way & plumb_base_bit(thread))
        f->disabled[thread] |= before & ~behind;
    if (step->gave_way)
        give_way(f, thread, behind);
}

uint64_t plumb_strategies_fairness_filter(
    const struct plumb_strategies_fairness *f, uint64_t ready)
{
    uint64_t may = ready;
    for (uint64_t left = f->given_way & ready; left; left &= left - 1)
        if (f->after[plumb_base_lowest(left)] & ready)
            may &= ~(left & -left);
    assert(may || !ready);
    return may;
}
