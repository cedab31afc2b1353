/* shrink.h - a small part of a violation that is a violation by itself. */
#ifndef PLUMB_CHECK_SHRINK_H
#define PLUMB_CHECK_SHRINK_H

#include "decide_parts.h"

/* A weakening of a part; see struct plumb_core in plumb/verify.h. */
struct plumb_check_shrunk {
    struct plumb_core core;
    bool minimal;    /* no single weakening step keeps it a violation */
    uint32_t maybe;  /* the events before this rank are linearizable */
    uint32_t prefix; /* so many events of the history are a violation */
    const struct plumb_certificate_step *certificate;
    uint32_t certificate_count;
};

/* Shrink a part that is not linearizable; `prefix` is as found by its decision,
 * which took `effort` steps; `blame`, if there are `blames`, are operations that
 * are a violation by themselves, ascending.  With `whole` it is not shrunk, only
 * certified.  The result lives in `arena`.  PLUMB_OK, or why not even a
 * certificate of the whole part could be had (PLUMB_END: the limit); once there is one, using up the
 * budget only ends the shrinking. */
struct plumb_check_violation {
    uint32_t part;
    uint32_t prefix;
    uint32_t sure; /* with blame: the events up to this rank are a violation */
    uint64_t effort;
    uint64_t limit; /* steps that the certificate may take; 0: any number */
    const uint32_t *blame; /* of the history */
    uint32_t blames;
};
enum plumb_status plumb_check_shrink(const struct plumb_check_case *c,
                                     const struct plumb_check_violation *v,
                                     bool whole, struct plumb_base_arena *arena,
                                     struct plumb_check_shrunk *out);

#endif
