/* signatures.h - what states can do, as sets of words, a few at a time.
 *
 * A signature is a sorted list of words, each an event and the block it leads
 * to.  For one splitting of one block, equal signatures get equal numbers; for
 * the next one all are forgotten. */
#ifndef PLUMB_REFINE_MINIMISE_SIGNATURES_H
#define PLUMB_REFINE_MINIMISE_SIGNATURES_H

#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plumb_refine_signatures {
    struct plumb_budget *budget;
    uint64_t *word; /* of all signatures, then of the one being made */
    size_t word_room, words;
    size_t *first; /* of each signature; first[count] is where the new one is */
    size_t first_room;
    uint64_t *hash;
    size_t hash_room;
    uint32_t count;
    /* Open addressing, number plus one.  As many slots as this splitting needs:
     * clearing the largest base/index.h there was would cost more than most. */
    uint32_t *slot;
    size_t slot_room, slots;
};

void plumb_refine_signatures_init(struct plumb_refine_signatures *s,
                                  struct plumb_budget *budget);
void plumb_refine_signatures_release(struct plumb_refine_signatures *s);

/* Forget all; at most `most` different ones will come. */
bool plumb_refine_signatures_begin(struct plumb_refine_signatures *s,
                                   size_t most);

/* Make one: add words, in any order, also twice; then number it.  Adding
 * refuses when memory is. */
bool plumb_refine_signature_add(struct plumb_refine_signatures *s,
                                const uint64_t *word, size_t count);
/* Are all words added by now, but `except`, in a signature made before? */
bool plumb_refine_signature_is_part(const struct plumb_refine_signatures *s,
                                    uint32_t number, uint64_t except);
/* Forget the words added by now. */
void plumb_refine_signature_drop(struct plumb_refine_signatures *s);
/* UINT32_MAX when the budget refuses. */
uint32_t plumb_refine_signature_number(struct plumb_refine_signatures *s);

static inline const uint64_t *plumb_refine_signature_words(
    const struct plumb_refine_signatures *s, uint32_t number, size_t *count)
{
    *count = s->first[number + 1] - s->first[number];
    return s->word + s->first[number];
}

#endif
