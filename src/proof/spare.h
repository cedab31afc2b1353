/* spare.h - the rule *spare*: configurations with operations too many. */
#ifndef PLUMB_PROOF_SPARE_H
#define PLUMB_PROOF_SPARE_H

#include "configurations.h"
#include "core.h"

struct plumb_proof_spare;

/* Make the rule ready for a table to which no more configurations are added.
 * *spare is NULL where no operation of the core is spare.  False when memory
 * is used up. */
bool plumb_proof_spare_new(const struct plumb_proof_core *core,
                           const struct plumb_proof_configurations *c,
                           struct plumb_proof_spare **spare);
void plumb_proof_spare_free(struct plumb_proof_spare *s);

/* Does the table have a configuration with the states of `row`, and its
 * operations but for spare ones? */
bool plumb_proof_spare_covers(const struct plumb_proof_spare *s,
                              const uint32_t *row);

#endif
