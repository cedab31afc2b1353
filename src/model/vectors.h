/* vectors.h - a set of state vectors, numbered, a few bytes each.
 *
 * Tree compression: a vector is folded in pairs, each pair of numbers gets a
 * number of its own, up to the root, whose number is the state's.  States
 * share nearly all of their inner pairs, so a state costs its root pair and
 * its entry in the index.  A successor differs from its parent in few slots:
 * given the parent's number only the paths of those are looked up. */
#ifndef PLUMB_MODEL_VECTORS_H
#define PLUMB_MODEL_VECTORS_H

#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plumb_vectors;

struct plumb_vectors *plumb_vectors_new(uint32_t slots,
                                        struct plumb_budget *budget);
void plumb_vectors_free(struct plumb_vectors *v);

/* The number of `vector`, which is the next free one if it was not there
 * (`*fresh`).  UINT32_MAX when memory is refused.  `parent` may be the number
 * of a vector that was given to plumb_vectors_get() last, or UINT32_MAX. */
uint32_t plumb_vectors_put(struct plumb_vectors *v, const uint32_t *vector,
                           uint32_t parent, bool *fresh);
void plumb_vectors_get(struct plumb_vectors *v, uint32_t number,
                       uint32_t *vector);

/* The same in parts, so that what is looked up can be fetched meanwhile: the
 * *root* of a vector is found first, and numbered later. */
uint64_t plumb_vectors_root(const struct plumb_vectors *v, uint32_t number);
/* It will be numbered soon, and then very soon. */
void plumb_vectors_fetch(const struct plumb_vectors *v, uint64_t root);
void plumb_vectors_fetch_pair(const struct plumb_vectors *v, uint64_t root);
/* UINT32_MAX when memory is refused. */
uint32_t plumb_vectors_number(struct plumb_vectors *v, uint64_t root);

/* A place in the set, of one thread: it goes to a root, and finds the roots of
 * vectors that differ little from the one it is at. */
struct plumb_cursor;

/* NULL when memory is refused. */
struct plumb_cursor *plumb_cursor_new(struct plumb_vectors *v);
void plumb_cursor_free(struct plumb_cursor *c);
/* That of plumb_vectors_get(). */
struct plumb_cursor *plumb_vectors_cursor(struct plumb_vectors *v);

void plumb_cursor_go(struct plumb_cursor *c, uint64_t root, uint32_t *vector);
/* The root of `vector`, which differs from where the cursor is in the given
 * slots alone, if at all; false when memory is refused. */
bool plumb_cursor_root(struct plumb_cursor *c, const uint32_t *vector,
                       const uint32_t *slot, uint32_t slots, uint64_t *root);

/* From now on cursors may be used by several threads at once; what numbers
 * vectors or asks for a number is for one of them alone. */
void plumb_vectors_share(struct plumb_vectors *v);

uint32_t plumb_vectors_count(const struct plumb_vectors *v);
size_t plumb_vectors_bytes(const struct plumb_vectors *v);

#endif
