/* joint.h - steps of several processes side by side.
 *
 * The same rules hold for operands of ||| and || inside a term and for the
 * components of a system, where a target is a vector with a slot for each:
 * - an event nobody shares is one operand's step;
 * - an event without a program that is in an operand's alphabet needs all
 *   operands that have it in theirs;
 * - termination needs all;
 * - a message to a channel of capacity 0 needs somebody else who takes it. */
#ifndef PLUMB_CSP_TERMS_JOINT_H
#define PLUMB_CSP_TERMS_JOINT_H

#include "term_steps.h"

struct plumb_csp_joint {
    uint32_t operands;
    const uint32_t *alphabet; /* a set for each, or NULL: nothing is shared */
    size_t stride, globals;   /* words of a target, those that are globals  */
    void *context;
    /* Add the steps of an operand. */
    enum plumb_status (*go)(void *context, uint32_t operand,
                            struct plumb_csp_stepping *g);
    /* `to` is the operand's own target: make it a target of all.  May be
     * NULL, if that is what it is already. */
    enum plumb_status (*place)(void *context, uint32_t operand, uint32_t *to,
                               struct plumb_error *err);
    /* Put into `to`, a target of all, what the operand became in `from`. */
    enum plumb_status (*merge)(void *context, uint32_t operand,
                               const uint32_t *from, uint32_t *to,
                               struct plumb_error *err);
    /* All have terminated; `to` has the globals. */
    void (*finish)(void *context, uint32_t *to);
};

enum plumb_status plumb_csp_joint_go(const struct plumb_csp_joint *j,
                                     struct plumb_csp_stepping *g);

/* What a half step offers. */
struct plumb_csp_offer plumb_csp_joint_offer(const struct plumb_csp_stepping *g,
                                             uint32_t event);

#endif
