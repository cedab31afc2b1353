/* allowances.h - options with which the test of a violation would pass.
 *
 * Each is tried: the test is explored once more, with the option. */
#ifndef PLUMB_APP_EXPLORE_INFER_ALLOWANCES_H
#define PLUMB_APP_EXPLORE_INFER_ALLOWANCES_H

#include "app/explore/driver/exploration.h"
#include "base/text.h"

/* A line for each, or in JSON ,"allowances":["--async close",...]. */
void explore_add_allowances(const struct exploration *e,
                            const struct explore_violation *v,
                            struct plumb_base_text *out);

#endif
