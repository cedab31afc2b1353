/* native_emit.h - the moves of terms, written as C (compiled_moves.h). */
#ifndef PLUMB_MODEL_NATIVE_EMIT_H
#define PLUMB_MODEL_NATIVE_EMIT_H

#include "csp/states/successors.h"

/* All terms that states have had so far.  False when memory is refused. */
bool plumb_native_emit(struct plumb_quick *q, struct plumb_terms *t,
                       struct plumb_text *out);

#endif
