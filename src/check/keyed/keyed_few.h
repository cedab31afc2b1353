/* keyed_few.h - a monitor made of what few.c knows of each key. */
#ifndef PLUMB_CHECK_KEYED_FEW_H
#define PLUMB_CHECK_KEYED_FEW_H

#include "few.h"

/* `why`: what is said of keys that were given up. */
bool plumb_monitor_few(struct plumb_monitoring *m,
                       const struct plumb_few_type *type, const char *why);

/* A register whatever its values are, with compare-and-set and swap
 * (any_register.c); `why` there are no zones. */
bool plumb_monitor_any_register(struct plumb_monitoring *m, const char *why);

#endif
