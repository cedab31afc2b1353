/* simulate_spec.h - the specification that a simulation is judged by. */
#ifndef PLUMB_APP_SIMULATE_SIMULATE_SPEC_H
#define PLUMB_APP_SIMULATE_SIMULATE_SPEC_H

#include "simulate_settings.h"

/* The one of s->spec, which is given; s->plugin if it is a file.  NULL after
 * saying what is wrong. */
struct plumb_spec *simulate_spec(const struct simulate_settings *s);

#endif
