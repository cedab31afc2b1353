/* treap.h - persistent maps from 64-bit keys to counts or values.
 *
 * A treap is a search tree by key and a heap by priority.  Here the priority
 * is a bijective hash of the key, so a set of keys has one shape only; the
 * nodes are cells, so equal maps are equal numbers.  An update makes O(log n)
 * nodes, expected over the hash, and shares the rest. */
#ifndef PLUMB_SPEC_STORES_TREAP_H
#define PLUMB_SPEC_STORES_TREAP_H

#include "cells.h"
#include "spec/spec.h"

struct plumb_spec_treap {
    struct plumb_spec_cells cells;
};

/* A tree is a number; 0 is the empty one. */
enum { PLUMB_EMPTY_TREAP = 0 };

void plumb_spec_treap_init(struct plumb_spec_treap *t,
                           struct plumb_budget *budget);
void plumb_spec_treap_release(struct plumb_spec_treap *t);

/* What the key has; 0 if it is absent. */
uint32_t plumb_spec_treap_get(const struct plumb_spec_treap *t, uint32_t root,
                              uint64_t key);

/* The tree in which the key has `load`, 0 to delete it.  PLUMB_NO_STATE when
 * memory is used up. */
uint32_t plumb_spec_treap_set(struct plumb_spec_treap *t, uint32_t root,
                              uint64_t key, uint32_t load);

/* The sum of all loads, modulo 2^32: the number of items, if loads count. */
uint32_t plumb_spec_treap_total(const struct plumb_spec_treap *t,
                                uint32_t root);

/* The smallest key >= *key, or the largest <= *key; false if there is none. */
bool plumb_spec_treap_at_least(const struct plumb_spec_treap *t, uint32_t root,
                               uint64_t *key);
bool plumb_spec_treap_at_most(const struct plumb_spec_treap *t, uint32_t root,
                              uint64_t *key);

/* For types whose states are trees and have nothing else: space->extra. */
bool plumb_spec_treap_open(struct plumb_spec_space *space);
void plumb_spec_treap_close(struct plumb_spec_space *space);

/* Add the state in which the key has `more` more; none if there were to be
 * fewer and it is absent.  False when memory is used up. */
bool plumb_spec_treap_step(struct plumb_spec_space *space, plumb_spec_state s,
                           uint64_t key, int more,
                           struct plumb_spec_states *out);

/* The same with one less of any key from `first` to `last`. */
bool plumb_spec_treap_take_any(struct plumb_spec_space *space,
                               plumb_spec_state s, uint64_t first,
                               uint64_t last, struct plumb_spec_states *out);

/* As in {1 2 2}: keys are values, and loads say how often. */
void plumb_spec_treap_show(const struct plumb_spec_space *space,
                           plumb_spec_state s, struct plumb_base_text *out);

/* The same for keys that are no values. */
typedef void plumb_spec_treap_show_key(const struct plumb_spec_space *space,
                                       uint64_t key,
                                       struct plumb_base_text *out);
void plumb_spec_treap_show_as(const struct plumb_spec_space *space,
                              plumb_spec_state s,
                              plumb_spec_treap_show_key *show_key,
                              struct plumb_base_text *out);

#endif
