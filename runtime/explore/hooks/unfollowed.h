/* unfollowed.h - inline assembly that ran and is not followed. */
#ifndef PLUMB_RUNTIME_EXPLORE_HOOKS_UNFOLLOWED_H
#define PLUMB_RUNTIME_EXPLORE_HOOKS_UNFOLLOWED_H

enum { UNFOLLOWED_PLACE = 256 };

/* From now on the place of one such block, "queue.c:12: syscall", is written
 * there; "" while none has run. */
void hooks_unfollowed_tell(char place[UNFOLLOWED_PLACE]);

#endif
