/* late.h - the rule *late*: enqueues no legal order goes on with. */
#ifndef PLUMB_VERIFY_LATE_H
#define PLUMB_VERIFY_LATE_H

#include "core.h"

struct late;

/* Make the rule ready for a core that is not empty.  *late is NULL where the
 * specification is neither queue nor stuttering-queue, or has `cap` or `k`: no
 * step is late there.
 * False when memory is used up. */
bool plumb_late_new(const struct core *core, struct late **late);
void plumb_late_free(struct late *l);

/* Is the step by operation o late in the configuration of the operations
 * 0 .. upto - 1 without missing[0 .. count), which ascend?  o is none of the
 * configuration's. */
bool plumb_late_is(struct late *l, uint32_t o, uint32_t upto,
                   const uint32_t *missing, uint32_t count);

#endif
