/* hash_set.h - distinct hashes, and a number for the set of them.
 *
 * The number does not depend on the order in which they came: two explorations
 * that saw the same things have the same one. */
#ifndef PLUMB_HOST_HASH_SET_H
#define PLUMB_HOST_HASH_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_hash_set {
    uint64_t *slot; /* 0: free */
    size_t slots, count;
    uint64_t whole[2]; /* the number */
};

/* True if it is new.  Without memory nothing is. */
bool host_hash_set_add(struct host_hash_set *s, uint64_t hash);

/* Empty again, and nothing allocated. */
void host_hash_set_release(struct host_hash_set *s);

#endif
