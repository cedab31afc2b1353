/* live_map.c - the machine of maps: the state of a key is the word of its value,
 * or absent. */
#include "live_keyed.h"
#include "live_small_state.h"

#include "check/input/monitor_input.h"

#define ABSENT (UINT32_MAX - 2) /* no value's word, nor nil's */

static uint32_t start(const struct plumb_check_live_talk *talk)
{
    return talk->initial == PLUMB_NO_WORD ? ABSENT : talk->initial;
}

static const char *declines(const struct plumb_check_live_op *o)
{
    return o->role == PLUMB_ROLE_APPEND ? "append" : NULL;
}

static uint32_t step(uint32_t state, const struct plumb_check_live_deed *d,
                     uint32_t *bit)
{
    const bool absent = state == ABSENT;
    *bit = 0;
    switch (d->role) {
    case PLUMB_ROLE_WRITE:
        return d->arg[0];
    case PLUMB_ROLE_DELETE:
        return ABSENT;
    case PLUMB_ROLE_INSERT:
        *bit = absent;
        return absent ? d->arg[0] : state;
    default:
        *bit = !absent;
        return state;
    }
}

static enum plumb_check_live_tone tone(uint32_t role)
{
    return role == PLUMB_ROLE_READ || role == PLUMB_ROLE_DELETE
               ? PLUMB_LIVE_SAYS_STATE
               : PLUMB_LIVE_SAYS_BIT;
}

static bool watches(uint32_t role)
{
    return role == PLUMB_ROLE_READ || role == PLUMB_ROLE_MEMBER;
}

static bool overwrites(uint32_t role)
{
    return role == PLUMB_ROLE_WRITE;
}

static uint32_t answer(const struct plumb_check_live_op *o)
{
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
        return 0;
    case PLUMB_ROLE_INSERT:
        return o->word[2];
    case PLUMB_ROLE_MEMBER:
        return o->word[1];
    default:
        return o->term == PLUMB_TERM_NONE ? ABSENT : o->word[1];
    }
}

static const char *reason(const struct plumb_check_live_op *o)
{
    const bool none = o->term == PLUMB_TERM_NONE;
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
        return "put(%0, %1) contradicts what other operations returned for %0";
    case PLUMB_ROLE_DELETE:
        return none ? "remove(%0) returned none, but %0 cannot have been absent"
                    : "remove(%0) returned %1, but %0 cannot have had this "
                      "value";
    case PLUMB_ROLE_INSERT:
        return o->word[2] ? "insert(%0, %1) returned true, but %0 cannot have "
                            "been absent"
                          : "insert(%0, %1) returned false, but %0 cannot have "
                            "been present";
    case PLUMB_ROLE_MEMBER:
        return o->word[1]
                   ? "member(%0) returned true, but %0 cannot have been present"
                   : "member(%0) returned false, but %0 cannot have been "
                     "absent";
    default:
        return none ? "get(%0) returned none, but %0 cannot have been absent"
                    : "get(%0) returned %1, but %0 cannot have had this value";
    }
}

static const struct plumb_check_live_small_state_type map = {
    .values = true,
    .start = start,
    .declines = declines,
    .step = step,
    .tone = tone,
    .watches = watches,
    .overwrites = overwrites,
    .answer = answer,
    .reason = reason,
};

static void *open_map(struct plumb_check_live_talk *talk)
{
    return plumb_check_live_small_state_open(talk, &map, NULL);
}

const struct plumb_check_live_class plumb_check_live_class_map =
    PLUMB_LIVE_SMALL_STATE_CLASS(open_map);
