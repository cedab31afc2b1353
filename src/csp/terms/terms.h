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
#ifndef PLUMB_CSP_TERMS_TERMS_H
#define PLUMB_CSP_TERMS_TERMS_H

#include "csp/states/system.h"

struct plumb_csp_terms;

#define PLUMB_NO_TERM UINT32_MAX /* memory was refused, or an error */

struct plumb_csp_terms *plumb_csp_terms_new(struct plumb_csp_world *world);
void plumb_csp_terms_free(struct plumb_csp_terms *t);

void plumb_csp_term_text(const struct plumb_csp_terms *t, uint32_t term,
                         struct plumb_base_text *out);

#endif
