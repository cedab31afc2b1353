/* temporal.h - linear temporal logic: what its formulas and runs are.
 *
 * A run is an infinite sequence of configurations: state 0, reached by no
 * event; then, for each edge taken, its event and its target.  A state without
 * edges repeats itself for ever, with no event.  An atom is about a
 * configuration: the event that led there, or a proposition about the state.
 * A formula holds of a graph if it holds of every run that is fair.
 *
 *   no fairness
 *   weak process fairness: a process that is enabled from some point on for
 *   ever takes part in edges again and again
 *   strong: a process that is enabled again and again does */
#ifndef PLUMB_REFINE_TEMPORAL_H
#define PLUMB_REFINE_TEMPORAL_H

#include "refinement.h"

enum plumb_refine_fairness {
    PLUMB_UNFAIR,
    PLUMB_WEAK_FAIRNESS,
    PLUMB_STRONG_FAIRNESS
};

enum plumb_refine_ltl_kind {
    PLUMB_LTL_TRUE,
    PLUMB_LTL_FALSE,
    PLUMB_LTL_ATOM,
    PLUMB_LTL_NOT,
    PLUMB_LTL_AND,
    PLUMB_LTL_OR,
    PLUMB_LTL_IMPLIES,
    PLUMB_LTL_IFF,
    PLUMB_LTL_XOR,
    PLUMB_LTL_NEXT,
    PLUMB_LTL_UNTIL,
    PLUMB_LTL_RELEASE,
    PLUMB_LTL_ALWAYS,
    PLUMB_LTL_EVENTUALLY
};

struct plumb_refine_ltl {
    enum plumb_refine_ltl_kind kind;
    uint32_t atom; /* of PLUMB_LTL_ATOM: index into the formula's atoms */
    const struct plumb_refine_ltl *left,
        *right; /* left alone if unary          */
};

struct plumb_refine_ltl_atom {
    const char *text; /* as written, without quotes */
    bool quoted;      /* then it is an event for sure */
    uint64_t line, column;
};

struct plumb_refine_formula {
    const struct plumb_refine_ltl *root;
    const struct plumb_refine_ltl_atom *atom;
    uint32_t atoms;
};

/* What formulas ask of a graph. */
struct plumb_refine_labels {
    void *context;
    /* Is `atom` true of `state`, reached by `event` (UINT32_MAX: by none)? */
    enum plumb_status (*holds)(void *context, uint32_t atom, uint32_t event,
                               uint32_t state, bool *yes,
                               struct plumb_error *err);
    /* The processes that take part in the index-th edge of `state`, a bit
     * each; used only if fairness is asked for. */
    enum plumb_status (*actors)(void *context, uint32_t state, uint32_t index,
                                uint64_t *mask, struct plumb_error *err);
    unsigned processes; /* at most 64 */
};

struct plumb_refine_run {
    bool holds;
    /* A run that breaks the formula: path[cycle..] again and again.  If
     * `cycle` is `length` it stays in the last state, which has no edges. */
    const struct plumb_refine_hop *path;
    uint32_t length, cycle;
    uint64_t states, transitions; /* of the product with the automaton */
};

#endif
