/* vectors.h - a set of state vectors, numbered, a few bytes each.
 *
 * Tree compression: a vector is folded (vector_tree.h), each node gets a number
 * of its own, up to the root, a pair whose number is the state's.  States share
 * nearly all of their inner nodes, so a state costs its root and its entry in
 * the index.  A successor differs from its parent in few slots: only the paths
 * of those are looked up. */
#ifndef PLUMB_CSP_STATES_VECTORS_H
#define PLUMB_CSP_STATES_VECTORS_H

#include "base/read_gate.h"
#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plumb_csp_vectors;

struct plumb_csp_vectors *plumb_csp_vectors_new(uint32_t slots,
                                                struct plumb_budget *budget);
void plumb_csp_vectors_free(struct plumb_csp_vectors *v);

/* The number of `vector`, which is the next free one if it was not there.
 * UINT32_MAX when memory is refused.  Quick if it differs little from the one
 * that plumb_csp_vectors_get() gave last. */
uint32_t plumb_csp_vectors_put(struct plumb_csp_vectors *v,
                               const uint32_t *vector);
void plumb_csp_vectors_get(struct plumb_csp_vectors *v, uint32_t number,
                           uint32_t *vector);

/* The same in parts, so that what is looked up can be fetched meanwhile: the
 * *root* of a vector is found first, and numbered later. */
uint64_t plumb_csp_vectors_root(const struct plumb_csp_vectors *v,
                                uint32_t number);
/* A cursor will go there soon. */
void plumb_csp_vectors_expect(const struct plumb_csp_vectors *v, uint64_t root);
/* It will be numbered soon; then very soon, with a guess what number it has
 * (UINT32_MAX: none, likely); is it that? */
void plumb_csp_vectors_fetch(const struct plumb_csp_vectors *v, uint64_t root);
uint32_t plumb_csp_vectors_guess(const struct plumb_csp_vectors *v,
                                 uint64_t root);
bool plumb_csp_vectors_is(const struct plumb_csp_vectors *v, uint32_t number,
                          uint64_t root);
/* UINT32_MAX when memory is refused. */
uint32_t plumb_csp_vectors_number(struct plumb_csp_vectors *v, uint64_t root);

/* A place in the set, of one thread: it goes to a root, and finds the roots of
 * vectors that differ little from the one it is at. */
struct plumb_csp_cursor;

/* NULL when memory is refused. */
struct plumb_csp_cursor *plumb_csp_cursor_new(struct plumb_csp_vectors *v);
void plumb_csp_cursor_free(struct plumb_csp_cursor *c);
/* That of plumb_csp_vectors_get(). */
struct plumb_csp_cursor *plumb_csp_vectors_cursor(struct plumb_csp_vectors *v);

/* The vector there, until the cursor goes on. */
const uint32_t *plumb_csp_cursor_go(struct plumb_csp_cursor *c, uint64_t root);
/* A copy of it, that goes with it.  Who changes it puts it back. */
uint32_t *plumb_csp_cursor_work(struct plumb_csp_cursor *c);
/* The root of the vector there with some slots changed, which is then forgotten;
 * false when memory is refused. */
void plumb_csp_cursor_set(struct plumb_csp_cursor *c, uint32_t slot,
                          uint32_t value);
bool plumb_csp_cursor_root(struct plumb_csp_cursor *c, uint64_t *root);

/* Fold vectors in another way, by what was put in so far: slots stand in the
 * given order, of which the first `used` change.  Numbers stay, roots do not,
 * and no cursor but that of plumb_csp_vectors_get() may be there.  If memory is
 * refused, or it would not be much better, all stays. */
void plumb_csp_vectors_arrange(struct plumb_csp_vectors *v,
                               const uint32_t *order, uint32_t used);

/* From now on cursors may be used by several threads at once, and inside of
 * `gate` they may fetch, and find the number of a root (UINT32_MAX: it had none
 * a moment ago); cursors too are used inside.  All else is for the thread alone
 * that may close the gate. */
void plumb_csp_vectors_share(struct plumb_csp_vectors *v,
                             struct plumb_base_gate *gate);
/* Now and then: give back what nobody needs any more. */
void plumb_csp_vectors_tidy(struct plumb_csp_vectors *v);
uint32_t plumb_csp_vectors_find(const struct plumb_csp_vectors *v,
                                uint64_t root);

uint32_t plumb_csp_vectors_count(const struct plumb_csp_vectors *v);
#endif
