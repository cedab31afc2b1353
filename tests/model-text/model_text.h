/* model_text.h - a resolved model as text that can be read again.
 *
 * Constants are folded and #defines put in, so the text is not what was
 * written; but reading it gives a model whose text is the same.  Names that
 * only we can give (stack.result) or that are bound twice are changed. */
#ifndef TESTS_MODEL_TEXT_H
#define TESTS_MODEL_TEXT_H

#include "base/text.h"
#include "csp/language/model.h"

void plumb_csp_model_text(const struct plumb_csp_model *model,
                          struct plumb_base_text *out);

/* Parts of it.  `definition` says which one it stands in, for the names of
 * locals; NULL if in none. */
void plumb_csp_expr_text(const struct plumb_csp_model *model,
                         const struct plumb_csp_definition *definition,
                         const struct plumb_csp_expr *e,
                         struct plumb_base_text *out);
void plumb_csp_process_text(const struct plumb_csp_model *model,
                            const struct plumb_csp_definition *definition,
                            const struct plumb_csp_process *p,
                            struct plumb_base_text *out);

#endif
