/* object_answers.h - what a built-in specification answers, where a model has
 * another event for it. */
#ifndef PLUMB_CSP_STATES_OBJECT_ANSWERS_H
#define PLUMB_CSP_STATES_OBJECT_ANSWERS_H

#include "base/text.h"
#include "csp/language/model.h"

/* "stack answers pop with pop_res.CLIENT.x or pop_empty.CLIENT", if event
 * `name` is an answer of an operation, and the model has no event for one of
 * the answers or this one is none of them; else, or if memory is refused,
 * nothing is added. */
void plumb_csp_object_answers(const struct plumb_csp_model *model,
                              const struct plumb_csp_assertion *assertion,
                              const char *name, struct plumb_budget *budget,
                              struct plumb_base_text *out);

#endif
