/* scalar.c - values that are no strings, as text. */
#include "scalar.h"

#include <inttypes.h>

bool plumb_scalar_show(struct plumb_value v, const char *nil,
                       struct plumb_text *out)
{
    switch (v.tag) {
    case PLUMB_NIL:
        plumb_text_add(out, nil);
        return true;
    case PLUMB_BOOL:
        plumb_text_add(out, v.bits ? "true" : "false");
        return true;
    case PLUMB_INT:
        plumb_text_printf(out, "%" PRId64, (int64_t)v.bits);
        return true;
    default:
        return false;
    }
}
