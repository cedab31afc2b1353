/* owner.h - histories whose arrays are somebody's: who frees them, and are they
 * what they should be? */
#ifndef PLUMB_HISTORY_OWNER_H
#define PLUMB_HISTORY_OWNER_H

#include <plumb/history.h>

/* plumb_history.owner points to one of these, the first member of whatever
 * holds the history's arrays. */
struct plumb_history_owner {
    void (*release)(struct plumb_history_owner *owner);
};

/* plumb_history_validate(), with errors that give the malformed thing's
 * distance in bytes from the address `origin`; 0: no place is known. */
enum plumb_status plumb_history_validate_from(const struct plumb_history *h,
                                              uintptr_t origin,
                                              struct plumb_error *err);

#endif
