/* names.h - names of operations, terms and parameters, compared without regard
 * to case, '-' and '_'. */
#ifndef PLUMB_SPEC_NAMES_H
#define PLUMB_SPEC_NAMES_H

#include <stdbool.h>
#include <stddef.h>

bool plumb_spec_name_equal(const char *a, size_t a_length, const char *b,
                           size_t b_length);

/* Is the name in this list with blanks between? */
bool plumb_spec_names_have(const char *names, const char *name, size_t length);

/* The length of the first name of a list. */
size_t plumb_spec_names_first(const char *names);

#endif
