/* scalar.c - values that are no strings, as text. */
#include "scalar.h"

#include <inttypes.h>

bool plumb_history_scalar_show(struct plumb_value v, const char *nil,
                               struct plumb_base_text *out)
{
    switch (v.tag) {
    case PLUMB_NIL:
        plumb_base_text_add(out, nil);
        return true;
    case PLUMB_BOOL:
        plumb_base_text_add(out, v.bits ? "true" : "false");
        return true;
    case PLUMB_INT:
        plumb_base_text_printf(out, "%" PRId64, (int64_t)v.bits);
        return true;
    default:
        return false;
    }
}
