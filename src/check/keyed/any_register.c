/* any_register.c - registers whose values are written again, or that have
 * compare-and-set or swap: one key, followed through the orders that its
 * overlapping operations allow. */
#include "small_state.h"

static uint32_t require(bool fits, uint32_t state)
{
    return fits ? state : PLUMB_SMALL_REFUSED;
}

static uint32_t compare_and_set(uint32_t state,
                                const struct plumb_check_input_op *o,
                                bool pending)
{
    const bool equal = state == o->word[0];
    if (!pending && o->word[2] != equal)
        return PLUMB_SMALL_REFUSED;
    if (equal)
        return o->word[1];
    return require(!pending, state);
}

static uint32_t step(uint32_t state, const struct plumb_check_input_op *o,
                     bool pending)
{
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
        return o->word[0];
    case PLUMB_ROLE_CAS:
        return compare_and_set(state, o, pending);
    case PLUMB_ROLE_SWAP:
        return require(pending || state == o->word[1], o->word[0]);
    default:
        return require(state == o->word[0], state);
    }
}

static bool reads(const struct plumb_check_input_op *o, bool pending)
{
    switch (o->role) {
    case PLUMB_ROLE_READ:
        return true;
    case PLUMB_ROLE_CAS:
        return o->word[0] == o->word[1] || (!pending && !o->word[2]);
    case PLUMB_ROLE_SWAP:
        return !pending && o->word[0] == o->word[1];
    default:
        return false;
    }
}

bool plumb_check_monitor_any_register(struct plumb_check_monitoring *m,
                                      const char *why)
{
    const uint32_t initial = m->input->initial;
    const struct plumb_check_small_state_type type = {
        .start = initial == PLUMB_NO_WORD ? PLUMB_NIL_WORD : initial,
        .whole = true,
        .step = step,
        .reads = reads,
    };
    return plumb_check_monitor_small_state(m, &type, why);
}
