/* verify_allowed.h - what the specification would have allowed instead. */
#ifndef PLUMB_APP_VERIFY_VERIFY_ALLOWED_H
#define PLUMB_APP_VERIFY_VERIFY_ALLOWED_H

#include "base/text.h"
#include "refine/judge.h"

/* Of a counterexample whose last event is not possible. */
void verify_allowed(struct plumb_refine_judgement *j,
                    struct plumb_base_text *out);

#endif
