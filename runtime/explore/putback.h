/* putback.h - memory as it was. */
#ifndef PLUMB_EXPLORE_PUTBACK_H
#define PLUMB_EXPLORE_PUTBACK_H

#include <stddef.h>

/* at[] becomes what copy[] is.  Most of a large memory is as it was: that is
 * read, not written. */
void put_back(char *at, const char *copy, size_t size);

#endif
