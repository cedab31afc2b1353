/* abstraction.h - does a process count instead of telling apart?
 *
 * |||{..} stands for any number of processes; its states say "many" where
 * there may be any number, and so have more behaviour than is there. */
#ifndef PLUMB_MODEL_ABSTRACTION_H
#define PLUMB_MODEL_ABSTRACTION_H

#include "model.h"

/* Is |||{..} in `process` or in a definition it refers to?  `*yes` is. */
enum plumb_status plumb_process_counts_many(const struct plumb_model *model,
                                            const struct plumb_process *process,
                                            struct plumb_budget *budget,
                                            bool *yes, struct plumb_error *err);

#endif
