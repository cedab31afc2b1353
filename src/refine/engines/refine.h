/* refine.h - is every behaviour of one graph a behaviour of another?
 *
 * Traces: every sequence of visible events of the implementation is one of the
 * specification (PLUMB_TICK is visible).  Failures: and every set of events it
 * can refuse in a stable state (one without tau) after a trace, the
 * specification can refuse after it too.  Failures/divergences: and it
 * diverges (an infinite sequence of taus) after a trace only if the
 * specification does after a prefix of it; what the specification does once
 * it may have diverged is anything at all.
 *
 * The engines give the same verdict; they differ in what they cost:
 * product     breadth-first over pairs (implementation state, set of
 *             specification states), both graphs made as they are looked at:
 *             the shortest counterexample, and exact counts
 * antichain   the same, but a pair whose specification set contains that of
 *             another pair with the same implementation state is left out
 * bisimilar   both graphs whole, minimised by branching bisimulation together;
 *             if the initial states fall together, refinement holds both ways;
 *             if not, antichain on the quotients */
#ifndef PLUMB_REFINE_ENGINES_REFINE_H
#define PLUMB_REFINE_ENGINES_REFINE_H

#include "base/arena.h"
#include "refine/refinement.h"

struct plumb_refine_options {
    enum plumb_refine_semantics semantics;
    enum plumb_refine_engine engine;
    unsigned threads;     /* 1 unless said                               */
    uint64_t most_pairs;  /* AUTO's first attempt; 0: a good number      */
    uint32_t most_states; /* and of bisimulation; 0: a good number      */
    bool brief;       /* AUTO: PLUMB_END if that does not decide             */
    bool certificate; /* is wanted                                   */
    bool pat3_counts; /* antichain: search and count as PAT 3 does   */
    /* Told every some thousand pairs or states; may be NULL. */
    void (*progress)(void *context, const char *phase, uint64_t done,
                     uint64_t depth);
    void *context;
};

/* What an engine has to do: is `impl` a refinement of `spec`?  The answer goes
 * to `r`, with what it points to in `arena`. */
struct plumb_refine_task {
    struct plumb_csp_graph *impl, *spec;
    const struct plumb_refine_options *options;
    struct plumb_base_arena *arena;
    struct plumb_refinement *r;
    struct plumb_error *err;
};

/* Decide.  The path is allocated in `arena`.  PLUMB_OK with !decided never
 * happens: memory and time are errors (PLUMB_EMEMORY, PLUMB_ETIME ...), with
 * the counts so far in `r`. */
enum plumb_status plumb_refine(struct plumb_csp_graph *impl,
                               struct plumb_csp_graph *spec,
                               const struct plumb_refine_options *options,
                               struct plumb_base_arena *arena,
                               struct plumb_refinement *r,
                               struct plumb_error *err);

/* The same by one engine: antichain, on any graphs; bisimilar, on graphs that
 * are complete. */
enum plumb_status plumb_refine_antichain(const struct plumb_refine_task *task);
enum plumb_status plumb_refine_bisimilar(const struct plumb_refine_task *task);

#endif
