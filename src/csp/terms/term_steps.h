/* term_steps.h - the steps of any term in a state. */
#ifndef PLUMB_CSP_TERMS_TERM_STEPS_H
#define PLUMB_CSP_TERMS_TERM_STEPS_H

#include "csp/states/steps.h"
#include "term_store.h"
#include <assert.h>

/* A message that waits for somebody to take it, at a channel of capacity 0. */
struct plumb_csp_offer {
    uint32_t channel;
    int32_t index; /* of the channel in its array, else 0 */
    const int32_t *value;
    uint32_t count;
    uint32_t event;
};

/* What steps are worked out from.  If there is an offer, only steps that take
 * it are; their effects come after those of the sender. */
struct plumb_csp_participants;
struct plumb_csp_stepping {
    struct plumb_csp_terms *t;
    const uint32_t *before; /* globals that conditions and data look at */
    const uint32_t *base;   /* globals that effects change              */
    const struct plumb_csp_offer *offer;
    struct plumb_csp_steps *steps;
    struct plumb_error *err;
    struct plumb_csp_participants *who; /* NULL: they are not asked for here */
    uint32_t place;                     /* of the first of them              */
};

/* Add the steps of `term`; targets are globals and a term.  Half steps are
 * among them. */
enum plumb_status plumb_csp_term_go(struct plumb_csp_stepping *g,
                                    uint32_t term);

/* The words of such a target. */
static inline size_t plumb_csp_term_stride(const struct plumb_csp_stepping *g)
{
    return (size_t)g->t->world->model->slots + 1;
}

/* The term in the target of step k. */
static inline uint32_t *plumb_csp_term_target(
    const struct plumb_csp_stepping *g, uint32_t k)
{
    assert(k < g->steps->count);
    const size_t stride = plumb_csp_term_stride(g);
    return plumb_csp_steps_target(g->steps, k, stride) + stride - 1;
}

/* Make `term` the target of step k, in its normal form; PLUMB_NO_TERM is an
 * error that was met before. */
enum plumb_status plumb_csp_term_aim(struct plumb_csp_stepping *g, uint32_t k,
                                     uint32_t term);

/* A step to `globals` and `term`, which is made normal. */
enum plumb_status plumb_csp_term_add_step(struct plumb_csp_stepping *g,
                                          struct plumb_csp_step step,
                                          const uint32_t *globals,
                                          uint32_t term);

enum plumb_status plumb_csp_term_holds(struct plumb_csp_stepping *g,
                                       uint32_t formula, bool *holds);

/* ---- operators with files of their own ---- */

/* term_channels.c: sending and receiving. */
enum plumb_status plumb_csp_channel_send(struct plumb_csp_stepping *g,
                                         uint32_t send);
enum plumb_status plumb_csp_channel_receive(struct plumb_csp_stepping *g,
                                            uint32_t receive);

/* term_several.c: ||| and || inside a term. */
enum plumb_status plumb_csp_several_go(struct plumb_csp_stepping *g,
                                       uint32_t term);

/* term_copies.c: |||{n} P and |||{..} P, how many are in which term.  More
 * copies than this in one term are many, if there are many at all. */
enum { PLUMB_FEW_COPIES = 1 };
uint32_t plumb_csp_copies_normal(struct plumb_csp_terms *t, uint32_t copies,
                                 struct plumb_error *err);
enum plumb_status plumb_csp_copies_go(struct plumb_csp_stepping *g,
                                      uint32_t multiset);

#endif
