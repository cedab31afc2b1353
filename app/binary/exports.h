/* exports.h - what a shared object defines and uses.  Without running it. */
#ifndef PLUMB_APP_BINARY_EXPORTS_H
#define PLUMB_APP_BINARY_EXPORTS_H

#include <stdbool.h>

/* False also for what is no shared object of this machine. */
bool binary_exports(const char *path, const char *symbol);

/* Is it a shared object, to its end?  One that was cut off is not. */
bool binary_is_whole_object(const char *path);

/* Does it use no symbols of others but these, words with a blank on both sides?
 * False also if that cannot be told. */
bool binary_imports_only(const char *path, const char *allowed);

#endif
