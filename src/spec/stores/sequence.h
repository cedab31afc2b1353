/* sequence.h - persistent sequences of values with cheap ends.
 *
 * All sequences of one pool share their items: the items form a forest, and a
 * sequence is a path in it, from its first item to its last.
 *
 *     push_back(x)    hangs x below the last item
 *     push_front(x)   hangs x below the first item
 *     pop_*           moves an end of the path one step towards the other
 *
 * A step towards an item that is further down is a level-ancestor query, in
 * O(log n) by jump pointers (two per item, as in skew-binary lists); all else
 * is O(1).  Equal sequences have equal numbers: they are found again by length
 * and fingerprint (modular.h).  A new sequence costs some 60 bytes, however
 * long it is. */
#ifndef PLUMB_SPEC_STORES_SEQUENCE_H
#define PLUMB_SPEC_STORES_SEQUENCE_H

#include "modular.h"
#include "spec/spec.h"
#include <assert.h>

struct plumb_spec_item {
    plumb_spec_vid value;
    uint32_t parent, jump; /* towards the root, which is its own jump */
    uint32_t depth;
};

struct plumb_spec_sequence {
    struct plumb_spec_print print;
    uint32_t first, last; /* items; of an empty one meaningless */
    uint32_t length;
};

struct plumb_spec_sequences {
    struct plumb_budget *budget;
    struct plumb_spec_item *item;
    struct plumb_spec_sequence *sequence;
    struct plumb_spec_print *power; /* base^0, base^1, ... */
    size_t items, item_capacity;
    size_t count, capacity;
    size_t powers, power_capacity;
    struct plumb_spec_print inverse; /* of the base */
    struct plumb_base_index index;
};

enum { PLUMB_EMPTY_SEQUENCE = 0 };

/* False when memory is used up. */
bool plumb_spec_sequences_init(struct plumb_spec_sequences *q,
                               struct plumb_budget *budget);
void plumb_spec_sequences_release(struct plumb_spec_sequences *q);

/* PLUMB_NO_STATE when memory is used up. */
plumb_spec_state plumb_spec_sequence_push_back(struct plumb_spec_sequences *q,
                                               plumb_spec_state s,
                                               plumb_spec_vid value);
plumb_spec_state plumb_spec_sequence_push_front(struct plumb_spec_sequences *q,
                                                plumb_spec_state s,
                                                plumb_spec_vid value);
/* Of sequences that are not empty. */
plumb_spec_state plumb_spec_sequence_pop_front(struct plumb_spec_sequences *q,
                                               plumb_spec_state s);
plumb_spec_state plumb_spec_sequence_pop_back(struct plumb_spec_sequences *q,
                                              plumb_spec_state s);

static inline uint32_t plumb_spec_sequence_length(
    const struct plumb_spec_sequences *q, plumb_spec_state s)
{
    assert(s < q->count);
    return q->sequence[s].length;
}

static inline plumb_spec_vid plumb_spec_sequence_front(
    const struct plumb_spec_sequences *q, plumb_spec_state s)
{
    assert(q->sequence[s].length > 0);
    return q->item[q->sequence[s].first].value;
}

static inline plumb_spec_vid plumb_spec_sequence_back(
    const struct plumb_spec_sequences *q, plumb_spec_state s)
{
    assert(q->sequence[s].length > 0);
    return q->item[q->sequence[s].last].value;
}

/* For types whose states are sequences and nothing else: space->extra. */
bool plumb_spec_sequences_open(struct plumb_spec_space *space);
void plumb_spec_sequences_close(struct plumb_spec_space *space);

/* As in 1 2 3, front to back, with `before` in front of the first. */
void plumb_spec_sequence_show_items(const struct plumb_spec_space *space,
                                    const struct plumb_spec_sequences *q,
                                    plumb_spec_state s, const char *before,
                                    struct plumb_base_text *out);

/* As in [1 2 3]. */
void plumb_spec_sequence_show(const struct plumb_spec_space *space,
                              const struct plumb_spec_sequences *q,
                              plumb_spec_state s, struct plumb_base_text *out);

#endif
