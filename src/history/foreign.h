/* foreign.h - what a file is that is no history. */
#ifndef PLUMB_HISTORY_FOREIGN_H
#define PLUMB_HISTORY_FOREIGN_H

#include <stddef.h>

/* What such data is and what to do with it, as "a zip archive; unpack it
 * first"; NULL if its first bytes do not say. */
const char *plumb_history_foreign(const char *data, size_t size);

#endif
