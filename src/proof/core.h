/* core.h - a core whose operations have been read, as its proofs see it. */
#ifndef PLUMB_PROOF_CORE_H
#define PLUMB_PROOF_CORE_H

#include "words.h"

/* An operation as the core has it: `ret` is PLUMB_NEVER if it is pending there.
 * Of one that takes effect in several steps each is an operation here; they
 * stand together, in order.  So is each call and return that the specification
 * is told of, as an instant; then all ranks are PLUMB_PROOF_RANKS times those of
 * the history, and operations stand by rank. */
enum { PLUMB_PROOF_RANKS = 4 };

struct plumb_proof_core_op {
    struct plumb_proof_plain_call call;
    struct plumb_proof_plain_seen seen;
    uint32_t index; /* in the history */
    uint32_t called, ret;
    bool reads; /* it is read-only */
};

struct plumb_proof_core {
    const struct plumb_history *h;
    struct plumb_proof_plain *p;
    struct plumb_proof_core_op *op; /* by call rank */
    uint32_t count;
    /* If the specification is told of calls and returns: the numbers above, by
     * operation of the history and then in their order.  Else NULL. */
    uint32_t *by_index;
    struct plumb_error *err;
};

static inline bool plumb_proof_core_op_is_pending(
    const struct plumb_proof_core_op *o)
{
    return o->ret == PLUMB_NEVER;
}

/* The n-th, by operation of the history. */
static inline uint32_t plumb_proof_core_nth(const struct plumb_proof_core *c,
                                            uint32_t n)
{
    return c->by_index ? c->by_index[n] : n;
}

/* PLUMB_OK: no order of the operations is legal. */
enum plumb_status plumb_proof_core_enumerate(
    const struct plumb_proof_core *core);

/* PLUMB_OK: the certificate proves the same. */
enum plumb_status plumb_proof_core_certify(
    const struct plumb_proof_core *core,
    const struct plumb_certificate_step *step, uint32_t count);

#endif
