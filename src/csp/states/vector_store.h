/* vector_store.h - the inside of vectors.h. */
#ifndef PLUMB_CSP_STATES_VECTOR_STORE_H
#define PLUMB_CSP_STATES_VECTOR_STORE_H

#include "base/pair_index.h"
#include "inner_nodes.h"
#include "vector_tree.h"
#include "vectors.h"

struct plumb_csp_cursor {
    struct plumb_csp_vectors *v;
    uint32_t *vector, *work; /* where it is, slot by slot; and to be changed */
    uint32_t *last, *now;    /* the same, all places of the tree */
    uint32_t *path;          /* places that have changed */
    uint32_t changed;        /* how many they are, until the root is found */
    uint64_t *marks;         /* which are in `path`, a bit each */
};

struct plumb_csp_vectors {
    struct plumb_budget *budget;
    struct plumb_csp_tree tree;
    struct plumb_csp_inner *inner; /* what each level becomes */
    unsigned inners;               /* that were opened */
    struct plumb_base_pairs root;
    struct plumb_csp_cursor own;
};

/* With slots as plumb_csp_tree_init() takes them. */
struct plumb_csp_vectors *plumb_csp_vectors_ordered(
    uint32_t slots, const uint32_t *order, uint32_t cut,
    struct plumb_budget *budget);

#endif
