/* priority_family.h - what priority queues, relaxed or not, have in common. */
#ifndef PLUMB_SPEC_TYPES_PRIORITY_FAMILY_H
#define PLUMB_SPEC_TYPES_PRIORITY_FAMILY_H

#include "spec/stores/container.h"

enum {
    PLUMB_PRIORITY_INSERT,
    PLUMB_PRIORITY_INSERT_PAIR,
    PLUMB_PRIORITY_DELMIN,
    PLUMB_PRIORITY_TAKE,
    PLUMB_PRIORITY_MIN,
    PLUMB_PRIORITY_OPS
};
extern const struct plumb_spec_opdef
    plumb_spec_priority_ops[PLUMB_PRIORITY_OPS];

/* After the first two: which way, and how it is relaxed. */
enum {
    PLUMB_PRIORITY_MAX = PLUMB_OWN_PARAM,
    PLUMB_PRIORITY_K,
    PLUMB_PRIORITY_LATE,
    PLUMB_PRIORITY_EMPTY,
    PLUMB_PRIORITY_PARAMETERS
};
extern const struct plumb_spec_param
    plumb_spec_priority_params[PLUMB_PRIORITY_PARAMETERS];

static inline bool plumb_spec_priority_inserts(
    const struct plumb_spec_action *a)
{
    return a->kind <= PLUMB_PRIORITY_INSERT_PAIR;
}

static inline bool plumb_spec_priority_removes(
    const struct plumb_spec_action *a)
{
    return a->kind == PLUMB_PRIORITY_DELMIN || a->kind == PLUMB_PRIORITY_TAKE;
}

/* As in 7 or (7,a): an item whose priority has that rank, and whose second part
 * is `pair` - 1, unless `pair` is 0. */
void plumb_spec_priority_show_item(const struct plumb_spec_space *space,
                                   uint64_t rank, uint32_t pair,
                                   struct plumb_base_text *out);

#endif
