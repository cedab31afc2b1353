/* client_calls.h - which events of a model are calls and responses, and whose.
 *
 * OP_inv.i is a call of client i.  OP_WORD.i is a response of it if OP_inv is
 * an event of the model; of several such OP the longest, and WORD is not lin,
 * which marks a linearization point.  So `linearizable` reads them, too. */
#ifndef PLUMB_REFINE_PROGRESS_CLIENT_CALLS_H
#define PLUMB_REFINE_PROGRESS_CLIENT_CALLS_H

#include "base/arena.h"
#include "csp/states/system.h"
#include "refine/object_progress.h"

/* What the name of an event says; `operation` is the number of a name, too. */
struct plumb_refine_call_name {
    enum plumb_refine_call_kind kind;
    uint32_t operation;
};

struct plumb_refine_client_calls {
    struct plumb_csp_world *world;
    const struct plumb_csp_system *system;
    struct plumb_csp_numbering *numbering;
    const struct plumb_csp_assertion *assertion;
    const struct plumb_refine_call_name *name; /* of each name of the model */
    struct plumb_csp_steps steps;              /* of `stepped` */
    uint32_t stepped;
    struct plumb_refine_progress_labels labels;
};

/* The labels of a graph of `numbering`, whose system counts processes; to be
 * closed in any case. */
enum plumb_status plumb_refine_client_calls_open(
    struct plumb_refine_client_calls *c, struct plumb_csp_world *world,
    const struct plumb_csp_system *system,
    struct plumb_csp_numbering *numbering,
    const struct plumb_csp_assertion *assertion, struct plumb_base_arena *arena,
    struct plumb_error *err);
void plumb_refine_client_calls_close(struct plumb_refine_client_calls *c);

#endif
