/* monitor_map.c - maps: the state of a key is the word of its value, or absent.
 *
 * Values may repeat.  Keys that are appended to are left to the search: the
 * words do not say what the value is then. */
#include "small_state.h"

#define ABSENT (UINT32_MAX - 2) /* no value's word, nor nil's, nor REFUSED */

/* clang-format off */
#define TO_WORD    { .any = 1, .to_word = PLUMB_SMALL_ALL }
#define NEW_WORD   { .to_word = PLUMB_SMALL_ALL }
#define TAKE_WORD  { .wants_word = PLUMB_SMALL_ALL, .to_nothing = PLUMB_SMALL_ALL }
/* clang-format on */

static const struct plumb_check_small_state_rules rules = {
    .nothing = ABSENT,
    .rule = {
        [PLUMB_ROLE_WRITE] = { TO_WORD, TO_WORD },
        [PLUMB_ROLE_READ] = { PLUMB_SMALL_IF_WORD, PLUMB_SMALL_IF_WORD,
                              PLUMB_SMALL_IF_NOTHING },
        [PLUMB_ROLE_DELETE] = { TAKE_WORD, TAKE_WORD, PLUMB_SMALL_IF_NOTHING },
        [PLUMB_ROLE_INSERT] = { PLUMB_SMALL_IF_SOMETHING, NEW_WORD },
        [PLUMB_ROLE_MEMBER] = { PLUMB_SMALL_IF_NOTHING, PLUMB_SMALL_IF_SOMETHING },
    },
};

static uint32_t require(bool fits, uint32_t state)
{
    return fits ? state : PLUMB_SMALL_REFUSED;
}

static uint32_t step(uint32_t state, const struct plumb_check_input_op *o,
                     bool pending)
{
    uint32_t next;
    if (!pending)
        return plumb_check_small_state_apply(&rules, o, state, &next)
                   ? next
                   : PLUMB_SMALL_REFUSED;
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
        return o->word[1];
    case PLUMB_ROLE_DELETE:
        return require(state != ABSENT, ABSENT);
    case PLUMB_ROLE_INSERT:
        return require(state == ABSENT, o->word[1]);
    default:
        return PLUMB_SMALL_REFUSED;
    }
}

static bool reads(const struct plumb_check_input_op *o, bool pending)
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

static bool appends(const struct plumb_check_input_op *o)
{
    return o->role == PLUMB_ROLE_APPEND;
}

bool plumb_check_monitor_map(struct plumb_check_monitoring *m)
{
    const struct plumb_check_small_state_type type = {
        .start =
            m->input->initial == PLUMB_NO_WORD ? ABSENT : m->input->initial,
        .step = step,
        .reads = reads,
        .rules = &rules,
        .declines = m->input->roles >> PLUMB_ROLE_APPEND & 1 ? appends : NULL,
    };
    return plumb_check_monitor_small_state(
        m, &type, "append, or too many concurrent operations");
}
