/* bisimilar.h - deciding on small graphs that do the same as the large ones.
 */
#ifndef PLUMB_REFINE_MINIMISE_BISIMILAR_H
#define PLUMB_REFINE_MINIMISE_BISIMILAR_H

#include "refine/engines/refine.h"

/* Both graphs are complete.  As plumb_refine(). */
enum plumb_status plumb_refine_bisimilar(const struct plumb_refine_task *task);

/* The antichain engine, on any graphs. */
enum plumb_status plumb_refine_antichain(const struct plumb_refine_task *task);

#endif
