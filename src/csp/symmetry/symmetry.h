/* symmetry.h - states of a system that differ in who is who.
 *
 * Two kinds.  Components of one ||| that begin as the same term are
 * *identical*: exchanging their terms gives a state that behaves the same.
 * And process ids (process_ids.h) can be renamed: components change places, so
 * do the elements of arrays, and what holds a process id holds another; the
 * events that follow are renamed too.
 *
 * Of the states that become each other one stands for all: process ids are
 * sorted by what belongs to them, then identical components by their terms. */
#ifndef PLUMB_CSP_SYMMETRY_SYMMETRY_H
#define PLUMB_CSP_SYMMETRY_SYMMETRY_H

#include "base/arena.h"
#include "rename_terms.h"

struct plumb_csp_symmetry;

/* `renaming` has no process ids if there are only identical components. */
enum plumb_status plumb_csp_symmetry_open(struct plumb_csp_symmetry **y,
                                          struct plumb_csp_system *s,
                                          struct plumb_csp_renames *renaming,
                                          struct plumb_error *err);
void plumb_csp_symmetry_free(struct plumb_csp_symmetry *y);

/* How many orders identical components can be in; 1 if there are none. */
uint64_t plumb_csp_symmetry_identical(const struct plumb_csp_symmetry *y);

/* Does the system begin in a state that no renaming changes?  If not, `*what`
 * is the slot that tells. */
enum plumb_status plumb_csp_symmetry_begins(struct plumb_csp_symmetry *y,
                                            bool *well, uint32_t *what,
                                            struct plumb_error *err);

/* The image of a state; `to` is another vector. */
enum plumb_status plumb_csp_symmetry_rename(struct plumb_csp_symmetry *y,
                                            const uint32_t *state,
                                            uint32_t permutation, uint32_t *to,
                                            struct plumb_error *err);

/* Sort the terms of identical components. */
void plumb_csp_symmetry_sort(const struct plumb_csp_symmetry *y,
                             uint32_t *state);

/* Replace `state` by the one that stands for it, its image by
 * `*permutation`, with identical components sorted. */
enum plumb_status plumb_csp_symmetry_choose(struct plumb_csp_symmetry *y,
                                            uint32_t *state,
                                            uint32_t *permutation,
                                            struct plumb_error *err);

#endif
