/* cache.h - where compiled objects are kept.
 *
 * Under $XDG_CACHE_HOME/plumb, by a hash of everything they are made from.
 * They are made under another name and renamed, so that a cached one is whole,
 * whoever else makes it at the same time.  Functions that return bool are
 * false after saying what is wrong with `subject`. */
#ifndef PLUMB_APP_TOOLCHAIN_CACHE_H
#define PLUMB_APP_TOOLCHAIN_CACHE_H

#include "base/text.h"
#include <limits.h>
#include <stdbool.h>

/* Where what `key` describes is or will be.  Without a cache, or if it is not
 * to be kept, in a new directory of its own: *temporary. */
bool toolchain_cache_locate(const char *subject,
                            const struct plumb_base_text *key, bool keep,
                            char object[PATH_MAX], bool *temporary);

/* Whole: a disk may have been full. */
bool toolchain_cache_has(const char *object);

/* Let `make` make it, as `part`.  Whether that went wrong is for `make` to
 * say. */
bool toolchain_cache_fill(const char *subject, const char *object,
                          bool (*make)(const void *context, const char *part),
                          const void *context);

/* Remove what is temporary, and its directory. */
void toolchain_cache_discard(char object[PATH_MAX], bool *temporary);

#endif
