/* round_up.h - quasi linearizability as Round-Up prints it.
 *
 * Phase 1 gives the legal sequential histories of a test.  In phase 2 a history
 * is quasi linearizable if one of its sequentializations, or a quasi
 * permutation of one, is among them.  A sequence is one of symbols: an operation
 * with its arguments and its answer, whoever called it.  (A permutation gives
 * the place of one thread's removal to another's.)
 *
 * All sequentializations and all permutations are generated, as in the paper's
 * tables, also once one was found to be legal. */
#ifndef PLUMB_QUASI_ROUND_UP_H
#define PLUMB_QUASI_ROUND_UP_H

#include "sequence_set.h"
#include "sequentializations.h"
#include <plumb/error.h>

struct plumb_quasi_call {
    uint32_t symbol;
    bool permuted; /* it is of the class that is permuted */
};

struct plumb_quasi_options {
    unsigned calls; /* of the test, at least one */
    unsigned k;
    /* Section VI-C, (1) and (3); (2) is for who has the executions. */
    bool same_serial, same_permutations; /* are looked at again */
};

struct plumb_quasi_counts {
    uint64_t serial, serial_again; /* phase 1: legal ones, and like another */
    uint64_t histories, wrong;
    uint64_t sequentializations, sequentializations_again;
    uint64_t permutations, permutations_again;
};

struct plumb_quasi_checker {
    struct plumb_quasi_options with;
    struct plumb_budget *budget;
    struct plumb_quasi_counts counts;
    struct plumb_quasi_set legal, sequentializations, permutations;
    bool *is_quasi; /* by sequentialization */
    size_t capacity;
};

void plumb_quasi_open(struct plumb_quasi_checker *c,
                      const struct plumb_quasi_options *with,
                      struct plumb_budget *budget);
void plumb_quasi_close(struct plumb_quasi_checker *c);

/* Phase 1: a legal sequential history, of `calls` symbols.  False when memory
 * is refused. */
bool plumb_quasi_add_legal(struct plumb_quasi_checker *c,
                           const uint32_t *sequence);

enum plumb_quasi_verdict {
    PLUMB_QUASI_NO,
    PLUMB_QUASI_LINEARIZABLE,
    PLUMB_QUASI_PERMUTED /* not linearizable, but quasi linearizable */
};

/* Phase 2: a history with call[i] for its call i.  Not PLUMB_OK if memory or
 * time is used up; then nothing was decided. */
enum plumb_status plumb_quasi_decide(struct plumb_quasi_checker *c,
                                     const struct plumb_quasi_history *h,
                                     const struct plumb_quasi_call *call,
                                     enum plumb_quasi_verdict *verdict);

#endif
