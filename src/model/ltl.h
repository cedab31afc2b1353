/* ltl.h - linear temporal logic over the runs of a graph.
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
 *   strong: a process that is enabled again and again does
 *
 * Syntax:  [] <> X U V R ! && || -> <-> xor ( ) true false, event names with
 * their data (eat.0), "quoted events", and names of propositions.  V is R. */
#ifndef PLUMB_MODEL_LTL_H
#define PLUMB_MODEL_LTL_H

#include "base/arena.h"
#include "model/refine.h"

enum plumb_fairness {
    PLUMB_UNFAIR,
    PLUMB_WEAK_FAIRNESS,
    PLUMB_STRONG_FAIRNESS
};

enum plumb_ltl_kind {
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

struct plumb_ltl {
    enum plumb_ltl_kind kind;
    uint32_t atom; /* of PLUMB_LTL_ATOM: index into the formula's atoms */
    const struct plumb_ltl *left, *right; /* left alone if unary          */
};

struct plumb_ltl_atom {
    const char *text; /* as written, without quotes */
    bool quoted;      /* then it is an event for sure */
    uint64_t line, column;
};

struct plumb_formula {
    const struct plumb_ltl *root;
    const struct plumb_ltl_atom *atom;
    uint32_t atoms;
};

/* `text` begins at line:column of its file.  Everything is in `arena`. */
enum plumb_status plumb_ltl_parse(const char *text, size_t size, uint64_t line,
                                  uint64_t column, struct plumb_arena *arena,
                                  struct plumb_formula *formula,
                                  struct plumb_error *err);

/* What formulas ask of a graph. */
struct plumb_labels {
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

struct plumb_run {
    bool holds;
    /* A run that breaks the formula: path[cycle..] again and again.  If
     * `cycle` is `length` it stays in the last state, which has no edges. */
    const struct plumb_hop *path;
    uint32_t length, cycle;
    uint64_t states, transitions; /* of the product with the automaton */
};

enum plumb_status plumb_ltl_check(
    struct plumb_graph *g, const struct plumb_formula *formula,
    const struct plumb_labels *labels, enum plumb_fairness fairness,
    struct plumb_arena *arena, struct plumb_run *run, struct plumb_error *err);

#endif
