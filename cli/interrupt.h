/* interrupt.h - Ctrl-C ends a run in order: what was found so far is told. */
#ifndef PLUMB_CLI_INTERRUPT_H
#define PLUMB_CLI_INTERRUPT_H

#include <plumb/budget.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP stops `budget`, the next one kills.
 * NULL: as it was before. */
void interrupts_stop(struct plumb_budget *budget);

#endif
