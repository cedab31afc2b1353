/* live_small_state.h - machines whose keys are small states, followed through the few
 * orders that the operations which overlap allow.
 *
 * As small_state.h, but an answer is known only when the operation returns. */
#ifndef PLUMB_CHECK_LIVE_LIVE_SMALL_STATE_H
#define PLUMB_CHECK_LIVE_LIVE_SMALL_STATE_H

#include "live.h"
#include "live_users.h"

/* What an operation that does not change the state says. */
enum plumb_check_live_tone {
    PLUMB_LIVE_SAYS_BIT,  /* 0 or 1 */
    PLUMB_LIVE_SAYS_STATE /* what the state was */
};

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
    uint32_t (*start)(const struct plumb_check_live_talk *talk);
    /* Why it cannot be followed, or NULL.  Without it, all can. */
    const char *(*declines)(const struct plumb_check_live_op *o);
    /* The state behind it; *bit is its answer unless it says the state. */
    uint32_t (*step)(uint32_t state, const struct plumb_check_live_deed *d,
                     uint32_t *bit);
    enum plumb_check_live_tone (*tone)(uint32_t role);
    bool (*watches)(uint32_t role);    /* it never changes the state */
    bool (*overwrites)(uint32_t role); /* whatever the state is */
    /* What it answered: a bit, or a state. */
    uint32_t (*answer)(const struct plumb_check_live_op *o);
    /* With %0 for the first word, and %1. */
    const char *(*reason)(const struct plumb_check_live_op *o);
};

/* `users` outlives the machine, or is NULL: it has its own. */
void *plumb_check_live_small_state_open(
    struct plumb_check_live_talk *talk,
    const struct plumb_check_live_small_state_type *type,
    struct plumb_check_live_users *users);

/* It gives up with more configurations of a key than that; MOST at first. */
void plumb_check_live_small_state_limit(void *machine, uint32_t most);

void plumb_check_live_small_state_close(void *machine);
enum plumb_check_live_word plumb_check_live_small_state_call(
    void *machine, struct plumb_check_live_op *o);
enum plumb_check_live_word plumb_check_live_small_state_ret(
    void *machine, struct plumb_check_live_op *o, uint64_t now);
enum plumb_check_live_word plumb_check_live_small_state_info(
    void *machine, struct plumb_check_live_op *o);
enum plumb_check_live_word plumb_check_live_small_state_fail(
    void *machine, struct plumb_check_live_op *o);
uint64_t plumb_check_live_small_state_resident(const void *machine);
bool plumb_check_live_small_state_idle(const void *machine);

/* The class of a machine that is nothing but one of these. */
#define PLUMB_LIVE_SMALL_STATE_CLASS(opens)                                    \
    {                                                                          \
        .open = opens, .close = plumb_check_live_small_state_close,            \
        .call = plumb_check_live_small_state_call,                             \
        .ret = plumb_check_live_small_state_ret,                               \
        .info = plumb_check_live_small_state_info,                             \
        .fail = plumb_check_live_small_state_fail,                             \
        .resident = plumb_check_live_small_state_resident,                     \
        .idle = plumb_check_live_small_state_idle                              \
    }

#endif
