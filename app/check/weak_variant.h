/* weak_variant.h - histories that are wrong only by an `empty` or a `full` which
 * is due to operations in their middle (docs/weak-answers.md). */
#ifndef PLUMB_APP_CHECK_WEAK_VARIANT_H
#define PLUMB_APP_CHECK_WEAK_VARIANT_H

#include "base/text.h"
#include <plumb/check.h>
#include <stdbool.h>

/* Adds, as a paragraph without line ends, that the strictest weak variant of
 * `spec`, its name in full, accepts the history.  False, and nothing is added:
 * none does, or `spec` has none, or is weak. */
bool check_add_weak_variant(const struct plumb_history *h, const char *spec,
                            struct plumb_budget *budget,
                            struct plumb_base_text *out);

#endif
