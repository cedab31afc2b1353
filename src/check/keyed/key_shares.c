/* key_shares.c - see key_shares.h. */
#include "key_shares.h"

enum { ALL = (1 << PLUMB_KEY_GROUPS) - 1 };

unsigned plumb_check_share_count(const struct plumb_check_monitoring *m)
{
    const uint32_t most = m->least ? m->input->count / m->least : 1;
    unsigned shares = m->jobs;
    if (shares > PLUMB_KEY_GROUPS)
        shares = PLUMB_KEY_GROUPS;
    if (shares > most)
        shares = most;
    return shares ? shares : 1;
}

struct plumb_check_share plumb_check_share_of(unsigned number, unsigned shares)
{
    struct plumb_check_share s = { 0 };
    for (unsigned g = number; g < PLUMB_KEY_GROUPS; g += shares)
        s.groups |= (uint32_t)1 << g;
    return s;
}

/* Without a branch: whose the next event is cannot be guessed. */
const uint32_t *plumb_check_share_pick(struct plumb_check_share s,
                                       const struct plumb_check_input *input,
                                       uint32_t *from,
                                       uint32_t room[PLUMB_PICK],
                                       uint32_t *count)
{
    const uint32_t *const event = input->event + *from;
    const uint32_t left = input->events - *from;
    const uint32_t some = left < PLUMB_PICK ? left : PLUMB_PICK;
    *from += some;
    *count = some;
    if (s.groups == ALL)
        return event;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < some; i++) {
        room[kept] = event[i];
        kept += plumb_check_share_has(
            s, plumb_check_key_of(input, input->op + event[i] / 2));
    }
    *count = kept;
    return room;
}
