/* system_library.h - libraries that belong to the system, not to a target. */
#ifndef PLUMB_RUNTIME_EXPLORE_TARGET_SYSTEM_LIBRARY_H
#define PLUMB_RUNTIME_EXPLORE_TARGET_SYSTEM_LIBRARY_H

#include <stdbool.h>

/* By the name of the file, with or without directories.  What they keep in
 * memory is no part of the world, so only what is stateless in them may be
 * called (imports.h). */
bool target_is_system_library(const char *path);

#endif
