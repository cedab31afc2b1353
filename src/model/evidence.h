<<<<<<<< HEAD:src/model/certify.h
/* certify.h - why an implementation refines, for those who do not believe
========
/* evidence.h - why an implementation refines, for those who do not believe
>>>>>>>> main:src/model/evidence.h
 * it (accept.h).
 *
 * A certificate is a favour: if memory does not suffice for it, there is none
 * (NULL), and the verdict stands. */
<<<<<<<< HEAD:src/model/certify.h
#ifndef PLUMB_MODEL_CERTIFY_H
#define PLUMB_MODEL_CERTIFY_H
========
#ifndef PLUMB_MODEL_EVIDENCE_H
#define PLUMB_MODEL_EVIDENCE_H
>>>>>>>> main:src/model/evidence.h

#include "base/arena.h"
#include "model/antichain.h"
#include "model/bisimulation.h"
#include "model/product.h"

const struct plumb_relation *plumb_certify_product(
    const struct plumb_product *p, struct plumb_arena *arena);
const struct plumb_relation *plumb_certify_antichain(
    const struct plumb_antichain *a, struct plumb_arena *arena);
const struct plumb_partition *plumb_certify_partition(
    const struct plumb_partition *p, struct plumb_arena *arena);

#endif
