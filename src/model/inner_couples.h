/* inner_couples.h - numbered pairs that several threads look up at once.
 *
 * As couples.h, but for the inner pairs of vectors: there are few of them, they
 * are asked for all the time, and the numbers they get are seen by nobody.  So
 * who comes first may be left to chance.
 *
 * A pair is found without a lock.  Its slot in the index is written last, with
 * release order, and nothing is ever changed or taken away: whoever sees the
 * slot sees the pair.  Who does not find a pair takes the lock, looks once more
 * and puts it in.  Arrays that were outgrown stay as long as somebody may still
 * look at them; what he misses there he finds under the lock. */
#ifndef PLUMB_MODEL_INNER_COUPLES_H
#define PLUMB_MODEL_INNER_COUPLES_H

#include "model/couples.h"
#include <pthread.h>
#include <stdatomic.h>

struct plumb_inner_index;

struct plumb_inner {
    struct plumb_budget *budget;
    struct plumb_inner_index *_Atomic index; /* NULL: nothing is there */
    struct plumb_couple *_Atomic pair;
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

/* The number of a pair.  UINT32_MAX when memory is refused. */
uint32_t plumb_inner_number(struct plumb_inner *t, struct plumb_couple p);

/* The pairs by number: all whose numbers were known to the caller. */
static inline const struct plumb_couple *plumb_inner_pairs(
    const struct plumb_inner *t)
{
    /* acquire: pairs with the release in publish_pairs() */
    return atomic_load_explicit(&t->pair, memory_order_acquire);
}

/* Not while somebody else asks. */
size_t plumb_inner_bytes(const struct plumb_inner *t);

#endif
