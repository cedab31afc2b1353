/* live_multiset.c - the machine of multisets: the state of a key is how often it
 * is there.
 *
 * Inserts of a key are alike, and so are deletes: those that change the count
 * answer true. */
#include "live_keyed.h"
#include "live_small_state.h"

static uint32_t start(const struct plumb_check_live_talk *talk)
{
    (void)talk;
    return 0;
}

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

static enum plumb_check_live_tone tone(uint32_t role)
{
    return role == PLUMB_ROLE_COUNT ? PLUMB_LIVE_SAYS_STATE
                                    : PLUMB_LIVE_SAYS_BIT;
}

static bool watches(uint32_t role)
{
    return role == PLUMB_ROLE_MEMBER || role == PLUMB_ROLE_COUNT;
}

static bool overwrites(uint32_t role)
{
    (void)role;
    return false;
}

static uint32_t answer(const struct plumb_check_live_op *o)
{
    return o->role == PLUMB_ROLE_INSERT ? 0 : o->word[1];
}

static const char *reason(const struct plumb_check_live_op *o)
{
    switch (o->role) {
    case PLUMB_ROLE_INSERT:
        return "insert(%0) contradicts what other operations returned for %0";
    case PLUMB_ROLE_DELETE:
        return o->word[1]
                   ? "delete(%0) returned true, but %0 cannot have been present"
                   : "delete(%0) returned false, but %0 cannot have been "
                     "absent";
    case PLUMB_ROLE_MEMBER:
        return o->word[1]
                   ? "member(%0) returned true, but %0 cannot have been present"
                   : "member(%0) returned false, but %0 cannot have been "
                     "absent";
    default:
        return "count(%0) returned an impossible number";
    }
}

static const struct plumb_check_live_small_state_type multiset = {
    .alike = true,
    .start = start,
    .step = step,
    .tone = tone,
    .watches = watches,
    .overwrites = overwrites,
    .answer = answer,
    .reason = reason,
};

static void *open_multiset(struct plumb_check_live_talk *talk)
{
    return plumb_check_live_small_state_open(talk, &multiset, NULL);
}

const struct plumb_check_live_class plumb_check_live_class_multiset =
    PLUMB_LIVE_SMALL_STATE_CLASS(open_multiset);
