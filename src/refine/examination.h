/* examination.h - a question about one graph, and what the answer is made of. */
#ifndef PLUMB_REFINE_EXAMINATION_H
#define PLUMB_REFINE_EXAMINATION_H

#include "refinement.h"

enum plumb_refine_question {
    PLUMB_DEADLOCKFREE,   /* no state without edges but after PLUMB_TICK     */
    PLUMB_NONTERMINATING, /* no state without edges at all                  */
    PLUMB_DIVERGENCEFREE, /* no cycle of taus                               */
    PLUMB_DETERMINISTIC,  /* no state with two edges of the same event, tau
                             too, to different states: as PAT has it        */
    PLUMB_REACHES         /* a state where `holds`                          */
};

/* How a deadlock or a goal is looked for. */
enum plumb_refine_search {
    PLUMB_SEARCH_BOTH, /* in turn */
    PLUMB_SEARCH_BREADTH,
    PLUMB_SEARCH_DEPTH
};

struct plumb_refine_examination {
    bool holds; /* the question's answer: deadlock free, reached, ...       */
    /* The way to what was found: a deadlock, a cycle, a goal, two edges.  A
     * cycle is path[cycle..], without one `cycle` is `length`. */
    const struct plumb_refine_hop *path;
    uint32_t length, cycle;
    bool shortest; /* no way to what was found is shorter                   */
    uint32_t edge[2]; /* not deterministic: these edges of `final` disagree */
    uint32_t final;   /* the state it ends in                           */
    int64_t best;     /* the least or largest value, if asked for       */
    uint64_t states, transitions; /* met, and looked at                     */
    uint64_t visited_broad, visited_deep; /* by each search (search/seek.h) */
};

struct plumb_refine_goal {
    /* Does the goal hold in `state`?  `*value` is what is minimised. */
    enum plumb_status (*holds)(void *context, uint32_t state, bool *yes,
                               int64_t *value, struct plumb_error *err);
    void *context;
    int optimise; /* -1 least, 0 any, 1 largest value of a state reached */
};

#endif
