/* sequences.c - sequences of messages, shared.
 *
 * A sequence is its last message and the sequence before it, found by hash;
 * taking the first away builds the rest again, which is as long as a channel
 * is deep. */
#include "sequences.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

struct sequence {
    uint32_t before, length;
    uint32_t count; /* of the last message's values */
    int32_t *value;
};

struct plumb_csp_sequences {
    struct plumb_budget *budget;
    struct plumb_base_arena arena;
    struct plumb_base_index index;
    struct sequence *sequence; /* [0] is the empty one and not in the index */
    size_t capacity;
    uint32_t sequences;
};

struct plumb_csp_sequences *plumb_csp_sequences_new(struct plumb_budget *budget)
{
    struct plumb_csp_sequences *const s =
        plumb_base_alloc_zeroed(budget, sizeof *s);
    if (!s)
        return NULL;
    s->budget = budget;
    plumb_base_arena_init(&s->arena, budget);
    plumb_base_index_init(&s->index, budget);
    if (!plumb_base_grow(budget, (void **)&s->sequence, &s->capacity, 1,
                         sizeof *s->sequence)) {
        plumb_csp_sequences_free(s);
        return NULL;
    }
    s->sequence[0] = (struct sequence){ 0 };
    s->sequences = 1;
    return s;
}

void plumb_csp_sequences_free(struct plumb_csp_sequences *s)
{
    if (!s)
        return;
    plumb_base_index_release(&s->index);
    plumb_base_arena_release(&s->arena);
    plumb_base_release(s->budget, s->sequence,
                       s->capacity * sizeof *s->sequence);
    plumb_base_release(s->budget, s, sizeof *s);
}

static uint64_t hash_of(uint32_t before, const int32_t *value, uint32_t count)
{
    uint64_t h = plumb_base_mix(before, count);
    for (uint32_t i = 0; i < count; i++)
        h = plumb_base_mix(h, (uint32_t)value[i]);
    return h;
}

static uint64_t hash_number(const void *context, uint32_t number)
{
    const struct plumb_csp_sequences *const s = context;
    const struct sequence *const q = s->sequence + number;
    return hash_of(q->before, q->value, q->count);
}

static uint32_t add(struct plumb_csp_sequences *s,
                    const struct plumb_base_probe *p, uint32_t before,
                    const int32_t *value, uint32_t count)
{
    int32_t *const copy =
        plumb_base_arena_copy(&s->arena, value, count * sizeof *value);
    if (!copy ||
        !plumb_base_grow(s->budget, (void **)&s->sequence, &s->capacity,
                         (size_t)s->sequences + 1, sizeof *s->sequence))
        return UINT32_MAX;
    s->sequence[s->sequences] =
        (struct sequence){ .before = before,
                           .length = s->sequence[before].length + 1,
                           .count = count,
                           .value = copy };
    plumb_base_index_put(&s->index, p, s->sequences);
    return s->sequences++;
}

uint32_t plumb_csp_sequence_append(struct plumb_csp_sequences *s,
                                   uint32_t sequence, const int32_t *value,
                                   uint32_t count)
{
    assert(sequence < s->sequences);
    if (!plumb_base_index_room(&s->index, hash_number, s))
        return UINT32_MAX;
    struct plumb_base_probe p =
        plumb_base_index_probe(&s->index, hash_of(sequence, value, count));
    for (uint32_t n;
         (n = plumb_base_probe_next(&s->index, &p)) != PLUMB_ABSENT;) {
        const struct sequence *const q = s->sequence + n;
        if (q->before == sequence && q->count == count &&
            (count == 0 || memcmp(q->value, value, count * sizeof *value) == 0))
            return n;
    }
    return add(s, &p, sequence, value, count);
}

uint32_t plumb_csp_sequence_rest(struct plumb_csp_sequences *s,
                                 uint32_t sequence)
{
    uint32_t rest = 0;
    const uint32_t length = plumb_csp_sequence_length(s, sequence);
    for (uint32_t i = 1; i < length && rest != UINT32_MAX; i++) {
        uint32_t count;
        const int32_t *const value =
            plumb_csp_sequence_message(s, sequence, i, &count);
        rest = plumb_csp_sequence_append(s, rest, value, count);
    }
    return rest;
}

uint32_t plumb_csp_sequence_length(const struct plumb_csp_sequences *s,
                                   uint32_t sequence)
{
    assert(sequence < s->sequences);
    return s->sequence[sequence].length;
}

const int32_t *plumb_csp_sequence_message(const struct plumb_csp_sequences *s,
                                          uint32_t sequence, uint32_t index,
                                          uint32_t *count)
{
    assert(index < plumb_csp_sequence_length(s, sequence));
    while (s->sequence[sequence].length > index + 1)
        sequence = s->sequence[sequence].before;
    *count = s->sequence[sequence].count;
    return s->sequence[sequence].value;
}

const int32_t *plumb_csp_sequence_first(const struct plumb_csp_sequences *s,
                                        uint32_t sequence, uint32_t *count)
{
    return plumb_csp_sequence_message(s, sequence, 0, count);
}
