/* stack_earliest.c - since when is a stack's history a violation?
 *
 * What goes on after a violation is one: halving finds the first event that
 * makes it one.  The operations that are blamed tell it quickly, and all
 * operations, looked at once, tell whether it was one before that: then others
 * are to blame.  Where pops are open that may have taken anything, it may not be
 * known. */
#include "stack_part.h"

#include "base/memory.h"
#include <string.h>

struct dating {
    const struct plumb_check_input *input;
    struct plumb_budget *budget;
    bool *blamed; /* by operation */
    bool *value;  /* by slot: some operation of it is blamed */
};

/* Of the first `events` events. */
static enum plumb_verdict decide(const struct dating *d, uint32_t events,
                                 struct plumb_check_stack_cut cut)
{
    struct plumb_check_stack_part part;
    enum plumb_verdict verdict = PLUMB_UNDECIDED;
    cut.rank = events < d->input->events
                   ? plumb_check_input_rank_at(d->input, events)
                   : PLUMB_NEVER;
    if (plumb_check_stack_part_make(&part, d->input, &cut, d->budget))
        verdict = plumb_check_stack_decide(&part.input, d->budget);
    plumb_check_stack_part_release(&part);
    return verdict;
}

/* The fewest events, of `high` that are, that are known to be a violation by
 * the blamed alone. */
