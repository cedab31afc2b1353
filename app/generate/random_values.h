/* random_values.h - what made-up operations are called with. */
#ifndef PLUMB_APP_GENERATE_RANDOM_VALUES_H
#define PLUMB_APP_GENERATE_RANDOM_VALUES_H

#include "random_history.h"

struct generate_random_values {
    const struct generate_random_settings *with;
    struct plumb_base_rng *rng;
    const struct plumb_proof_plain_state *state; /* of the object */
    uint64_t fresh; /* so many new values were made */
};

/* Arguments for an operation, as few as it takes.  False if it is not to take
 * effect now: there are enough values in the object. */
bool generate_random_arguments(struct generate_random_values *r,
                               const struct plumb_proof_plain_operation *o,
                               struct plumb_value *to);

#endif
