/* sequence_set.h - sequences of one length, each once. */
#ifndef PLUMB_QUASI_SEQUENCE_SET_H
#define PLUMB_QUASI_SEQUENCE_SET_H

#include "base/index.h"

struct plumb_quasi_set {
    struct plumb_budget *budget;
    struct plumb_base_index index;
    unsigned length;
    uint32_t *symbol; /* of all sequences, one after the other */
    size_t capacity;
    uint32_t count;
};

/* At least one symbol long. */
void plumb_quasi_set_init(struct plumb_quasi_set *s, unsigned length,
                          struct plumb_budget *budget);
void plumb_quasi_set_release(struct plumb_quasi_set *s);

/* Its number, or PLUMB_ABSENT. */
uint32_t plumb_quasi_set_find(const struct plumb_quasi_set *s,
                              const uint32_t *sequence);

/* Its number, if it was there or not; PLUMB_ABSENT: memory is refused. */
uint32_t plumb_quasi_set_add(struct plumb_quasi_set *s,
                             const uint32_t *sequence);

static inline const uint32_t *plumb_quasi_set_at(
    const struct plumb_quasi_set *s, uint32_t number)
{
    assert(number < s->count);
    return s->symbol + (size_t)number * s->length;
}

#endif
