/* evidence.h - why an implementation refines, for those who do not believe
 * it (accept.h).
 *
 * NULL if memory does not suffice; then nobody has verified the verdict. */
#ifndef PLUMB_REFINE_EVIDENCE_H
#define PLUMB_REFINE_EVIDENCE_H

#include "base/arena.h"
#include "refine/engines/antichain.h"
#include "refine/engines/product.h"
#include "refine/minimise/bisimulation.h"

const struct plumb_refine_relation *plumb_refine_certify_product(
    const struct plumb_refine_product *p, struct plumb_base_arena *arena);
const struct plumb_refine_relation *plumb_refine_certify_antichain(
    const struct plumb_refine_antichain *a, struct plumb_base_arena *arena);
const struct plumb_refine_partition *plumb_refine_certify_partition(
    const struct plumb_refine_partition *p, struct plumb_base_arena *arena);

#endif
