/* hash_set.h - distinct hashes, and a number for the set of them.
 *
 * The number does not depend on the order in which they came: two explorations
 * that saw the same things have the same one. */
#ifndef PLUMB_HOST_HASH_SET_H
#define PLUMB_HOST_HASH_SET_H

#include "base/pair_index.h"

struct host_hash_set {
    struct plumb_base_pairs seen; /* both halves of each */
    uint64_t whole[2];            /* the number */
};

bool host_hash_set_has(const struct host_hash_set *s, uint64_t hash);

/* True if it is new.  Without memory nothing is. */
bool host_hash_set_add(struct host_hash_set *s, uint64_t hash);

/* Empty again, and nothing allocated. */
void host_hash_set_release(struct host_hash_set *s);

#endif
