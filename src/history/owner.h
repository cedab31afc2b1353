/* owner.h - who frees a history.
 *
 * plumb_history.owner points to one of these, the first member of whatever
 * holds the history's arrays. */
#ifndef PLUMB_HISTORY_OWNER_H
#define PLUMB_HISTORY_OWNER_H

struct plumb_history_owner {
    void (*release)(struct plumb_history_owner *owner);
};

#endif
