/* glance.h - a first look at a log: can anything in it race? */
#ifndef PLUMB_EXPLORE_GLANCE_H
#define PLUMB_EXPLORE_GLANCE_H

#include "race_log.h"

/* True: nothing races.  False: it is not usual, or something does: look
 * closely. */
bool glance_is_clear(const struct race_entry *entry,
                     const struct race_entry *end);

#endif
