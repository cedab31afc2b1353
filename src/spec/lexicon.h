/* lexicon.h - what the symbols of a history mean to a type.
 *
 * Each is looked up once, as the name of an operation and as a term; after
 * that an operation costs a table look-up. */
#ifndef PLUMB_SPEC_LEXICON_H
#define PLUMB_SPEC_LEXICON_H

#include "shape.h"

enum { PLUMB_MAX_USER_TERMS = PLUMB_TERM_ANY };

/* Rows that are not there. */
enum { PLUMB_NO_OPERATION = -1, PLUMB_NO_ARITY = -2 };
enum { PLUMB_NO_TERM = UINT16_MAX };

struct plumb_spec_meaning;

struct plumb_spec_lexicon {
    const struct plumb_history *h;
    const struct plumb_spec *spec;
    struct plumb_budget *budget;
    struct plumb_spec_row *row;         /* by row of the type's table */
    struct plumb_spec_meaning *meaning; /* by symbol                  */
    size_t meanings;
    /* User specs have whatever terms they like: those of the history. */
    const char *term[PLUMB_MAX_USER_TERMS];
    unsigned terms;
};

/* False when memory is used up; to be closed in any case. */
bool plumb_spec_lexicon_open(struct plumb_spec_lexicon *l,
                             const struct plumb_history *h,
                             const struct plumb_spec *spec,
                             struct plumb_budget *budget);
void plumb_spec_lexicon_close(struct plumb_spec_lexicon *l);

/* The history has got more symbols.  False when memory is used up. */
bool plumb_spec_lexicon_grow(struct plumb_spec_lexicon *l);

/* The row for an operation's name and number of arguments; or which of the two
 * is not there. */
int plumb_spec_lexicon_row(struct plumb_spec_lexicon *l,
                           const struct plumb_op *o);

/* The first row with its name; there is one. */
unsigned plumb_spec_lexicon_first_row(const struct plumb_spec_lexicon *l,
                                      const struct plumb_op *o);

/* The number of a term: enum plumb_spec_term, or the user's; or PLUMB_NO_TERM. */
unsigned plumb_spec_lexicon_term(struct plumb_spec_lexicon *l, uint32_t symbol);

#endif
