/* judge.h - one assertion of a model, decided.
 *
 * Puts the parts together: systems of both sides, their graphs, the algorithm
 * that the assertion asks for.  Everything stays open until the judgement is
 * freed, so that what was found can be told step by step. */
#ifndef PLUMB_REFINE_JUDGE_H
#define PLUMB_REFINE_JUDGE_H

#include "csp/states/object_source.h"
#include "csp/states/system.h"
#include "refine/engines/refine.h"
#include "refine/equivalence.h"
#include "refine/examination.h"
#include "refine/ltl/ltl.h"
#include "refine/object_progress.h"
#include "refine/symmetric/symmetric.h"

struct plumb_refine_judging {
    enum plumb_refine_engine engine;
    enum plumb_csp_counting counting;
    bool counts; /* they are wanted as that tool has them, not as quickly */
    enum plumb_csp_reduction reduction;
    enum plumb_refine_symmetry_use symmetry;
    enum plumb_refine_fairness fairness;
    enum plumb_refine_search search; /* for a deadlock or a goal */
    unsigned threads;
    struct plumb_budget *budget;
    const struct plumb_csp_native *native; /* who compiles; NULL: nobody */
    /* May be NULL; see refine.h. */
    void (*progress)(void *context, const char *phase, uint64_t done,
                     uint64_t depth);
    void *context;
};

/* One process of the assertion: what makes its states, and its graph. */
struct plumb_refine_side {
    struct plumb_csp_system *system; /* NULL: a built-in specification */
    struct plumb_csp_numbering *numbering;
    struct plumb_csp_object_source *object;
    struct plumb_csp_graph_source inner; /* what the graph is made of */
    struct plumb_csp_graph *graph;
};

/* A process by itself; `quiet`: without an end that is seen.  `side` begins with
 * zeros; to be closed in any case. */
enum plumb_status plumb_refine_side_open(
    struct plumb_refine_side *side, struct plumb_csp_world *world,
    const struct plumb_csp_process *process, enum plumb_csp_reduction reduction,
    bool quiet, struct plumb_error *err);
void plumb_refine_side_close(struct plumb_refine_side *side);

struct plumb_refine_judgement {
    const struct plumb_csp_model *model;
    const struct plumb_csp_assertion *assertion;
    const struct plumb_refine_judging *how; /* while it is being decided: */
    struct plumb_error *err;
    struct plumb_csp_world world;
    struct plumb_refine_side impl, spec; /* spec: of refinements alone */
    struct plumb_refine_symmetric symmetric;
    bool symmetrically; /* it was decided so */
    /* Why processes are not renamed, if that was considered. */
    struct plumb_csp_process_ids_refusal no_symmetry;
    struct plumb_base_arena arena;
    bool decided, holds;
    bool believed;             /* holds, which was too much to verify */
    const char *vacuous_event; /* an event of a formula that holds, which never
                            happens; or NULL                          */
    /* Not decided, though the search came to its end and found `holds`: time
     * or memory did not last to verify that. */
    bool unverified;
    uint32_t states; /* of impl, that were looked at for deciding */
    uint64_t transitions;
    /* Of what was found: see refine.h, examine.h, ltl.h.  `path` goes through
     * the graph of impl, or of spec if that is where the model goes wrong;
     * `cycle` is `length` if it does not go round. */
    const struct plumb_refine_hop *path;
    uint32_t length, cycle;
    bool in_specification;
    struct plumb_refinement refinement;
    struct plumb_refine_examination examination;
    struct plumb_refine_run run;
    struct plumb_refine_progress progress;
    struct plumb_refine_equivalence equivalence;
};

/* Decide the index-th assertion.  With PLUMB_EMEMORY, PLUMB_ETIME, PLUMB_ESTOP
 * the judgement is not decided and has the counts so far; with PLUMB_EINPUT,
 * `path` may lead to where the model goes wrong.  It is to be freed in any
 * case. */
enum plumb_status plumb_refine_judge(struct plumb_refine_judgement *j,
                                     const struct plumb_csp_model *model,
                                     uint32_t index,
                                     const struct plumb_refine_judging *how,
                                     struct plumb_error *err);
void plumb_refine_judgement_free(struct plumb_refine_judgement *j);

/* The side that `path` goes through. */
static inline const struct plumb_refine_side *plumb_refine_judgement_side(
    const struct plumb_refine_judgement *j)
{
    return j->in_specification ? &j->spec : &j->impl;
}

#endif
