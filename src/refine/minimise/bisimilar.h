/* bisimilar.h - deciding on small graphs that do the same as the large ones.
 */
#ifndef PLUMB_REFINE_MINIMISE_BISIMILAR_H
#define PLUMB_REFINE_MINIMISE_BISIMILAR_H

#include "refine/engines/refine.h"

/* Both graphs are complete.  As plumb_refine(). */
enum plumb_status plumb_refine_bisimilar(
    struct plumb_csp_graph *impl, struct plumb_csp_graph *spec,
    const struct plumb_refine_options *options, struct plumb_base_arena *arena,
    struct plumb_refinement *r, struct plumb_error *err);

/* The antichain engine, on any graphs. */
enum plumb_status plumb_refine_antichain(
    struct plumb_csp_graph *impl, struct plumb_csp_graph *spec,
    const struct plumb_refine_options *options, struct plumb_base_arena *arena,
    struct plumb_refinement *r, struct plumb_error *err);

#endif
