/* slots.h - the slots of a segment: each is empty or holds an item.
 *
 * The k-FIFO queues, the k-stack and the segment queue keep K + 1 items side by
 * side, so that threads that work on the same segment need not meet.
 *
 * A slot is one word: the item, and a count of its changes.  A CAS of a word
 * that was read a while ago succeeds only if the slot did not change since; a
 * slot that is empty again is not the same as before (65,536 changes between
 * the two apart).
 *
 *     63       48 47                   0
 *     | changes  | item, or NO_ITEM    | */
#ifndef OBJECTS_COMMON_SLOTS_H
#define OBJECTS_COMMON_SLOTS_H

#include <plumb/object.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef K
#define K 1
#endif

typedef uint64_t slot_word;

#define SLOT_CHANGE  ((slot_word)1 << 48)
#define SLOT_ITEM    (SLOT_CHANGE - 1)
#define SLOT_NO_ITEM ((slot_word)1 << 47) /* the smallest of 48 bits */

struct slots {
    _Atomic slot_word word[K + 1];
};

/* A slot, and what was in it. */
struct found {
    unsigned index;
    slot_word word;
};

static inline void slots_init(struct slots *s)
{
    for (unsigned n = 0; n <= K; n++)
        atomic_init(&s->word[n], SLOT_NO_ITEM);
}

static inline slot_word slots_load(struct slots *s, unsigned index)
{
    return atomic_load(&s->word[index]);
}

static inline bool slot_has_item(slot_word word)
{
    return (word & SLOT_ITEM) != SLOT_NO_ITEM;
}

/* The word that follows `word` when `item`, of 48 bits, is put there. */
static inline slot_word slot_with(slot_word word, uint64_t item)
{
    return (((word & ~SLOT_ITEM) + SLOT_CHANGE)) | (item & SLOT_ITEM);
}

static inline slot_word slot_without(slot_word word)
{
    return slot_with(word, SLOT_NO_ITEM);
}

static inline bool slots_replace(struct slots *s, const struct found *f,
                                 slot_word by)
{
    slot_word expected = f->word;
    return atomic_compare_exchange_strong(&s->word[f->index], &expected, by);
}

/* Where to begin looking for a slot that has an item: anywhere.  For an empty
 * one: at the first.  Slots are alike, and the explorer would have to try them
 * all.  With DRAW_EMPTY it does: the original algorithms begin anywhere, so that
 * threads meet less often, and some executions are possible only then. */
static inline unsigned slots_begin(bool with_item)
{
#ifdef DRAW_EMPTY
    (void)with_item;
    return plumb_choose(K + 1);
#else
    return with_item ? plumb_choose(K + 1) : 0;
#endif
}

/* A slot that has an item, or is empty. */
static inline bool slots_find(struct slots *s, bool with_item, struct found *f)
{
    const unsigned first = slots_begin(with_item);
    for (unsigned n = 0; n <= K; n++) {
        f->index = (first + n) % (K + 1);
        f->word = slots_load(s, f->index);
        if (slot_has_item(f->word) == with_item)
            return true;
    }
    return false;
}

static inline int64_t slot_item(slot_word word)
{
    /* the sign is in the 48th bit */
    return (int64_t)(word << 16) / (1 << 16);
}

static inline uint64_t slot_of(int64_t item)
{
    if (item <= -(INT64_C(1) << 47) || item >= INT64_C(1) << 47) {
        fprintf(stderr, "slots: items have 48 bits\n");
        abort();
    }
    return (uint64_t)item & SLOT_ITEM;
}

#endif
