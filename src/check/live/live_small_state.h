/* live_small_state.h - machines whose keys are small states, followed through the few
 * orders that the operations which overlap allow.
 *
 * As small_state.h, but an answer is known only when the operation returns. */
#ifndef PLUMB_CHECK_LIVE_LIVE_SMALL_STATE_H
#define PLUMB_CHECK_LIVE_LIVE_SMALL_STATE_H

#include "live.h"
#include "live_numbers.h"

/* A call: its role, and its arguments behind the key. */
struct plumb_check_live_deed {
    uint32_t role;
    uint32_t arg[2]; /* PLUMB_NO_WORD: none */
};

struct plumb_check_live_small_state_type {
    bool unkeyed; /* there is one key, and no argument is it */
    bool values;  /* states are words of values, unless they are `start` */
    /* Calls that are the same may be exchanged: whichever changes the state, it
     * answers the same. */
    bool alike;
    uint32_t start; /* the state of a key, if no `init` is given */
    /* The state behind it; *bit is its answer unless it says the state. */
    uint32_t (*step)(uint32_t state, const struct plumb_check_live_deed *d,
                     uint32_t *bit);
    /* Sets of roles, a bit each: */
    uint32_t says_state; /* they answer what the state was, not 0 or 1 */
    uint32_t watches;    /* they never change the state */
    uint32_t overwrites; /* whatever the state is */
    /* Why the answer is wrong, by role: false or none; any other.  With %0 for
     * the first word, and %1. */
    const char *const (*reason)[2];
};

#define PLUMB_LIVE_ROLE(role) ((uint32_t)1 << (role))

/* The state of a key that has no value: no value's word, nor nil's. */
#define PLUMB_LIVE_ABSENT (UINT32_MAX - 2)

/* `users` outlives the machine, or is NULL: it has its own. */
void *plumb_check_live_small_state_open(
    struct plumb_check_live_talk *talk,
    const struct plumb_check_live_small_state_type *type,
    struct plumb_check_live_users *users);

/* It gives up with more configurations of a key than that; MOST at first. */
void plumb_check_live_small_state_limit(void *machine, uint32_t most);

void plumb_check_live_small_state_close(void *machine);
plumb_check_live_event plumb_check_live_small_state_call,
    plumb_check_live_small_state_ret, plumb_check_live_small_state_info,
    plumb_check_live_small_state_fail;
bool plumb_check_live_small_state_idle(const void *machine);

/* The class of a machine that is nothing but one of these. */
#define PLUMB_LIVE_SMALL_STATE_CLASS(opens)                                    \
    {                                                                          \
        .open = opens, .close = plumb_check_live_small_state_close,            \
        .call = plumb_check_live_small_state_call,                             \
        .ret = plumb_check_live_small_state_ret,                               \
        .info = plumb_check_live_small_state_info,                             \
        .fail = plumb_check_live_small_state_fail,                             \
        .idle = plumb_check_live_small_state_idle                              \
    }

#endif
