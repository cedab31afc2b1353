/* json_scan.h - the pieces of JSON text, on one line.
 *
 * Strings are bytes.  What is not valid UTF-8 passes unchanged, and a lone
 * surrogate \udc80 .. \udcff stands for the byte 0x80 .. 0xff: so there is an
 * escape for every byte, and text of any kind survives writing and reading. */
#ifndef PLUMB_HISTORY_FORMATS_JSON_SCAN_H
#define PLUMB_HISTORY_FORMATS_JSON_SCAN_H

#include "base/text.h"
#include <plumb/history.h>
#include <stdint.h>

struct plumb_history_json {
    const char *at, *end; /* what is left of the line */
    const char *line_start;
    uint32_t line;
    struct plumb_base_text scratch; /* a string with escapes, without them */
    struct plumb_error *err;
};

/* Where in the line `at` is. */
struct plumb_origin plumb_history_json_origin(
    const struct plumb_history_json *j, const char *at);

/* All return false after an error, which is then in `err`. */
bool plumb_history_json_fail(struct plumb_history_json *j, const char *at,
                             const char *message);

/* Skip blanks; then, is `c` next?  If so, skip it. */
bool plumb_history_json_eat(struct plumb_history_json *j, char c);
/* The next byte that is not blank, '\0' at the end of the line. */
char plumb_history_json_peek(struct plumb_history_json *j);
bool plumb_history_json_expect(struct plumb_history_json *j, char c,
                               const char *missing);

/* `text` is valid until the next string is read. */
bool plumb_history_json_scan_string(struct plumb_history_json *j,
                                    const char **text, size_t *length);
bool plumb_history_json_integer(struct plumb_history_json *j, int64_t *number);
/* Skip `word` if it is next; no error if it is not. */
bool plumb_history_json_word(struct plumb_history_json *j, const char *word);
/* Four hexadecimal digits; false if they are not there. */
bool plumb_history_read_hex4(const char *at, const char *end, uint32_t *code);
void plumb_history_add_utf8(struct plumb_base_text *t, uint32_t code);

/* Any value, unseen. */
bool plumb_history_json_skip(struct plumb_history_json *j);

#endif