static uint32_t find_sure(const struct dating *d, uint32_t high)
{
    const struct plumb_check_stack_cut cut = { .keep = d->blamed,
                                               .doubted = PLUMB_NO_OP };
    uint32_t low = 0;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (decide(d, middle, cut) == PLUMB_NOT_LINEARIZABLE)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* Is there an open pop that can be believed? */
static bool some_are_believed(const struct dating *d, uint32_t rank,
                              uint32_t doubted)
{
    const struct plumb_check_input *const input = d->input;
    for (uint32_t i = 0; i < input->count && input->op[i].call < rank; i++)
        if (i != doubted && input->op[i].ret >= rank &&
            input->op[i].role == PLUMB_ROLE_REMOVE &&
            input->op[i].term == PLUMB_TERM_OK)
            return true;
    return false;
}

/* Of all operations.  What open pops returned later is likely what they had
 * taken, but for the one that made it a violation. */
static enum plumb_verdict decide_all(const struct dating *d, uint32_t events,
                                     uint32_t doubted)
{
    struct plumb_check_stack_cut cut = { .believe = true, .doubted = doubted };
    const enum plumb_verdict verdict = decide(d, events, cut);
    if (verdict == PLUMB_LINEARIZABLE || events == d->input->events ||
        plumb_budget_state(d->budget) != PLUMB_OK ||
        !some_are_believed(d, plumb_check_input_rank_at(d->input, events),
                           doubted))
        return verdict;
    cut.believe = false;
    return decide(d, events, cut);
}

/* ---- others are to blame ---- */

/* What is blamed for a beginning is so for the whole, with what came later of
 * the same values.  Pops that were open there and took something else can be
 * left out with what they took. */
static void blame_as_in(struct dating *d,
                        const struct plumb_check_stack_part *part,
                        const struct plumb_check_monitoring *m)
{
    const struct plumb_check_input *const input = d->input;
    memset(d->blamed, false, input->count * sizeof *d->blamed);
    memset(d->value, false, ((size_t)input->values + 1) * sizeof *d->value);
    for (uint32_t k = 0; k < m->blames; k++) {
        const uint32_t i = part->of[m->blame[k]];
        const struct plumb_check_input_op *const o = &input->op[i];
        if (plumb_check_stack_is_taker(&part->op[m->blame[k]]))
            d->blamed[i] = plumb_check_input_is_pending(o);
        else if (plumb_check_stack_has_value(o))
            d->blamed[i] = d->value[plumb_check_stack_slot(input, o->word[0])] =
                true;
        else
            d->blamed[i] = true;
    }
    for (uint32_t i = 0; i < input->count; i++) {
        const struct plumb_check_input_op *const o = &input->op[i];
        if (plumb_check_stack_has_value(o) && o->role != PLUMB_ROLE_PEEK)
            d->blamed[i] = d->value[plumb_check_stack_slot(input, o->word[0])];
        else if (plumb_check_stack_is_taker(o))
            d->blamed[i] = true;
    }
}

/* The first `events` events are a violation as well: who is to blame there?
 * False if that cannot be found. */
static bool blame_beginning(struct dating *d, uint32_t events)
{
    struct plumb_base_arena arena = { .budget = d->budget };
    struct plumb_check_stack s;
    struct plumb_check_stack_part part;
    const struct plumb_check_stack_cut cut = {
        .rank = plumb_check_input_rank_at(d->input, events),
        .doubted = PLUMB_NO_OP
    };
    struct plumb_check_monitoring m = { .input = &part.input,
                                        .budget = d->budget,
                                        .arena = &arena,
                                        .scratch = &arena };
    bool found = plumb_check_stack_part_make(&part, d->input, &cut, d->budget);
    if (found) {
        found = plumb_check_stack_peel(&s, &part.input, d->budget) &&
                plumb_check_stack_blame(&m, &s);
        plumb_check_stack_release(&s);
    }
    if (found)
        blame_as_in(d, &part, &m);
    plumb_check_stack_part_release(&part);
    plumb_base_arena_release(&arena);
    return found;
}

/* ---- together ---- */

/* *low events are none, *high are one; those from `unknown` on are not known,
 * and those before have not been looked at.  The first that is known is often
 * close by: go back from there, with steps that grow, before halving. */
static void close_in(struct dating *d, uint32_t *low, uint32_t unknown,
                     uint32_t *high)
{
    uint32_t step = 16;
    while (unknown - *low > 1 && !plumb_base_budget_is_tight(d->budget)) {
        const uint32_t half = (unknown - *low) / 2;
        const uint32_t next = unknown - (step < half ? step : half);
        const enum plumb_verdict verdict =
            decide_all(d, next, d->input->event[*high - 1] / 2);
        if (verdict == PLUMB_LINEARIZABLE) {
            *low = next;
            step = UINT32_MAX;
            continue;
        }
        unknown = next;
        step = step < UINT32_MAX / 4 ? 4 * step : UINT32_MAX;
        if (verdict == PLUMB_NOT_LINEARIZABLE)
            *high = next;
    }
}

/* As long as others are to blame before, take them; but not for ever. */
static void find_first(struct dating *d, uint32_t *low, uint32_t *high)
{
    enum { MOST_TURNS = 8 };
    *high = find_sure(d, d->input->events);
    uint32_t unknown = *high;
    for (unsigned turn = 0; turn<MOST_TURNS && * high> 1; turn++) {
        const uint32_t doubted = d->input->event[*high - 1] / 2;
        const enum plumb_verdict verdict = decide_all(d, *high - 1, doubted);
        if (verdict == PLUMB_LINEARIZABLE)
            *low = *high - 1;
        else if (verdict == PLUMB_UNDECIDED)
            unknown = *high - 1;
        if (verdict != PLUMB_NOT_LINEARIZABLE || !blame_beginning(d, *high - 1))
            break;
        unknown = *high = find_sure(d, *high - 1);
    }
    close_in(d, low, unknown, high);
}

bool plumb_check_stack_earliest(struct plumb_check_monitoring *m)
{
    const size_t slots = (size_t)m->input->values + 1;
    struct dating d = {
        .input = m->input,
        .budget = m->budget,
        .blamed = plumb_base_arena_zeroed(m->scratch, m->input->count),
        .value = plumb_base_arena_zeroed(m->scratch, slots),
    };
    uint32_t low = 0, high;
    if (!d.blamed || !d.value)
        return false;
    for (uint32_t k = 0; k < m->blames; k++)
        d.blamed[m->blame[k]] = true;
    find_first(&d, &low, &high);
    m->maybe = plumb_check_input_rank_at(m->input, low);
    m->sure = plumb_check_input_rank_at(m->input, high - 1);
    return plumb_check_stack_report(m, m->input, d.blamed, NULL);
}
