/* abstraction.h - does a process count instead of telling apart?
 *
 * |||{..} stands for any number of processes; its states say "many" where
 * there may be any number, and so have more behaviour than is there. */
#ifndef PLUMB_CSP_LANGUAGE_ABSTRACTION_H
#define PLUMB_CSP_LANGUAGE_ABSTRACTION_H

#include "model.h"

/* Is |||{..} in `process` or in a definition it refers to?  `*yes` is. */
enum plumb_status plumb_csp_process_counts_many(
    const struct plumb_csp_model *model,
    const struct plumb_csp_process *process, struct plumb_budget *budget,
    bool *yes, struct plumb_error *err);

#endif
