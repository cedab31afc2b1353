/* monitor_map.c - maps: the state of a key is the word of its value, or absent.
 *
 * Values may repeat.  Keys that are appended to are left to the search: the
 * words do not say what the value is then. */
#include "check/keyed_few.h"

#define ABSENT (UINT32_MAX - 2) /* no value's word, nor nil's, nor REFUSED */

static uint32_t require(bool fits, uint32_t state)
{
    return fits ? state : PLUMB_FEW_REFUSED;
}

/* It answered ok(v), or none(), and that is right. */
static bool found(uint32_t state, const struct plumb_tape_op *o)
{
    return state == (o->term == PLUMB_TERM_NONE ? ABSENT : o->word[1]);
}

static uint32_t step(uint32_t state, const struct plumb_tape_op *o,
                     bool pending)
{
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
        return o->word[1];
    case PLUMB_ROLE_DELETE:
        return require(pending ? state != ABSENT : found(state, o), ABSENT);
    case PLUMB_ROLE_INSERT:
        if (!pending && !o->word[2])
            return require(state != ABSENT, state);
        return require(state == ABSENT, o->word[1]);
    case PLUMB_ROLE_MEMBER:
        return require(o->word[1] == (state != ABSENT), state);
    default:
        return require(found(state, o), state);
    }
}

static bool reads(const struct plumb_tape_op *o, bool pending)
{
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
    case PLUMB_ROLE_APPEND:
        return false;
    case PLUMB_ROLE_DELETE:
        return !pending && o->term == PLUMB_TERM_NONE;
    case PLUMB_ROLE_INSERT:
        return !pending && !o->word[2];
    default:
        return true;
    }
}

static bool appends(const struct plumb_tape_op *o)
{
    return o->role == PLUMB_ROLE_APPEND;
}

bool plumb_monitor_map(struct plumb_monitoring *m)
{
    const struct plumb_few_type type = {
        .start = m->tape->initial == PLUMB_NO_WORD ? ABSENT : m->tape->initial,
        .step = step,
        .reads = reads,
        .declines = m->tape->roles >> PLUMB_ROLE_APPEND & 1 ? appends : NULL,
    };
    return plumb_monitor_few(m, &type, "append, or too much at once");
}
