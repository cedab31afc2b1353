/* verify_formula.h - the formula that tells two processes apart, as text.
 *
 *     true   !F   F && G   <e> G   (F) <e> G   <tau> G   <~>   (F) <~>
 *
 * A part that is needed more than once has a name: f1, f2, ... */
#ifndef PLUMB_APP_VERIFY_VERIFY_FORMULA_H
#define PLUMB_APP_VERIFY_VERIFY_FORMULA_H

#include "base/text.h"
#include "refine/judge.h"

/* Of an assertion P() = Q() that is violated: one line each, the formula and
 * then what the names in it stand for. */
void verify_formula(const struct plumb_refine_judgement *j,
                    struct plumb_base_text *out);

#endif
