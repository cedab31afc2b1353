/* key_shares.h - the keys of one object, shared among threads.
 *
 * Keys have nothing to do with each other, so each thread reads the whole input
 * and follows only its own.  Keys are shared by their numbers, in groups: what
 * is found does not depend on how many shares there are, as every group has its
 * own allowance where one is needed. */
#ifndef PLUMB_CHECK_KEYED_KEY_SHARES_H
#define PLUMB_CHECK_KEYED_KEY_SHARES_H

#include "keyed.h"

enum { PLUMB_KEY_GROUPS = 16, PLUMB_KEY_BLOCK = 8, PLUMB_PICK = 4096 };

struct plumb_check_share {
    uint32_t groups; /* bits */
};

/* Neighbours are in one group: what is known of them is in one line of memory,
 * which threads had better not share. */
static inline uint32_t plumb_check_key_group(uint32_t key)
{
    return key / PLUMB_KEY_BLOCK % PLUMB_KEY_GROUPS;
}

static inline bool plumb_check_share_has(struct plumb_check_share s,
                                         uint32_t key)
{
    return s.groups >> plumb_check_key_group(key) & 1;
}

/* How many shares are worth while; and the keys of one of them. */
unsigned plumb_check_share_count(const struct plumb_check_monitoring *m);
struct plumb_check_share plumb_check_share_of(unsigned number, unsigned shares);

/* Of the next PLUMB_PICK events in the input, from number *from on, those of its
 * keys: in `room`, or where they are if that is all of them. */
const uint32_t *plumb_check_share_pick(struct plumb_check_share s,
                                       const struct plumb_check_input *input,
                                       uint32_t *from,
                                       uint32_t room[PLUMB_PICK],
                                       uint32_t *count);

#endif
