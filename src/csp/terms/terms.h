/* terms.h - process expressions as numbers.
 *
 * The heart of the semantics.  A term is a process in which locals were
 * replaced by what they stand for; equal terms have equal numbers.  A term of
 * one thread of control (no ||| or || in it) has its *moves* worked out once:
 * what must hold, which event, which effect, and what is next.  So a state's
 * successors are found by looking at the moves of its terms; no expression is
 * taken apart twice.
 *
 * Arguments of references that mention globals stay formulas until the next
 * step: push -> Loop(H) does not look at H when push happens. */
#ifndef PLUMB_MODEL_TERMS_H
#define PLUMB_MODEL_TERMS_H

#include "csp/states/system.h"

struct plumb_terms;

#define PLUMB_NO_TERM UINT32_MAX /* memory was refused, or an error */

struct plumb_terms *plumb_terms_new(struct plumb_world *world);
void plumb_terms_free(struct plumb_terms *t);

uint32_t plumb_term_of(struct plumb_terms *t, const struct plumb_process *p,
                       const plumb_binding *binding, struct plumb_error *err);

/* The steps of a term in `state` (of which the globals are looked at) are
 * added; a target vector is the globals after the step and one more slot, the
 * term after it. */
enum plumb_status plumb_term_steps(struct plumb_terms *t, uint32_t term,
                                   const uint32_t *globals,
                                   struct plumb_steps *steps,
                                   struct plumb_error *err);
void plumb_term_text(const struct plumb_terms *t, uint32_t term,
                     struct plumb_text *out);

#endif
