/* sequences.c - sequences of messages, shared.
 *
 * A sequence is a list: the sequence before its last message, its length, and
 * the values of that message.  Taking the first away builds the rest again,
 * which is as long as a channel is deep. */
#include "sequences.h"

#include "base/memory.h"
#include "base/number_lists.h"
#include <assert.h>
#include <string.h>

enum { BEFORE, LENGTH, VALUES };

struct plumb_csp_sequences {
    struct plumb_budget *budget;
    struct plumb_base_lists lists; /* [0] is the empty sequence */
};

struct plumb_csp_sequences *plumb_csp_sequences_new(struct plumb_budget *budget)
{
    static const uint32_t empty[VALUES] = { 0, 0 };
    struct plumb_csp_sequences *const s =
        plumb_base_alloc_zeroed(budget, sizeof *s);
    if (!s)
        return NULL;
    s->budget = budget;
    plumb_base_lists_init(&s->lists, budget);
    if (plumb_base_lists_put(&s->lists, empty, VALUES) == 0)
        return s;
    plumb_csp_sequences_free(s);
    return NULL;
}

void plumb_csp_sequences_free(struct plumb_csp_sequences *s)
{
    if (!s)
        return;
    plumb_base_lists_release(&s->lists);
    plumb_base_release(s->budget, s, sizeof *s);
}

static const uint32_t *list_of(const struct plumb_csp_sequences *s,
                               uint32_t sequence, size_t *count)
{
    return plumb_base_lists_get(&s->lists, sequence, count);
}

uint32_t plumb_csp_sequence_length(const struct plumb_csp_sequences *s,
                                   uint32_t sequence)
{
    size_t count;
    return list_of(s, sequence, &count)[LENGTH];
}

uint32_t plumb_csp_sequence_append(struct plumb_csp_sequences *s,
                                   uint32_t sequence, const int32_t *value,
                                   uint32_t count)
{
    assert(count <= PLUMB_MOST_MESSAGE);
    uint32_t list[VALUES + PLUMB_MOST_MESSAGE] = {
        sequence, plumb_csp_sequence_length(s, sequence) + 1
    };
    if (count)
        memcpy(list + VALUES, value, count * sizeof *value);
    return plumb_base_lists_put(&s->lists, list, VALUES + count);
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

const int32_t *plumb_csp_sequence_message(const struct plumb_csp_sequences *s,
                                          uint32_t sequence, uint32_t index,
                                          uint32_t *count)
{
    size_t size;
    const uint32_t *list = list_of(s, sequence, &size);
    assert(index < list[LENGTH]);
    while (list[LENGTH] > index + 1)
        list = list_of(s, list[BEFORE], &size);
    *count = (uint32_t)size - VALUES;
    return (const int32_t *)list + VALUES;
}
