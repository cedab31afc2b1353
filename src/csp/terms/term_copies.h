/* term_copies.h - |||{n} P and |||{..} P: how many are in which term. */
#ifndef PLUMB_CSP_TERMS_TERM_COPIES_H
#define PLUMB_CSP_TERMS_TERM_COPIES_H

#include "term_steps.h"

/* More copies than this in one term are many, if there are many at all. */
enum { PLUMB_FEW_COPIES = 1 };

uint32_t plumb_csp_copies_normal(struct plumb_csp_terms *t, uint32_t copies,
                                 struct plumb_error *err);
enum plumb_status plumb_csp_copies_go(struct plumb_csp_stepping *g,
                                      uint32_t multiset);

#endif
