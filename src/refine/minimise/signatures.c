/* signatures.c - a signature is made behind the last one and taken back if it
 * is there already. */
#include "signatures.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/sort_numbers.h"
#include <assert.h>
#include <string.h>

void plumb_refine_signatures_init(struct plumb_refine_signatures *s,
                                  struct plumb_budget *budget)
{
    *s = (struct plumb_refine_signatures){ .budget = budget };
}

void plumb_refine_signatures_release(struct plumb_refine_signatures *s)
{
    PLUMB_RELEASE(s->budget, s->word, s->word_room);
    PLUMB_RELEASE(s->budget, s->first, s->first_room);
    PLUMB_RELEASE(s->budget, s->hash, s->hash_room);
    PLUMB_RELEASE(s->budget, s->slot, s->slot_room);
    plumb_refine_signatures_init(s, s->budget);
}

bool plumb_refine_signatures_begin(struct plumb_refine_signatures *s,
                                   size_t most)
{
    size_t slots = 4;
    while (slots < 2 * most)
        slots *= 2;
    if (!PLUMB_GROW(s->budget, s->slot, s->slot_room, slots) ||
        !PLUMB_GROW(s->budget, s->first, s->first_room, 2) ||
        !PLUMB_GROW(s->budget, s->word, s->word_room, 1) ||
        !plumb_base_paced_set(s->budget, s->slot, 0, slots * sizeof *s->slot))
        return false;
    s->slots = slots;
    s->count = 0;
    s->words = 0;
    s->first[0] = 0;
    return true;
}

bool plumb_refine_signature_add(struct plumb_refine_signatures *s,
                                const uint64_t *word, size_t count)
{
    if (!PLUMB_GROW(s->budget, s->word, s->word_room, s->words + count))
        return false;
    if (count)
        memcpy(s->word + s->words, word, count * sizeof *word);
    s->words += count;
    return true;
}

static bool has(const uint64_t *word, size_t count, uint64_t wanted)
{
    while (count) {
        const size_t half = count / 2;
        if (word[half] == wanted)
            return true;
        if (word[half] < wanted) {
            word += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return false;
}

bool plumb_refine_signature_is_part(const struct plumb_refine_signatures *s,
                                    uint32_t number, uint64_t except)
{
    assert(number < s->count);
    size_t count;
    const uint64_t *const word =
        plumb_refine_signature_words(s, number, &count);
    for (size_t i = s->first[s->count]; i < s->words; i++)
        if (s->word[i] != except && !has(word, count, s->word[i]))
            return false;
    return true;
}

void plumb_refine_signature_drop(struct plumb_refine_signatures *s)
{
    s->words = s->first[s->count];
}

/* Sort the new one and merge what is there twice.  False if it is refused. */
static bool tidy(struct plumb_refine_signatures *s, size_t *kept)
{
    uint64_t *const word = s->word + s->first[s->count];
    const size_t count = s->words - s->first[s->count];
    *kept = 0;
    if (count && !plumb_base_sort_words(s->budget, word, count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!*kept || word[*kept - 1] != word[i])
            word[(*kept)++] = word[i];
    s->words = s->first[s->count] + *kept;
    return true;
}

static bool is_new_one(const struct plumb_refine_signatures *s, uint32_t number,
                       size_t count, uint64_t hash)
{
    size_t n;
    const uint64_t *const word = plumb_refine_signature_words(s, number, &n);
    return s->hash[number] == hash && n == count &&
           (n == 0 ||
            !memcmp(word, s->word + s->first[s->count], n * sizeof *word));
}

uint32_t plumb_refine_signature_number(struct plumb_refine_signatures *s)
{
    size_t count;
    if (!tidy(s, &count))
        return UINT32_MAX;
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++)
        hash = plumb_base_mix(hash, s->word[s->first[s->count] + i]);
    size_t i = hash & (s->slots - 1);
    for (; s->slot[i]; i = (i + 1) & (s->slots - 1))
        if (is_new_one(s, s->slot[i] - 1, count, hash)) {
            s->words = s->first[s->count];
            return s->slot[i] - 1;
        }
    if (!PLUMB_GROW(s->budget, s->first, s->first_room, (size_t)s->count + 2) ||
        !PLUMB_GROW(s->budget, s->hash, s->hash_room, (size_t)s->count + 1))
        return UINT32_MAX;
    assert(2 * ((size_t)s->count + 1) <= s->slots);
    s->hash[s->count] = hash;
    s->slot[i] = ++s->count;
    s->first[s->count] = s->words;
    return s->count - 1;
}
