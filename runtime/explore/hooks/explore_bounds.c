/* explore_bounds.c - an index outside of an array of known size. */
#include "runtime/common/bounds.h"
#include "scheduler_hook.h"

#include <inttypes.h>
#include <stdlib.h>

#if PLUMB_HOOKS

HOOK(void, __ubsan_handle_out_of_bounds, const struct bounds_data *d,
     uintptr_t index)
{
    if (!scheduler_inside)
        abort();
    scheduler_fail(FAULT_OVERFLOW, HERE, NULL,
                   "index %" PRId64 " is outside of %s", bounds_index(d, index),
                   d->array->name);
}

#endif
