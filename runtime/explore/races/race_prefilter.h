/* race_prefilter.h - a first look at a log: can anything in it race? */
#ifndef PLUMB_RUNTIME_EXPLORE_RACES_RACE_PREFILTER_H
#define PLUMB_RUNTIME_EXPLORE_RACES_RACE_PREFILTER_H

#include "race_log.h"

/* True: nothing races.  False: it is not usual, or something does: look
 * closely. */
bool races_prefilter_is_clear(const struct race_entry *entry,
                              const struct race_entry *end);

/* The same, entry by entry, at most RACE_ENTRIES of them; and back.  After a
 * false there is only back. */
void races_prefilter_begin(void);
bool races_prefilter_on(const struct race_entry *e);

struct races_prefilter_mark {
    uint32_t kept, added;
    uint64_t wide;
};
struct races_prefilter_mark races_prefilter_mark(void);
void races_prefilter_back(const struct races_prefilter_mark *mark);

/* Nobody has called races_prefilter_is_clear() since races_prefilter_begin(). */
bool races_prefilter_has_begun(void);

#endif
