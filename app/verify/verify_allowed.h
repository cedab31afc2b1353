/* verify_allowed.h - what the specification would have allowed instead. */
#ifndef PLUMB_CLI_VERIFY_ALLOWED_H
#define PLUMB_CLI_VERIFY_ALLOWED_H

#include "base/text.h"
#include "refine/judge.h"

/* Of a counterexample whose last event is not possible. */
void verify_allowed(struct plumb_judgement *j, struct plumb_text *out);

#endif
