/* term_several.h - ||| and || inside a term. */
#ifndef PLUMB_CSP_TERMS_TERM_SEVERAL_H
#define PLUMB_CSP_TERMS_TERM_SEVERAL_H

#include "term_steps.h"

enum plumb_status plumb_csp_several_go(struct plumb_csp_stepping *g,
                                       uint32_t term);

#endif
