/* formula_emit.h - formulas and effects as C (formula_emit.c). */
#ifndef PLUMB_CSP_FORMULAS_FORMULA_EMIT_H
#define PLUMB_CSP_FORMULAS_FORMULA_EMIT_H

#include "formulas.h"

/* What the functions below need. */
void plumb_csp_formula_emit_prelude(struct plumb_base_text *out);

/* `static inline int fNUMBER(int32_t *s, int32_t *value)`, 0 if all is well.
 * False if it cannot be written so: a call, a channel, no memory; then a part
 * of it is in `out`. */
bool plumb_csp_formula_emit(struct plumb_csp_formulas *f, uint32_t number,
                            struct plumb_base_text *out);

#endif
