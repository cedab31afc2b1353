/* barred_values.h - which values may not be left out of a core, because of
 * answers that remain (enum plumb_spec_bar).
 *
 * Answers `empty` are given in the order of their calls. */
#ifndef PLUMB_CHECK_BARRED_VALUES_H
#define PLUMB_CHECK_BARRED_VALUES_H

#include "spec/spec.h"

struct plumb_check_barred {
    const struct plumb_spec *spec;
    enum plumb_spec_bar bar;
    /* of the first so many: the last call, and the largest return */
    uint32_t *call, *reach;
    uint32_t count;
    size_t call_capacity, reach_capacity;
    bool full; /* some operation answered that */
};

void plumb_check_barred_begin(struct plumb_check_barred *b,
                              const struct plumb_spec *spec);
void plumb_check_barred_release(struct plumb_check_barred *b,
                                struct plumb_budget *budget);

/* An operation that remains with its answer, and its ranks in the history.
 * False when memory is used up. */
bool plumb_check_barred_add(struct plumb_check_barred *b,
                            struct plumb_budget *budget,
                            const struct plumb_spec_action *a);

/* Must the value of this operation stay because of it? */
bool plumb_check_barred_is(const struct plumb_check_barred *b,
                           const struct plumb_spec_action *a);

#endif
