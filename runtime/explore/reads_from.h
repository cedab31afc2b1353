/* reads_from.h - which executions race alike.
 *
 * What happens before what is told by what each thread does, one after the
 * other, and by which write each atomic load reads from (and who locks after
 * whom, starts whom, waits for whom).  In which order all this was done is not
 * asked for: two accesses that nothing orders race, whichever came first.  So
 * executions that agree in this race, or do not, together; and there are far
 * fewer of these classes than schedules. */
#ifndef PLUMB_EXPLORE_READS_FROM_H
#define PLUMB_EXPLORE_READS_FROM_H

#include "race_log.h"

/* A hash of the class of an execution, never 0.  0: there is too much of it. */
uint64_t reads_from(const struct race_entry *entry,
                    const struct race_entry *end);

#endif
