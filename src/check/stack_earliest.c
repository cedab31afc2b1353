/* stack_earliest.c - since when is a stack's history a violation?
 *
 * A beginning of a violation is one or not, and all longer ones are as it is:
 * halving finds the first.  The operations that are blamed tell it quickly, and
 * all operations, looked at once, tell whether it was one before that.  Where
 * pops are open that may have taken anything, it may not be known. */
#include "check/stack_blame.h"

#include "base/memory.h"

struct dating {
    const struct plumb_tape *tape;
    struct plumb_budget *budget;
};

static uint32_t rank_of(const struct plumb_tape *tape, uint32_t e)
{
    const struct plumb_tape_op *const o = &tape->op[tape->event[e] / 2];
    return plumb_tape_is_return(tape->event[e]) ? o->ret : o->call;
}

/* Of the first `events` events. */
static enum plumb_verdict decide(const struct dating *d, uint32_t events,
                                 struct plumb_stack_cut cut)
{
    struct plumb_stack_part part;
    enum plumb_verdict verdict = PLUMB_UNDECIDED;
    cut.rank =
        events < d->tape->events ? rank_of(d->tape, events) : PLUMB_NEVER;
    if (plumb_stack_part_make(&part, d->tape, &cut, d->budget))
        verdict = plumb_stack_decide(&part.tape, d->budget);
    plumb_stack_part_release(&part);
    return verdict;
}

/* The fewest events that are known to be a violation by the blamed alone. */
static uint32_t find_sure(const struct dating *d, const bool *blamed)
{
    const struct plumb_stack_cut cut = { .keep = blamed,
                                         .doubted = PLUMB_NO_OP };
    uint32_t low = 0, high = d->tape->events;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (decide(d, middle, cut) == PLUMB_NOT_LINEARIZABLE)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* Of all operations.  What open pops returned later is likely what they had
 * taken, but for the one that made it a violation. */
static enum plumb_verdict decide_all(const struct dating *d, uint32_t events,
                                     uint32_t doubted)
{
    struct plumb_stack_cut cut = { .believe = true, .doubted = doubted };
    if (decide(d, events, cut) == PLUMB_LINEARIZABLE)
        return PLUMB_LINEARIZABLE;
    cut.believe = false;
    return decide(d, events, cut);
}

/* *low events are none, *high are one; others in between are not known. */
static void halve(const struct dating *d, uint32_t *low, uint32_t *high,
                  uint32_t doubted)
{
    uint32_t next = *high - 1, unknown = *high;
    while (unknown - *low > 1 && !plumb_budget_is_tight(d->budget)) {
        const enum plumb_verdict verdict = decide_all(d, next, doubted);
        if (verdict == PLUMB_LINEARIZABLE)
            *low = next;
        else
            unknown = next;
        if (verdict == PLUMB_NOT_LINEARIZABLE)
            *high = next;
        next = *low + (unknown - *low) / 2;
    }
}

bool plumb_stack_earliest(struct plumb_monitoring *m)
{
    const struct dating d = { m->tape, m->budget };
    bool *const blamed =
        plumb_arena_zeroed(m->scratch, m->tape->count * sizeof *blamed);
    if (!blamed)
        return false;
    for (uint32_t k = 0; k < m->blames; k++)
        blamed[m->blame[k]] = true;
    uint32_t low = 0, high = find_sure(&d, blamed);
    halve(&d, &low, &high, m->tape->event[high - 1] / 2);
    m->maybe = rank_of(m->tape, low);
    m->sure = rank_of(m->tape, high - 1);
    return true;
}
