/* live_multiset.c - the machine of multisets: the state of a key is how often it
 * is there.
 *
 * Inserts of a key are alike, and so are deletes: those that change the count
 * answer true. */
#include "live.h"
#include "live_small_state.h"

static uint32_t step(uint32_t count, const struct plumb_check_live_deed *d,
                     uint32_t *bit)
{
    *bit = count > 0;
    switch (d->role) {
    case PLUMB_ROLE_INSERT:
        *bit = 0;
        return count + 1;
    case PLUMB_ROLE_DELETE:
        return count ? count - 1 : 0;
    default:
        return count;
    }
}

static const char *const reason[][2] = {
    [PLUMB_ROLE_INSERT] = { NULL, "insert(%0) contradicts what other "
                                  "operations returned for %0" },
    [PLUMB_ROLE_DELETE] = { "delete(%0) returned false, but %0 cannot have "
                            "been absent",
                            "delete(%0) returned true, but %0 cannot have been "
                            "present" },
    [PLUMB_ROLE_MEMBER] = { "member(%0) returned false, but %0 cannot have "
                            "been absent",
                            "member(%0) returned true, but %0 cannot have been "
                            "present" },
    [PLUMB_ROLE_COUNT] = { NULL, "count(%0) returned an impossible number" },
};

static const struct plumb_check_live_small_state_type multiset = {
    .alike = true,
    .start = 0,
    .step = step,
    .says_state = PLUMB_LIVE_ROLE(PLUMB_ROLE_COUNT),
    .watches =
        PLUMB_LIVE_ROLE(PLUMB_ROLE_MEMBER) | PLUMB_LIVE_ROLE(PLUMB_ROLE_COUNT),
    .reason = reason,
};

static void *open_multiset(struct plumb_check_live_talk *talk)
{
    return plumb_check_live_small_state_open(talk, &multiset, NULL);
}

const struct plumb_check_live_class plumb_check_live_class_multiset =
    PLUMB_LIVE_SMALL_STATE_CLASS(open_multiset);
