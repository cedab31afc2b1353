/* exports.h - what a shared object defines and uses.  Without running it. */
#ifndef PLUMB_CLI_EXPORTS_H
#define PLUMB_CLI_EXPORTS_H

#include <stdbool.h>

/* False also for what is no shared object of this machine. */
bool exports(const char *path, const char *symbol);

/* Is it a shared object, to its end?  One that was cut off is not. */
bool is_whole_object(const char *path);

/* Does it use no symbols of others but these (NULL at the end)?  False also if
 * that cannot be told. */
bool imports_only(const char *path, const char *const *allowed);

#endif
