/* object_progress.h - what progress asks of an object, and what the answer is
 * made of.
 *
 * A *client* has at most one operation open: from its call to the response.
 * Its *own processes* take part in calls or responses of this client and of no
 * other.  A step in which one of them takes part while the operation is open
 * is a step of the client; the client takes it *alone* if no own process of
 * another client takes part.  Nothing is assumed about who goes on when.
 *
 *   blocked            a reachable state in which a client has an operation
 *                      open and can take no step alone
 *   not lock-free      blocked, or an infinite run with infinitely many steps
 *                      of clients and finitely many responses
 *   not wait-free      blocked, or an infinite run in which a client takes
 *                      infinitely many steps of one operation
 *   not obstruction-   blocked, or a reachable state from which a client can
 *   free               take steps alone for ever without a response
 *
 * Steps inside atomic { } go before all others.  Where they are another's, a
 * client is not blocked, unless they can go on for ever. */
#ifndef PLUMB_REFINE_OBJECT_PROGRESS_H
#define PLUMB_REFINE_OBJECT_PROGRESS_H

#include "base/number_lists.h"
#include "base/pair_index.h"
#include "refinement.h"

enum { PLUMB_MOST_CLIENTS = 64 };

enum plumb_refine_progress_kind {
    PLUMB_LOCKFREE,
    PLUMB_WAITFREE,
    PLUMB_OBSTRUCTIONFREE
};

/* What an event says. */
enum plumb_refine_call_kind {
    PLUMB_NO_CALL, /* it is none of a client's */
    PLUMB_CALL,
    PLUMB_RESPONSE
};
struct plumb_refine_call {
    enum plumb_refine_call_kind kind;
    uint32_t client, operation;
};

/* What progress asks of a graph. */
struct plumb_refine_progress_labels {
    void *context;
    uint32_t clients; /* at most PLUMB_MOST_CLIENTS */
    enum plumb_status (*call)(void *context, uint32_t event,
                              struct plumb_refine_call *call,
                              struct plumb_error *err);
    /* The processes that take part in the index-th edge of `state`, a bit
     * each; 0: all of them.  Is it inside atomic { }? */
    enum plumb_status (*actors)(void *context, uint32_t state, uint32_t index,
                                uint64_t *processes, bool *atomic,
                                struct plumb_error *err);
    /* An error: the call or response `event`, though the client has the
     * operation open that has this number less one, or none. */
    enum plumb_status (*misuse)(void *context, uint32_t event,
                                const struct plumb_refine_call *call,
                                uint32_t open, struct plumb_error *err);
};

/* The graph, with the operations that are open: pairs of a state and a list,
 * which has for each client the number of its operation plus one, or 0.  Place
 * 0 is the initial state with none. */
struct plumb_refine_place_list {
    const struct plumb_base_pairs *place;
    const struct plumb_base_lists *open;
};

/* Why nothing goes on for ever: each place has a rank, and no step of the view
 * leads to a higher one; those that must end lead to a lower one. */
enum plumb_refine_progress_view {
    PLUMB_VIEW_SILENT,   /* steps but responses; those of clients must end    */
    PLUMB_VIEW_OPEN,     /* steps while the client's operation is open; its
                            own must end                                      */
    PLUMB_VIEW_ALONE,    /* steps that the client takes alone; all must end   */
    PLUMB_VIEW_PREEMPTED /* steps while the client waits for atomic steps of
                            others, for which its rank is above 0; all        */
};
struct plumb_refine_progress_ranks {
    enum plumb_refine_progress_view view;
    uint32_t client;      /* of all but PLUMB_VIEW_SILENT */
    const uint32_t *rank; /* of each place */
};

enum plumb_refine_progress_offence {
    PLUMB_PROGRESS_MADE,
    PLUMB_PROGRESS_BLOCKED, /* where the path ends, or as it goes round */
    PLUMB_PROGRESS_LIVELOCK /* as it goes round                         */
};

struct plumb_refine_progress {
    bool holds;
    enum plumb_refine_progress_offence offence;
    uint32_t client, operation; /* who is blocked, or never returns */
    uint64_t
        steppers; /* clients that take steps as it goes round, a bit each */
    /* path[cycle..] goes round; else `cycle` is `length`. */
    const struct plumb_refine_hop *path;
    uint32_t length, cycle;
    uint64_t callers; /* clients that ever call, a bit each */
    /* For accept.h: all places, the processes of each client, and if it holds
     * why. */
    struct plumb_refine_place_list places;
    uint64_t own[PLUMB_MOST_CLIENTS];
    const struct plumb_refine_progress_ranks *ranks;
    uint32_t rankings;
};

#endif
