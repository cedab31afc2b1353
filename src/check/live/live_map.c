/* live_map.c - the machine of maps: the state of a key is the word of its value,
 * or absent. */
#include "live.h"
#include "live_small_state.h"

static uint32_t step(uint32_t state, const struct plumb_check_live_deed *d,
                     uint32_t *bit)
{
    const bool absent = state == PLUMB_LIVE_ABSENT;
    *bit = 0;
    switch (d->role) {
    case PLUMB_ROLE_WRITE:
        return d->arg[0];
    case PLUMB_ROLE_DELETE:
        return PLUMB_LIVE_ABSENT;
    case PLUMB_ROLE_INSERT:
        *bit = absent;
        return absent ? d->arg[0] : state;
    default:
        *bit = !absent;
        return state;
    }
}

static const char *const reason[][2] = {
    [PLUMB_ROLE_WRITE] = { NULL, "put(%0, %1) contradicts what other "
                                 "operations returned for %0" },
    [PLUMB_ROLE_DELETE] = { "remove(%0) returned none, but %0 cannot have been "
                            "absent",
                            "remove(%0) returned %1, but %0 cannot have had "
                            "this value" },
    [PLUMB_ROLE_INSERT] = { "insert(%0, %1) returned false, but %0 cannot have "
                            "been present",
                            "insert(%0, %1) returned true, but %0 cannot have "
                            "been absent" },
    [PLUMB_ROLE_MEMBER] = { "member(%0) returned false, but %0 cannot have "
                            "been absent",
                            "member(%0) returned true, but %0 cannot have been "
                            "present" },
    [PLUMB_ROLE_READ] = { "get(%0) returned none, but %0 cannot have been "
                          "absent",
                          "get(%0) returned %1, but %0 cannot have had this "
                          "value" },
};

static const struct plumb_check_live_small_state_type map = {
    .values = true,
    .start = PLUMB_LIVE_ABSENT,
    .step = step,
    .says_state =
        PLUMB_LIVE_ROLE(PLUMB_ROLE_READ) | PLUMB_LIVE_ROLE(PLUMB_ROLE_DELETE),
    .watches =
        PLUMB_LIVE_ROLE(PLUMB_ROLE_READ) | PLUMB_LIVE_ROLE(PLUMB_ROLE_MEMBER),
    .overwrites = PLUMB_LIVE_ROLE(PLUMB_ROLE_WRITE),
    .reason = reason,
};

static void *open_map(struct plumb_check_live_talk *talk)
{
    return plumb_check_live_small_state_open(talk, &map, NULL);
}

const struct plumb_check_live_class plumb_check_live_class_map =
    PLUMB_LIVE_SMALL_STATE_CLASS(open_map);
