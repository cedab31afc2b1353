/* term_several.h - ||| and || inside a term. */
#ifndef PLUMB_MODEL_TERM_SEVERAL_H
#define PLUMB_MODEL_TERM_SEVERAL_H

#include "term_steps.h"

enum plumb_status plumb_several_go(struct plumb_stepping *g, uint32_t term);

#endif
