/* memory_limit.h - how much memory a run may use if nobody says.
 *
 * A process that takes more than there is gets killed, and whoever waits for a
 * verdict learns nothing.  So without --memory the limit is most of what is
 * free when the run begins: of the machine, of the control groups that the
 * process is in (containers), and of its resource limits. */
#ifndef PLUMB_APP_CONSOLE_MEMORY_LIMIT_H
#define PLUMB_APP_CONSOLE_MEMORY_LIMIT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes: `given` unless that is 0; 0, no limit, if nothing can be found out. */
size_t console_memory_limit(size_t given);

/* What is free according to the files below `root`, "" for those of this
 * machine; UINT64_MAX if they do not say. */
uint64_t console_memory_free_below(const char *root);

#endif
