/* types.c - the list of built-in types. */
#include "builtin.h"

const struct plumb_type *const plumb_types[] = {
    &plumb_type_queue,
    &plumb_type_semiqueue,
    &plumb_type_stuttering_queue,
    &plumb_type_stack,
    &plumb_type_deque,
    &plumb_type_priority_queue,
    &plumb_type_set,
    &plumb_type_multiset,
    &plumb_type_bag,
    &plumb_type_map,
    &plumb_type_register,
    &plumb_type_cas_register,
    &plumb_type_counter,
    &plumb_type_semaphore,
    &plumb_type_mutex,
    NULL,
};
