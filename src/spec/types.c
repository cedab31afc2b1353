/* types.c - the list of built-in types. */
#include "spec/builtin.h"

const struct plumb_type *const plumb_types[] = {
    &plumb_type_queue,
    &plumb_type_register,
    &plumb_type_cas_register,
    NULL,
};
