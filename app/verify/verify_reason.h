/* verify_reason.h - why an assertion is violated, or where it is reached, in
 * a line. */
#ifndef PLUMB_APP_VERIFY_VERIFY_REASON_H
#define PLUMB_APP_VERIFY_VERIFY_REASON_H

#include "base/text.h"
#include "refine/judge.h"

/* Of what was decided; the steps to it, if there are any, come below. */
void verify_reason(struct plumb_refine_judgement *j,
                   struct plumb_base_text *out);

/* The operation that does not return, where progress is asserted. */
void verify_operation(const struct plumb_refine_judgement *j,
                      struct plumb_base_text *out);

/* Does the same event lead to different states behind the way that was found:
 * the edges j->examination.edge of the state j->examination.final? */
bool verify_is_ambiguous(const struct plumb_refine_judgement *j);

/* What the specification would have allowed instead: of a counterexample whose
 * last event is not possible (verify_allowed.c). */
void verify_allowed(struct plumb_refine_judgement *j,
                    struct plumb_base_text *out);

#endif
