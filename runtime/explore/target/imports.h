/* imports.h - can we follow what this target does?  Asked before it is loaded.
 *
 * A function of others that it calls must be a hook, one that the host stands
 * in for, or one that is *stateless*: it does not block, orders nothing, and
 * keeps nothing between calls.  Anything else is refused by name; what it does
 * would belong to no world. */
#ifndef PLUMB_RUNTIME_EXPLORE_TARGET_IMPORTS_H
#define PLUMB_RUNTIME_EXPLORE_TARGET_IMPORTS_H

#include <stdbool.h>
#include <stddef.h>

enum { IMPORTS_UNSEEN = 256 };

/* False, and one line why (without the path, or with the one of a library that
 * it brings). */
bool target_imports_check(const char *path, char *why, size_t size);

/* Of the last target that was checked: all that it calls is the host's. */
bool target_imports_only_ours(void);

/* ... and it calls rand(), or something like it. */
bool target_imports_chance(void);

/* Does the host, whose function this is, export that name? */
bool target_imports_is_modelled(const char *name);

/* Of the last target that was checked: functions that write into its memory,
 * and whose accesses are not seen.  "qsort snprintf ", or "". */
const char *target_imports_unseen(void);

/* unseen.c: does it, if it is called as it is?  Then its name as people know
 * it, of *length bytes; else NULL. */
const char *target_writes_unseen(const char *name, size_t *length);

/* stateless.c: is it a function or variable of libc, libm, libgcc or libstdc++
 * that is harmless?  As the dynamic linker knows it. */
bool target_is_stateless(const char *name);

/* Why a name that is not is refused, for a few that people will meet; NULL if
 * there is nothing to say but that it is not modelled. */
const char *target_why_not_stateless(const char *name);

#endif
