/* inner_nodes.h - numbered nodes that several threads look up at once.
 *
 * The inner nodes of vectors, some numbers each: there are few of them, they are
 * asked for all the time, and the numbers they get are seen by nobody.  So who
 * comes first may be left to chance.  A node that is all 0 has the number 0.
 *
 * A node is found without a lock.  Its slot in the index is written last, with
 * release order, and nothing is ever changed or taken away: whoever sees the
 * slot sees the node.  Who does not find a node takes the lock, looks once more
 * and puts it in.  Arrays that were outgrown stay as long as somebody may still
 * look at them; what he misses there he finds under the lock. */
#ifndef PLUMB_CSP_STATES_INNER_NODES_H
#define PLUMB_CSP_STATES_INNER_NODES_H

#include <plumb/budget.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plumb_csp_inner_index;

struct plumb_csp_inner {
    struct plumb_budget *budget;
    struct plumb_csp_inner_index *_Atomic index; /* NULL: nothing is there */
    uint32_t *_Atomic node;                      /* `width` numbers each */
    unsigned width;                              /* a multiple of four */
    pthread_mutex_t lock;                        /* of what follows */
    uint32_t count;
    size_t capacity;
    size_t bytes; /* of all arrays, those that were outgrown too */
    struct plumb_csp_inner_block *outgrown;
    bool shared;
};

/* To be released in any case; false when memory is refused. */
bool plumb_csp_inner_init(struct plumb_csp_inner *t, unsigned width,
                          struct plumb_budget *budget);
void plumb_csp_inner_release(struct plumb_csp_inner *t);

/* From now on threads may ask; before, only one.  There is no way back. */
void plumb_csp_inner_share(struct plumb_csp_inner *t);

/* Are there arrays that were outgrown?  Give them back: nobody else asks now. */
bool plumb_csp_inner_is_untidy(struct plumb_csp_inner *t);
void plumb_csp_inner_tidy(struct plumb_csp_inner *t);

/* The number of a node; UINT32_MAX when memory is refused. */
uint32_t plumb_csp_inner_number(struct plumb_csp_inner *t,
                                const uint32_t *node);

/* A node whose number is known to the caller. */
static inline const uint32_t *plumb_csp_inner_node(
    const struct plumb_csp_inner *t, uint32_t number)
{
    /* acquire: pairs with the release in publish() */
    return atomic_load_explicit(&t->node, memory_order_acquire) +
           (size_t)number * t->width;
}

#endif
