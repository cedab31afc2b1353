/* inner_nodes.h - numbered nodes that several threads look up at once.
 *
 * The inner nodes of vectors, of up to four numbers each: there are few of them,
 * they are asked for all the time, and the numbers they get are seen by nobody.  So
 * who comes first may be left to chance.
 *
 * A node is found without a lock.  Its slot in the index is written last, with
 * release order, and nothing is ever changed or taken away: whoever sees the
 * slot sees the node.  Who does not find a node takes the lock, looks once more
 * and puts it in.  Arrays that were outgrown stay as long as somebody may still
 * look at them; what he misses there he finds under the lock. */
#ifndef PLUMB_MODEL_INNER_NODES_H
#define PLUMB_MODEL_INNER_NODES_H

#include "base/hash.h"
#include <plumb/budget.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plumb_inner_index;

enum { PLUMB_MOST_BELOW = 4 };

/* What is not used is 0. */
struct plumb_inner_node {
    uint32_t below[PLUMB_MOST_BELOW];
};

struct plumb_inner {
    struct plumb_budget *budget;
    struct plumb_inner_index *_Atomic index; /* NULL: nothing is there */
    struct plumb_inner_node *_Atomic node;
    pthread_mutex_t lock; /* of what follows */
    uint32_t count;
    size_t capacity;
    size_t bytes; /* of all arrays, those that were outgrown too */
    struct plumb_inner_block *outgrown;
    bool shared;
};

void plumb_inner_init(struct plumb_inner *t, struct plumb_budget *budget);
void plumb_inner_release(struct plumb_inner *t);

/* From now on threads may ask; before, only one.  There is no way back. */
void plumb_inner_share(struct plumb_inner *t);

/* Are there arrays that were outgrown?  Give them back: nobody else asks now. */
bool plumb_inner_is_untidy(struct plumb_inner *t);
void plumb_inner_tidy(struct plumb_inner *t);

/* The number of a node.  UINT32_MAX when memory is refused. */
uint32_t plumb_inner_number(struct plumb_inner *t,
                            const struct plumb_inner_node *p);

/* The nodes by number: all whose numbers were known to the caller. */
static inline const struct plumb_inner_node *plumb_inner_nodes(
    const struct plumb_inner *t)
{
    /* acquire: pairs with the release in more_nodes() */
    return atomic_load_explicit(&t->node, memory_order_acquire);
}

static inline uint64_t plumb_inner_hash(const struct plumb_inner_node *n)
{
    const uint64_t low = (uint64_t)n->below[0] << 32 | n->below[1];
    const uint64_t high = (uint64_t)n->below[2] << 32 | n->below[3];
    return plumb_mix(plumb_mix(low, 0x9fb21c651e98df25u), high);
}

static inline bool plumb_inner_same(const struct plumb_inner_node *a,
                                    const struct plumb_inner_node *b)
{
    return !((a->below[0] ^ b->below[0]) | (a->below[1] ^ b->below[1]) |
             (a->below[2] ^ b->below[2]) | (a->below[3] ^ b->below[3]));
}

/* Not while somebody else asks. */
size_t plumb_inner_bytes(const struct plumb_inner *t);

#endif
