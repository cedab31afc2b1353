/* types.c - the list of built-in types. */
#include "builtin.h"

const struct plumb_spec_type *const plumb_spec_types[] = {
    &plumb_spec_type_queue,
    &plumb_spec_type_semiqueue,
    &plumb_spec_type_stuttering_queue,
    &plumb_spec_type_stack,
    &plumb_spec_type_deque,
    &plumb_spec_type_priority_queue,
    &plumb_spec_type_set,
    &plumb_spec_type_multiset,
    &plumb_spec_type_bag,
    &plumb_spec_type_map,
    &plumb_spec_type_register,
    &plumb_spec_type_cas_register,
    &plumb_spec_type_counter,
    &plumb_spec_type_semaphore,
    &plumb_spec_type_mutex,
    NULL,
};
