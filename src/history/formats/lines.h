/* lines.h - a text as lines, a line as fields.
 *
 * For the formats with one event or operation a line.  Nothing here reads
 * outside the data it was given, which need not end in a NUL or a newline. */
#ifndef PLUMB_HISTORY_FORMATS_LINES_H
#define PLUMB_HISTORY_FORMATS_LINES_H

#include "history/reader.h"
#include "scalar.h"

struct plumb_history_lines {
    const char *start, *stop; /* the current line, without its end   */
    const char *next, *end;   /* what follows it                     */
    uint32_t line;            /* its number; 0 before the first      */
};

/* Text of the current line, and where it stands. */
struct plumb_history_field {
    const char *text;
    size_t length;
    struct plumb_origin origin;
};

void plumb_history_lines_init(struct plumb_history_lines *l, const char *data,
                              size_t size);

/* The lines that a reader has before it; and then it has read them. */
void plumb_history_lines_open(struct plumb_history_lines *l,
                              const struct plumb_reader *r);
void plumb_history_lines_close(const struct plumb_history_lines *l,
                               struct plumb_reader *r);

/* Go to the next line; false when there is none. */
bool plumb_history_lines_next(struct plumb_history_lines *l);

/* The next field at or after *at, which moves behind it: anything between
 * blanks.  False when the line has no more; `f` is then empty, at its end. */
bool plumb_history_lines_field(const struct plumb_history_lines *l,
                               const char **at, struct plumb_history_field *f);

static inline struct plumb_origin plumb_history_origin(uint32_t line,
                                                       size_t column)
{
    return (struct plumb_origin){ line, column < UINT32_MAX ? (uint32_t)column
                                                            : UINT32_MAX };
}

/* Where in the current line `at` is. */
struct plumb_origin plumb_history_lines_origin(
    const struct plumb_history_lines *l, const char *at);

static inline bool plumb_history_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool plumb_history_field_is(const struct plumb_history_field *f,
                            const char *word);

/* What follows returns false after an error, which is then in `err`. */

bool plumb_history_fail_memory(struct plumb_error *err);

/* PLUMB_EINPUT at a place. */
bool plumb_history_fail(struct plumb_error *err, struct plumb_origin at,
                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A number that has too many digits. */
bool plumb_history_fail_large(struct plumb_error *err, struct plumb_origin at,
                              const char *text, size_t length);

/* The symbol of a text; and the value that it is. */
bool plumb_history_intern(struct plumb_builder *b, const char *text,
                          size_t length, uint32_t *symbol,
                          struct plumb_error *err);
bool plumb_history_intern_value(struct plumb_builder *b, const char *text,
                                size_t length, struct plumb_value *value,
                                struct plumb_error *err);

/* A number; the error names the field and `what` it should be. */
bool plumb_history_field_integer(const struct plumb_history_field *f,
                                 const char *what, int64_t *value,
                                 struct plumb_error *err);
bool plumb_history_field_time(const struct plumb_history_field *f,
                              const char *what, uint64_t *value,
                              struct plumb_error *err);

/* An integer, true, false, nil, or else a word. */
bool plumb_history_field_value(const struct plumb_history_field *f,
                               struct plumb_builder *b,
                               struct plumb_value *value,
                               struct plumb_error *err);

/* Text of the input made fit for a message: short and printable. */
struct plumb_history_quote {
    char text[48];
};
struct plumb_history_quote plumb_history_quote(const char *text, size_t length);

/* PLUMB_EINPUT at the field; the format's one %s is the field's text. */
bool plumb_history_field_fail(struct plumb_error *err,
                              const struct plumb_history_field *f,
                              const char *message);

#endif
