/* rename_formula.h - an expression or a program after processes are renamed.
 *
 * Locals were replaced by their values: which constants are process ids is seen
 * from where they stand (process_ids.h). */
#ifndef PLUMB_CSP_SYMMETRY_RENAME_FORMULA_H
#define PLUMB_CSP_SYMMETRY_RENAME_FORMULA_H

#include "csp/formulas/formulas.h"
#include "process_ids.h"

/* The process id low + i becomes low + the i-th of `permutation`. */
struct plumb_csp_renamer {
    const struct plumb_csp_process_ids *ids;
    uint32_t permutation;
};

int32_t plumb_csp_process_id_image(const struct plumb_csp_renamer *r,
                                   int32_t value);

/* Which element of a variable another one becomes. */
uint32_t plumb_csp_element_image(const struct plumb_csp_renamer *r,
                                 const struct plumb_csp_model *model,
                                 uint32_t variable, uint32_t element);

/* A formula that stands where process ids do or do not, or an effect.
 * PLUMB_NO_FORMULA when memory is refused. */
uint32_t plumb_csp_formula_image(const struct plumb_csp_renamer *r,
                                 struct plumb_csp_formulas *f, uint32_t formula,
                                 bool id);

#endif
