/* weak_hint.h - a history that is wrong only by an `empty` or a `full` which is
 * due to operations in their middle (docs/weak-answers.md). */
#ifndef PLUMB_APP_EXPLORE_REPORT_WEAK_HINT_H
#define PLUMB_APP_EXPLORE_REPORT_WEAK_HINT_H

#include "app/explore/driver/exploration.h"
#include "base/text.h"

/* Says so, and names the specification that accepts it; or nothing. */
void explore_add_weak_hint(const struct exploration *e,
                           const struct plumb_history *h,
                           struct plumb_base_text *out);

#endif
