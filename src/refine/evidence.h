/* evidence.h - why an implementation refines, for those who do not believe
 * it (accept.h).
 *
 * NULL if memory does not suffice; then nobody has verified the verdict. */
#ifndef PLUMB_MODEL_EVIDENCE_H
#define PLUMB_MODEL_EVIDENCE_H

#include "base/arena.h"
#include "refine/engines/antichain.h"
#include "refine/minimise/bisimulation.h"
#include "refine/engines/product.h"

const struct plumb_relation *plumb_certify_product(
    const struct plumb_product *p, struct plumb_arena *arena);
const struct plumb_relation *plumb_certify_antichain(
    const struct plumb_antichain *a, struct plumb_arena *arena);
const struct plumb_partition *plumb_certify_partition(
    const struct plumb_partition *p, struct plumb_arena *arena);

#endif
