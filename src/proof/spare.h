/* spare.h - the rule *spare*: configurations with operations too many. */
#ifndef PLUMB_VERIFY_SPARE_H
#define PLUMB_VERIFY_SPARE_H

#include "configurations.h"
#include "core.h"

struct spare;

/* Make the rule ready for a table to which no more configurations are added.
 * *spare is NULL where no operation of the core is spare.  False when memory
 * is used up. */
bool plumb_spare_new(const struct core *core, const struct configurations *c,
                     struct spare **spare);
void plumb_spare_free(struct spare *s);

/* Does the table have a configuration with the states of `row`, and its
 * operations but for spare ones? */
bool plumb_spare_covers(const struct spare *s, const uint32_t *row);

#endif
