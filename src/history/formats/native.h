/* native.h - what the reader and the writer of native text agree on. */
#ifndef PLUMB_HISTORY_FORMATS_NATIVE_H
#define PLUMB_HISTORY_FORMATS_NATIVE_H

#include "base/text.h"
#include "emit.h"

enum plumb_history_native_kind {
    PLUMB_NATIVE_WORD, /* part of a word; all bytes that are not named here */
    PLUMB_NATIVE_BLANK,
    PLUMB_NATIVE_NEWLINE,
    PLUMB_NATIVE_PUNCTUATION,
    PLUMB_NATIVE_QUOTE,
    PLUMB_NATIVE_SLASH /* part of a word too, unless it begins a comment */
};
extern const unsigned char plumb_history_native_kind[256];

/* Is this lower-case text a term that is never an operation?  `outcome`, unless
 * NULL, is set to what it tells. */
bool plumb_history_native_term(const char *text, size_t length,
                               enum plumb_outcome *outcome);

/* `text` in lower case (ASCII), in `scratch`.  False when out of memory. */
bool plumb_history_native_fold(struct plumb_base_text *scratch,
                               const char *text, size_t length);

#endif
