/* own_words.h - the values of one object of many, numbered by themselves.
 *
 * Monitors have tables by value.  With many objects, each of which has few of
 * the values of a history, those would be mostly empty, and as many as there are
 * objects. */
#ifndef PLUMB_CHECK_OWN_WORDS_H
#define PLUMB_CHECK_OWN_WORDS_H

#include "kinds.h"

struct plumb_own_words {
    struct plumb_kinds *kinds;
    uint32_t *list;   /* room for the words of the longest tape */
    uint32_t *number; /* by word of the history */
};

/* In `arena`; false when memory is used up. */
bool plumb_own_words_init(struct plumb_own_words *w, struct plumb_kinds *kinds,
                          const struct plumb_tapes *tapes,
                          struct plumb_arena *arena);

/* op[] is tape->op.  Words stay in order; nothing is done where it would not
 * be worth while. */
void plumb_own_words(const struct plumb_own_words *w, struct plumb_tape *tape,
                     struct plumb_tape_op *op);

#endif
