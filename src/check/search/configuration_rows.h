/* configuration_rows.h - what a set of configurations is made of, and what one
 * event makes of it.
 *
 * A configuration is a row of words: a state, and a word for each open
 * operation, in the order of their threads.  That is FIRST_EFFECT + the number
 * of an *effect*, or how many of its steps have been taken if it has not taken
 * effect: none, as most operations have but one.  An operation that takes
 * effect before it returns has an answer that nobody knows yet; its effect says
 * which answers are right.  An effect is the pair of states before and after
 * the step: an answer is right if the step can be made with it.  Where all
 * answers can be listed, the list of the right ones stands for the pair, and
 * forgets the past. */
#ifndef PLUMB_SRC_CHECK_SEARCH_CONFIGURATION_ROWS_H
#define PLUMB_SRC_CHECK_SEARCH_CONFIGURATION_ROWS_H

#include "base/memory.h"
#include "live_configurations.h"
#include "spec/stores/cells.h"
#include "universe.h"

enum { NOT_YET, FIRST_EFFECT = PLUMB_MOST_STEPS };
enum { BEFORE, AFTER, EFFECT_WIDTH };

struct configuration_set {
    const uint32_t *word; /* the open operations, and then the rows */
    uint32_t open, rows;
    plumb_check_configuration_set parent; /* it became this one by `event` */
    uint32_t event;
};

struct configuration_words {
    uint32_t *word;
    size_t count, capacity;
};

/* What an event made of a set.  Key and value stand in the slot: almost every
 * event of an exploration is one look at it, and nothing else. */
struct transition {
    uint64_t key; /* set and event; 0 is a free slot */
    plumb_check_configuration_set next;
};

struct plumb_check_configurations {
    struct plumb_budget *budget;
    struct plumb_check_universe universe;
    uint32_t upheavals; /* of the universe that the space was opened in */
    bool open;          /* is it? */
    struct plumb_spec_space space;
    struct plumb_spec_cells effects;
    struct plumb_base_arena arena; /* the words of sets */
    struct configuration_set *set;
    size_t sets, set_capacity;
    struct plumb_base_index index;
    struct transition *past;
    size_t pasts, past_capacity; /* a power of two, or 0 */
    /* scratch */
    struct configuration_words made; /* the set in the making */
    struct configuration_words work; /* rows to go on from */
    struct configuration_words row;  /* the one at hand */
    struct plumb_base_index seen;    /* of rows in `work` */
    size_t width;                    /* of those */
    struct plumb_spec_states next, probe;
    struct plumb_error err;
};

/* Room for `count` more; NULL if memory is used up. */
static inline uint32_t *plumb_check_rows_add(
    struct plumb_check_configurations *f, struct configuration_words *w,
    size_t count)
{
    if (!PLUMB_GROW(f->budget, w->word, w->capacity, w->count + count + 1))
        return NULL;
    w->count += count;
    return w->word + w->count - count;
}

/* The order of rows: words from left to right. */
static inline int plumb_check_rows_compare(const uint32_t *a, const uint32_t *b,
                                           size_t width)
{
    for (size_t i = 0; i < width; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Where the operation of a thread stands among the open ones. */
static inline uint32_t plumb_check_rows_place(
    const struct plumb_check_configurations *f,
    const struct configuration_set *from, uint32_t call)
{
    const struct plumb_op *const op = f->universe.op;
    uint32_t at = 0;
    while (at < from->open && op[from->word[at]].thread < op[call].thread)
        at++;
    return at;
}

/* What `from` becomes by a call, or by a return with this answer, appended to
 * f->made: unsorted, perhaps with rows twice.  False: memory or time is used
 * up, or the type failed. */
bool plumb_check_rows_call(struct plumb_check_configurations *f,
                           const struct configuration_set *from, uint32_t call);
bool plumb_check_rows_return(struct plumb_check_configurations *f,
                             const struct configuration_set *from,
                             uint32_t answer);

#endif
