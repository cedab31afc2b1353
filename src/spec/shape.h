/* shape.h - a row of an operation table, taken apart once.
 *
 * Shapes are small strings ("ok(v)|empty()"); reading them for each of a
 * million operations would cost more than everything else binding does. */
#ifndef PLUMB_SPEC_SHAPE_H
#define PLUMB_SPEC_SHAPE_H

#include "spec.h"

enum { PLUMB_TERMS = 7, PLUMB_SHAPE_VALUES = 4 };

/* A list of values: at least `least` and at most `most` of them. */
struct plumb_spec_shape {
    bool present;
    uint8_t least, most;
    char letter[PLUMB_SHAPE_VALUES];
};

struct plumb_spec_row {
    bool any; /* a user's operation: any term with any results */
    unsigned nargs;
    const char *args;
    struct plumb_spec_shape answer[PLUMB_TERMS]; /* by enum plumb_spec_term */
};

void plumb_spec_row_read(const struct plumb_spec_opdef *def,
                         struct plumb_spec_row *row);

/* "ok(x) or empty()" */
void plumb_spec_row_show_answers(const struct plumb_spec_row *row,
                                 struct plumb_base_text *out);

/* PLUMB_TERMS if no built-in type has such a term. */
unsigned plumb_spec_term_number(const char *text, size_t length);
const char *plumb_spec_term_name(unsigned term);

#endif
