/* glance.h - a first look at a log: can anything in it race? */
#ifndef PLUMB_EXPLORE_GLANCE_H
#define PLUMB_EXPLORE_GLANCE_H

#include "race_log.h"

/* True: nothing races.  False: it is not usual, or something does: look
 * closely. */
bool glance_is_clear(const struct race_entry *entry,
                     const struct race_entry *end);

/* The same, entry by entry, at most RACE_ENTRIES of them; and back.  After a
 * false there is only back. */
void glance_begin(void);
bool glance_on(const struct race_entry *e);

struct glance_mark {
    uint32_t kept, added;
    uint64_t wide;
};
struct glance_mark glance_mark(void);
void glance_back(const struct glance_mark *mark);

/* Nobody has called glance_is_clear() since glance_begin(). */
bool glance_has_begun(void);

#endif
