/* inner_nodes.h - numbered nodes that several threads look up at once.
 *
 * The inner nodes of vectors, of two or four numbers each: there are few of them,
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

struct plumb_inner {
    struct plumb_budget *budget;
    struct plumb_inner_index *_Atomic index; /* NULL: nothing is there */
    uint32_t *_Atomic node;                  /* `width` numbers each */
    unsigned width;                          /* 2 or 4 */
    pthread_mutex_t lock;                    /* of what follows */
    uint32_t count;
    size_t capacity;
    size_t bytes; /* of all arrays, those that were outgrown too */
    struct plumb_inner_block *outgrown;
    bool shared;
};

void plumb_inner_init(struct plumb_inner *t, unsigned width,
                      struct plumb_budget *budget);
void plumb_inner_release(struct plumb_inner *t);

/* From now on threads may ask; before, only one.  There is no way back. */
void plumb_inner_share(struct plumb_inner *t);

/* Are there arrays that were outgrown?  Give them back: nobody else asks now. */
bool plumb_inner_is_untidy(struct plumb_inner *t);
void plumb_inner_tidy(struct plumb_inner *t);

/* The number of a node; what it does not use of four is 0.  UINT32_MAX when
 * memory is refused. */
uint32_t plumb_inner_number(struct plumb_inner *t, const uint32_t *node);

/* A node whose number is known to the caller. */
static inline const uint32_t *plumb_inner_node(const struct plumb_inner *t,
                                               uint32_t number)
{
    /* acquire: pairs with the release in publish() */
    return atomic_load_explicit(&t->node, memory_order_acquire) +
           (size_t)number * t->width;
}

/* Of four numbers. */
static inline uint64_t plumb_inner_hash(const uint32_t *node)
{
    const uint64_t low = (uint64_t)node[0] << 32 | node[1];
    const uint64_t high = (uint64_t)node[2] << 32 | node[3];
    return plumb_mix(plumb_mix(low, 0x9fb21c651e98df25u), high);
}

static inline bool plumb_inner_same(const uint32_t *a, const uint32_t *b,
                                    unsigned width)
{
    uint32_t differ = (a[0] ^ b[0]) | (a[1] ^ b[1]);
    if (width > 2)
        differ |= (a[2] ^ b[2]) | (a[3] ^ b[3]);
    return !differ;
}

/* Not while somebody else asks. */
size_t plumb_inner_bytes(const struct plumb_inner *t);

#endif
