/* random_values.h - what made-up operations are called with. */
#ifndef PLUMB_CLI_RANDOM_VALUES_H
#define PLUMB_CLI_RANDOM_VALUES_H

#include "random_history.h"

struct random_values {
    const struct random_settings *with;
    struct plumb_rng *rng;
    const struct plain_state *state; /* of the object */
    uint64_t fresh;                  /* so many new values were made */
};

/* Arguments for an operation, as few as it takes.  False if it is not to take
 * effect now: there are enough values in the object. */
bool random_arguments(struct random_values *r, const struct plain_operation *o,
                      struct plumb_value *to);

#endif
