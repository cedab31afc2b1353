/* visited.h - a set of 128-bit fingerprints: 16 bytes per configuration.
 *
 * A fingerprint stands for the configuration itself.  Two configurations share
 * one with probability 2^-128 per pair; if it ever happened, a configuration
 * would be passed over, and the verifier, which compares configurations
 * exactly, would reject the certificate: an error, never a wrong verdict. */
#ifndef PLUMB_CHECK_SEARCH_VISITED_H
#define PLUMB_CHECK_SEARCH_VISITED_H

#include "base/hash.h"
#include <plumb/budget.h>
#include <stdbool.h>

struct plumb_check_visited {
    struct plumb_budget *budget;
    struct plumb_base_hash128 *slot; /* all zero is free */
    size_t slots;                    /* in use: a power of two */
    size_t capacity;                 /* allocated */
    size_t count;
};

void plumb_check_visited_init(struct plumb_check_visited *v,
                              struct plumb_budget *budget);
void plumb_check_visited_release(struct plumb_check_visited *v);

/* Forget all; the memory is kept. */
bool plumb_check_visited_clear(struct plumb_check_visited *v);

bool plumb_check_visited_has(const struct plumb_check_visited *v,
                             struct plumb_base_hash128 key);

enum plumb_check_visit {
    PLUMB_VISIT_NEW,
    PLUMB_VISIT_SEEN,
    PLUMB_VISIT_NO_MEMORY
};
enum plumb_check_visit plumb_check_visited_add(struct plumb_check_visited *v,
                                               struct plumb_base_hash128 key);

#endif
