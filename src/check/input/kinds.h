/* kinds.h - what operations of one name with one answer have in common.
 *
 * There are few kinds of operations, and a million of each: what can be worked
 * out once is, so that an operation is copied to its input without asking what
 * it is.  The processor cannot guess which comes next, so every question about
 * it that is a branch costs more than the copy. */
#ifndef PLUMB_CHECK_INPUT_KINDS_H
#define PLUMB_CHECK_INPUT_KINDS_H

#include "monitor_input.h"
#include "numbering.h"
#include "spec/lexicon.h"
#include <stddef.h>
#include <string.h>

enum { PLUMB_TAGS = PLUMB_STR + 1, PLUMB_KINDS = 64 };

struct plumb_check_kind {
    uint64_t name_and_term;
    uint32_t shape; /* the numbers of arguments and results, the outcome */
    bool known;
    char letter[PLUMB_INPUT_WORDS];

    /* Of an operation in the input. */
    uint8_t role, term, nargs, nres;
    /* All bits are set where there is nothing, of a pending one's return and of
     * words that it has not; else none is. */
    uint32_t no_return, no_word[PLUMB_INPUT_WORDS];
    /* By tag: a word is the value's bits and this, but for tags with a bit in
     * `strange`. */
    uint32_t offset[PLUMB_INPUT_WORDS][PLUMB_TAGS];
    uint8_t strange[PLUMB_INPUT_WORDS];
};

struct plumb_check_kinds {
    const struct plumb_history *h;
    const struct plumb_spec *spec;
    const struct plumb_check_numbering *numbers;
    struct plumb_spec_lexicon lexicon;
    struct plumb_check_kind kind[PLUMB_KINDS];
};

/* The word of a value that a shape calls `letter`.  False: it cannot be one. */
bool plumb_check_word_of(const struct plumb_check_kinds *k,
                         struct plumb_value v, char letter, uint32_t *word);

/* Look it up, the first of its kind at least.  NULL: no input has such. */
const struct plumb_check_kind *plumb_check_kind_find(
    struct plumb_check_kinds *k, const struct plumb_op *o);

/* One with values of any tag.  False: plumb_spec_bind() is to look at it. */
bool plumb_check_kind_copy_strange(const struct plumb_check_kinds *k,
                                   const struct plumb_check_kind *kind,
                                   const struct plumb_op *o,
                                   struct plumb_check_input_op *t);

/* ---- in line ---- */

static inline uint64_t plumb_check_kind_name_and_term(const struct plumb_op *o)
{
    return (uint64_t)o->term << 32 | o->name;
}

static inline uint32_t plumb_check_kind_shape(const struct plumb_op *o)
{
    uint32_t shape;
    memcpy(&shape, (const char *)o + offsetof(struct plumb_op, nargs),
           sizeof shape);
    return shape;
}

static inline bool plumb_check_kind_is(const struct plumb_check_kind *kind,
                                       const struct plumb_op *o)
{
    return kind->known &&
           kind->name_and_term == plumb_check_kind_name_and_term(o) &&
           kind->shape == plumb_check_kind_shape(o);
}

/* Where to look first. */
static inline unsigned plumb_check_kind_home(const struct plumb_op *o)
{
    return (o->name + 9 * o->term + 5 * o->outcome) % PLUMB_KINDS;
}

static inline const struct plumb_check_kind *plumb_check_kind_of(
    struct plumb_check_kinds *k, const struct plumb_op *o)
{
    const struct plumb_check_kind *const kind =
        k->kind + plumb_check_kind_home(o);
    return plumb_check_kind_is(kind, o) ? kind : plumb_check_kind_find(k, o);
}

/* What a kind knows, and ranks; its words are to be filled in. */
static inline void plumb_check_kind_copy_head(
    const struct plumb_check_kind *kind, const struct plumb_op *o,
    struct plumb_check_input_op *t)
{
    t->call = o->call;
    t->ret = o->resp | kind->no_return;
    t->role = kind->role;
    t->term = kind->term;
    t->nargs = kind->nargs;
    t->nres = kind->nres;
}

/* The last bit of what it returns is set if the value is strange. */
static inline unsigned plumb_check_kind_copy_word(
    const struct plumb_check_kind *kind, const struct plumb_value *value,
    unsigned i, struct plumb_check_input_op *t)
{
    const unsigned tag = value[i].tag % PLUMB_TAGS;
    t->word[i] =
        ((uint32_t)value[i].bits + kind->offset[i][tag]) | kind->no_word[i];
    return (unsigned)kind->strange[i] >> tag;
}

/* False: some value is strange.  There are at least three values from its
 * first on, whosever they are. */
static inline bool plumb_check_kind_copy_words(
    const struct plumb_check_kind *kind, const struct plumb_value *value,
    struct plumb_check_input_op *t)
{
    const unsigned strange = plumb_check_kind_copy_word(kind, value, 0, t) |
                             plumb_check_kind_copy_word(kind, value, 1, t) |
                             plumb_check_kind_copy_word(kind, value, 2, t);
    return !(strange & 1);
}

/* False: plumb_spec_bind() is to look at it. */
static inline bool plumb_check_kind_copy(const struct plumb_check_kinds *k,
                                         const struct plumb_check_kind *kind,
                                         const struct plumb_op *o,
                                         struct plumb_check_input_op *t)
{
    plumb_check_kind_copy_head(kind, o, t);
    if ((uint64_t)o->values + PLUMB_INPUT_WORDS <= k->h->values &&
        plumb_check_kind_copy_words(kind, plumb_op_args(k->h, o), t))
        return true;
    return plumb_check_kind_copy_strange(k, kind, o, t);
}

/* ---- other numbers (incarnations.c, per_object_values.c) ---- */

/* Rename word 0 of all operations of the input, whose operations are op[]; a
 * smaller value stays smaller.  Nothing is done if no value is added twice.
 * False when memory is used up. */
bool plumb_check_incarnations(struct plumb_check_input *input,
                              struct plumb_check_input_op *op,
                              struct plumb_base_arena *scratch);

/* The values of one object of many, numbered by themselves. */
struct plumb_check_object_values {
    struct plumb_check_kinds *kinds;
    uint32_t *list;   /* room for the words of the longest input */
    uint32_t *number; /* by word of the history */
};

/* In `arena`; false when memory is used up. */
bool plumb_check_object_values_init(struct plumb_check_object_values *w,
                                    struct plumb_check_kinds *kinds,
                                    const struct plumb_check_inputs *inputs,
                                    struct plumb_base_arena *arena);

/* op[] is input->op.  Words stay in order; nothing is done where it would not
 * be worth while. */
void plumb_check_object_values(const struct plumb_check_object_values *w,
                               struct plumb_check_input *input,
                               struct plumb_check_input_op *op);

#endif
