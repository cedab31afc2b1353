/* exports.h - does a shared object define a symbol?  Without running it. */
#ifndef PLUMB_CLI_EXPORTS_H
#define PLUMB_CLI_EXPORTS_H

#include <stdbool.h>

/* False also for what is no shared object of this machine. */
bool exports(const char *path, const char *symbol);

#endif
