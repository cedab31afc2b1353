/* native_emit.h - the moves of terms, written as C (compiled_moves.h). */
#ifndef PLUMB_CSP_FORMULAS_NATIVE_EMIT_H
#define PLUMB_CSP_FORMULAS_NATIVE_EMIT_H

#include "csp/states/successors.h"

/* All terms that states have had so far.  False when memory is refused. */
bool plumb_csp_native_emit(struct plumb_csp_quick *q, struct plumb_csp_terms *t,
                           struct plumb_base_text *out);

#endif
