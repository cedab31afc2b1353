/* builtin.h - the built-in types, each in a file of its own. */
#ifndef PLUMB_SPEC_BUILTIN_H
#define PLUMB_SPEC_BUILTIN_H

#include "spec.h"

extern const struct plumb_spec_type plumb_spec_type_queue;
extern const struct plumb_spec_type plumb_spec_type_semiqueue;
extern const struct plumb_spec_type plumb_spec_type_stuttering_queue;
extern const struct plumb_spec_type plumb_spec_type_stack;
extern const struct plumb_spec_type plumb_spec_type_deque;
extern const struct plumb_spec_type plumb_spec_type_priority_queue;
extern const struct plumb_spec_type plumb_spec_type_set;
extern const struct plumb_spec_type plumb_spec_type_multiset;
extern const struct plumb_spec_type plumb_spec_type_bag;
extern const struct plumb_spec_type plumb_spec_type_map;
extern const struct plumb_spec_type plumb_spec_type_register;
extern const struct plumb_spec_type plumb_spec_type_cas_register;
extern const struct plumb_spec_type plumb_spec_type_counter;
extern const struct plumb_spec_type plumb_spec_type_semaphore;
extern const struct plumb_spec_type plumb_spec_type_mutex;
extern const struct plumb_spec_type plumb_spec_type_barrier;
extern const struct plumb_spec_type plumb_spec_type_exchanger;

/* Variants of types with relaxing parameters (plumb_spec_type.variant). */
extern const struct plumb_spec_type plumb_spec_type_relaxed_queue;
extern const struct plumb_spec_type plumb_spec_type_factor_queue;
extern const struct plumb_spec_type plumb_spec_type_relaxed_stack;
extern const struct plumb_spec_type plumb_spec_type_local_queue;
extern const struct plumb_spec_type plumb_spec_type_local_stack;
extern const struct plumb_spec_type plumb_spec_type_relaxed_priority_queue;

/* Those with weak answers. */
extern const struct plumb_spec_type plumb_spec_type_weak_queue;
extern const struct plumb_spec_type plumb_spec_type_weak_pool_queue;
extern const struct plumb_spec_type plumb_spec_type_weak_stack;

#define PLUMB_COUNT_OF(array) ((unsigned)(sizeof(array) / sizeof *(array)))

/* The operations and parameters of a type. */
#define PLUMB_TABLES(operations, parameters)                                   \
    .ops = (operations), .nops = PLUMB_COUNT_OF(operations),                   \
    .params = (parameters), .nparams = PLUMB_COUNT_OF(parameters)

#endif
