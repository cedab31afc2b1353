/* verify_growth.h - what grows, where a search did not come to an end. */
#ifndef PLUMB_APP_VERIFY_VERIFY_GROWTH_H
#define PLUMB_APP_VERIFY_VERIFY_GROWTH_H

#include "base/text.h"
#include "refine/judge.h"

/* A line that says which variables, channels or components grow, as far as the
 * states show: of the process, or else of the specification.  Nothing if none
 * does. */
void verify_growth(const struct plumb_refine_judgement *j,
                   struct plumb_base_text *out);

#endif
