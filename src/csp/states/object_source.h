/* object_source.h - the linearizable specification of a built-in type.
 *
 * Each client is idle, or has called, or has got its answer but not returned
 * yet; between call and return the operation happens at once, unseen.  That is
 * the specification of section 3.2 of "Model Checking Linearizability via
 * Refinement", made from src/spec instead of a model.
 *
 * Events, for client i of 0 .. clients - 1:
 *     OP_inv.i.ARGUMENTS      the call
 *     OP_res.i.RESULTS        it returned ok(RESULTS)
 *     OP_TERM.i.RESULTS       it returned another term, as deq_empty.i
 *     OP_lin.i.ARGUMENTS.RESULTS, OP_TERM_lin....  at marked points (Theorem 2)
 * Booleans are 1 and 0.  Operations are those whose OP_inv (OP_lin) is a name
 * in the model; answers whose event the model never mentions are left out, as
 * no implementation in it can give them. */
#ifndef PLUMB_CSP_STATES_OBJECT_SOURCE_H
#define PLUMB_CSP_STATES_OBJECT_SOURCE_H

#include "csp/terms/event_numbers.h"

struct plumb_csp_object_source;

struct plumb_csp_object_request {
    const char *spec; /* "queue:cap=2" */
    uint32_t clients;
    const int32_t *value; /* what arguments and results are taken from */
    uint32_t values;
    bool points;
};

/* PLUMB_EINPUT without a place if there is no such specification, or none of
 * its operations is in the model. */
enum plumb_status plumb_csp_object_source_open(
    struct plumb_csp_object_source **s,
    const struct plumb_csp_object_request *request,
    const struct plumb_csp_model *model, struct plumb_csp_event_numbers *events,
    struct plumb_budget *budget, struct plumb_error *err);
void plumb_csp_object_source_free(struct plumb_csp_object_source *s);
struct plumb_csp_graph_source plumb_csp_object_source(
    struct plumb_csp_object_source *s);

/* The name of its index-th event; false behind the last. */
bool plumb_csp_object_source_calls(const struct plumb_csp_object_source *s,
                                   uint32_t index, uint32_t *name);
/* The image of a state if clients low .. low + count - 1 are renamed by a
 * permutation (permutation.h); UINT32_MAX when memory is refused. */
uint32_t plumb_csp_object_source_renamed(struct plumb_csp_object_source *s,
                                         uint32_t state, uint32_t low,
                                         uint32_t count, uint32_t permutation);

#endif
