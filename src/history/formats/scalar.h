/* scalar.h - values that are no strings, as text and from it. */
#ifndef PLUMB_HISTORY_FORMATS_SCALAR_H
#define PLUMB_HISTORY_FORMATS_SCALAR_H

#include "base/text.h"
#include <plumb/value.h>

/* `nil` is how nil is written.  False: it is a string. */
bool plumb_history_scalar_show(struct plumb_value v, const char *nil,
                               struct plumb_base_text *out);

/* Decimal digits after an optional sign. */
enum plumb_history_number {
    PLUMB_NO_NUMBER,
    PLUMB_NUMBER,
    PLUMB_NUMBER_TOO_LARGE /* for 64 bits */
};
enum plumb_history_number plumb_history_read_integer(const char *text,
                                                     size_t length,
                                                     int64_t *value);
/* Without a sign. */
enum plumb_history_number plumb_history_read_digits(const char *text,
                                                    size_t length,
                                                    uint64_t *value);

/* nil, true or false; else false. */
bool plumb_history_scalar_word(const char *text, size_t length,
                               struct plumb_value *v);

#endif
