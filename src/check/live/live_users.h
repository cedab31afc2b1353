/* live_users.h - how often machines use the number of a value; when nobody does,
 * it is forgotten. */
#ifndef PLUMB_CHECK_LIVE_LIVE_USERS_H
#define PLUMB_CHECK_LIVE_LIVE_USERS_H

#include "live_numbers.h"

struct plumb_check_live_users {
    struct plumb_check_live_numbers *numbers;
    uint32_t *users; /* by number */
    size_t capacity;
};

void plumb_check_live_users_init(struct plumb_check_live_users *u,
                                 struct plumb_check_live_numbers *numbers);
void plumb_check_live_users_release(struct plumb_check_live_users *u);

/* Words that are no numbers are ignored.  False when memory is used up. */
bool plumb_check_live_use(struct plumb_check_live_users *u, uint32_t word);
void plumb_check_live_leave(struct plumb_check_live_users *u, uint32_t word);

#endif
