/* live_keyed.h - machines that follow sets, registers, maps and multisets. */
#ifndef PLUMB_CHECK_LIVE_LIVE_KEYED_H
#define PLUMB_CHECK_LIVE_LIVE_KEYED_H

#include "live.h"

extern const struct plumb_check_live_class
    plumb_check_live_class_set,      /* live_set_class.c */
    plumb_check_live_class_register, /* live_register.c  */
    plumb_check_live_class_map,      /* live_map.c       */
    plumb_check_live_class_multiset; /* live_multiset.c  */

#endif
