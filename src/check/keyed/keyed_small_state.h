/* keyed_small_state.h - a monitor made of what small_state.c knows of each key. */
#ifndef PLUMB_CHECK_KEYED_KEYED_SMALL_STATE_H
#define PLUMB_CHECK_KEYED_KEYED_SMALL_STATE_H

#include "small_state.h"

/* `why`: what is said of keys that were given up. */
bool plumb_check_monitor_small_state(
    struct plumb_check_monitoring *m,
    const struct plumb_check_small_state_type *type, const char *why);

/* A register whatever its values are, with compare-and-set and swap
 * (any_register.c); `why` there are no zones. */
bool plumb_check_monitor_any_register(struct plumb_check_monitoring *m,
                                      const char *why);

#endif
