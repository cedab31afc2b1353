/* examine.h - properties of one graph: deadlock, divergence, determinism,
 * termination, reaching a state.
 *
 * All are breadth-first over states as they are made, so that what is shown is
 * shortest. */
#ifndef PLUMB_MODEL_EXAMINE_H
#define PLUMB_MODEL_EXAMINE_H

#include "base/arena.h"
#include "model/refine.h"

enum plumb_question {
    PLUMB_DEADLOCKFREE,   /* no state without edges but after PLUMB_TICK     */
    PLUMB_NONTERMINATING, /* no state without edges at all                  */
    PLUMB_DIVERGENCEFREE, /* no cycle of taus                               */
    PLUMB_DETERMINISTIC,  /* no state with two edges of the same event, tau
                             too, to different states: as PAT has it        */
    PLUMB_REACHES         /* a state where `holds`                          */
};

struct plumb_examination {
    bool holds; /* the question's answer: deadlock free, reached, ...       */
    /* The way to what was found: a deadlock, a cycle, a goal, two edges.  A
     * cycle is path[cycle..], without one `cycle` is `length`. */
    const struct plumb_hop *path;
    uint32_t length, cycle;
    uint32_t edge[2]; /* not deterministic: these edges of `final` disagree */
    uint32_t final;   /* the state it ends in                           */
    int64_t best;     /* the least or largest value, if asked for       */
    uint64_t states, transitions; /* met, and looked at                     */
};

struct plumb_goal {
    /* Does the goal hold in `state`?  `*value` is what is minimised. */
    enum plumb_status (*holds)(void *context, uint32_t state, bool *yes,
                               int64_t *value, struct plumb_error *err);
    void *context;
    int optimise; /* -1 least, 0 any, 1 largest value of a state reached */
};

/* `goal` is for PLUMB_REACHES alone.  The path is allocated in `arena`.  After
 * an error `x` has the counts so far. */
enum plumb_status plumb_examine(struct plumb_graph *g,
                                enum plumb_question question,
                                const struct plumb_goal *goal,
                                struct plumb_arena *arena,
                                struct plumb_examination *x,
                                struct plumb_error *err);

#endif
