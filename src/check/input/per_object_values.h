/* per_object_values.h - the values of one object of many, numbered by themselves.
 *
 * Monitors have tables by value.  With many objects, each of which has few of
 * the values of a history, those would be mostly empty, and as many as there are
 * objects. */
#ifndef PLUMB_CHECK_INPUT_PER_OBJECT_VALUES_H
#define PLUMB_CHECK_INPUT_PER_OBJECT_VALUES_H

#include "kinds.h"

struct plumb_check_object_values {
    struct plumb_check_kinds *kinds;
    uint32_t *list;   /* room for the words of the longest tape */
    uint32_t *number; /* by word of the history */
};

/* In `arena`; false when memory is used up. */
bool plumb_check_object_values_init(struct plumb_check_object_values *w,
                                    struct plumb_check_kinds *kinds,
                                    const struct plumb_check_inputs *tapes,
                                    struct plumb_base_arena *arena);

/* op[] is tape->op.  Words stay in order; nothing is done where it would not
 * be worth while. */
void plumb_check_object_values(const struct plumb_check_object_values *w,
                               struct plumb_check_input *tape,
                               struct plumb_check_input_op *op);

#endif
