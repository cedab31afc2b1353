/* hooks_bounds.c - an index outside of an array of known size: the operation
 * cannot go on, and crashes once it was told why. */
#include "runtime/common/bounds.h"
#include "runtime/common/hook.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#if PLUMB_HOOKS

HOOK(void, __ubsan_handle_out_of_bounds, const struct bounds_data *d,
     uintptr_t index)
{
    dprintf(STDERR_FILENO,
            "%s:%" PRIu32 ": index %" PRId64 " is outside of %s\n", d->file,
            d->line, bounds_index(d, index), d->array->name);
    __builtin_trap();
}

#endif
