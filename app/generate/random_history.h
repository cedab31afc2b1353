/* random_history.h - histories of an object that behaves, made up at random.
 *
 * Every operation takes effect at one instant of its interval, in the state
 * the object then has, so that the history is linearizable. */
#ifndef PLUMB_APP_GENERATE_RANDOM_HISTORY_H
#define PLUMB_APP_GENERATE_RANDOM_HISTORY_H

#include "base/rng.h"
#include "proof/plain.h"
#include <plumb/history.h>

struct generate_random_settings {
    const char *spec;
    uint32_t operations;
    uint32_t threads;
    uint32_t values;   /* arguments are 1 .. values; 0: new ones every time  */
    bool unique;       /* instead: nothing is ever stored twice              */
    uint32_t resident; /* ... nor more values than that at a time; 0: any   */
    const struct plumb_spec_type *type;
    uint32_t overlap; /* percent: how often another thread goes on           */
    uint32_t pending; /* percent of operations without a response           */
    /* Hand over what there is when nothing is open and there are so many
     * operations: the next ones belong to the same history.  0: never. */
    uint32_t piece;
    enum plumb_status (*hand_over)(void *to, const struct plumb_history *piece,
                                   struct plumb_error *err);
    void *to;
    /* Rows of the type's table to choose from; count 0: all. */
    const struct plumb_proof_plain_operation *const *choice;
    size_t choices;
};

/* The same settings and the same state of `rng` give the same history; `h` is
 * its last piece. */
enum plumb_status generate_random_history(
    const struct generate_random_settings *s, struct plumb_proof_plain *p,
    struct plumb_base_rng *rng, struct plumb_budget *budget,
    struct plumb_history *h, struct plumb_error *err);

/* Make a history that may not be linearizable: in op[], which is a copy of
 * h->op, one of the last 10000 operations (`early`: of the first 64) is replaced
 * by a near one, or changes places with it; always that, if what is `unique` is to
 * stay so.  False if `h` is too short for that. */
bool generate_plant_mistake(const struct plumb_history *h, struct plumb_op *op,
                            bool unique, bool early,
                            struct plumb_base_rng *rng);

#endif
