/* term_build.h - from the text of a process to a term. */
#ifndef PLUMB_CSP_TERMS_TERM_BUILD_H
#define PLUMB_CSP_TERMS_TERM_BUILD_H

#include "term_store.h"

/* `binding` has `locals` entries and is changed while it is worked with. */
uint32_t plumb_csp_term_build(struct plumb_csp_terms *t,
                              const struct plumb_csp_process *p,
                              plumb_csp_binding *binding, uint32_t locals,
                              struct plumb_error *err);

/* What a receiver is once its locals have values: RECEIVED, with formulas for
 * what has to be equal. */
uint32_t plumb_csp_term_build_received(struct plumb_csp_terms *t,
                                       uint32_t receive,
                                       plumb_csp_binding *binding,
                                       uint32_t locals,
                                       struct plumb_error *err);

#endif
