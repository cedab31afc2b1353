/* lines.c - a text as lines, a line as fields. */
#include "lines.h"

#include "base/fail.h"
#include "base/spelling.h"
#include <string.h>

void plumb_history_lines_init(struct plumb_history_lines *l, const char *data,
                              size_t size)
{
    *l = (struct plumb_history_lines){
        .start = data, .stop = data, .next = data, .end = data + size
    };
}

void plumb_history_lines_open(struct plumb_history_lines *l,
                              const struct plumb_reader *r)
{
    plumb_history_lines_init(l, r->data + r->at, r->size - r->at);
    l->line = r->line - 1;
}

void plumb_history_lines_close(const struct plumb_history_lines *l,
                               struct plumb_reader *r)
{
    r->at = r->size;
    r->line = l->line + 1;
}

bool plumb_history_lines_next(struct plumb_history_lines *l)
{
    if (l->next == l->end)
        return false;
    const size_t rest = (size_t)(l->end - l->next);
    const char *const newline = memchr(l->next, '\n', rest);
    l->start = l->next;
    l->stop = newline ? newline : l->end;
    l->next = newline ? newline + 1 : l->end;
    l->line++;
    return true;
}

struct plumb_origin plumb_history_lines_origin(
    const struct plumb_history_lines *l, const char *at)
{
    return (struct plumb_origin){ l->line, (uint32_t)(at - l->start) + 1 };
}

bool plumb_history_lines_field(const struct plumb_history_lines *l,
                               const char **at, struct plumb_history_field *f)
{
    const char *p = *at;
    while (p < l->stop && plumb_history_is_blank(*p))
        p++;
    const char *const text = p;
    while (p < l->stop && !plumb_history_is_blank(*p))
        p++;
    *f = (struct plumb_history_field){ text, (size_t)(p - text),
                                       plumb_history_lines_origin(l, text) };
    *at = p;
    return p > text;
}

bool plumb_history_field_is(const struct plumb_history_field *f,
                            const char *word)
{
    return plumb_base_is_word(f->text, f->length, word);
}

/* Digits only; PLUMB_NUMBER_TOO_LARGE beyond 64 bits. */
static enum plumb_history_number read_digits(const char *text, size_t length,
                                             uint64_t *value)
{
    enum plumb_history_number kind = length ? PLUMB_NUMBER : PLUMB_NO_NUMBER;
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned digit = (unsigned)(unsigned char)text[i] - '0';
        if (digit > 9)
            return PLUMB_NO_NUMBER;
        if (*value > (UINT64_MAX - digit) / 10)
            kind = PLUMB_NUMBER_TOO_LARGE;
        *value = *value * 10 + digit;
    }
    return kind;
}

enum plumb_history_number plumb_history_read_integer(const char *text,
                                                     size_t length,
                                                     int64_t *value)
{
    const bool sign = length && (*text == '-' || *text == '+');
    const bool negative = sign && *text == '-';
    const uint64_t limit = (uint64_t)INT64_MAX + negative;
    uint64_t digits;
    const enum plumb_history_number kind =
        read_digits(text + sign, length - sign, &digits);
    if (kind != PLUMB_NUMBER)
        return kind;
    if (digits > limit)
        return PLUMB_NUMBER_TOO_LARGE;
    /* -(digits - 1) - 1 reaches INT64_MIN without overflow */
    *value = negative && digits ? -(int64_t)(digits - 1) - 1 : (int64_t)digits;
    return PLUMB_NUMBER;
}

struct plumb_history_quote plumb_history_quote(const char *text, size_t length)
{
    struct plumb_history_quote q;
    const size_t room = sizeof q.text - 4;
    const size_t n = length < room ? length : room;
    for (size_t i = 0; i < n; i++)
        q.text[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    memcpy(q.text + n, length > room ? "..." : "", length > room ? 4 : 1);
    return q;
}

enum plumb_status plumb_history_field_fail(struct plumb_error *err,
                                           const struct plumb_history_field *f,
                                           const char *message)
{
    const struct plumb_history_quote name =
        plumb_history_quote(f->text, f->length);
    const char *const hole = strstr(message, "%s");
    const int before = hole ? (int)(hole - message) : (int)strlen(message);
    return plumb_base_fail(err, PLUMB_EINPUT, f->origin.line, f->origin.column,
                           "%.*s%s%s", before, message, hole ? name.text : "",
                           hole ? hole + 2 : "");
}

static enum plumb_status fail_number(struct plumb_error *err,
                                     const struct plumb_history_field *f,
                                     const char *what, bool too_large)
{
    return plumb_base_fail(err, PLUMB_EINPUT, f->origin.line, f->origin.column,
                           "bad number %s: %s%s",
                           plumb_history_quote(f->text, f->length).text, what,
                           too_large ? " that fits in 64 bits" : "");
}

enum plumb_status plumb_history_field_integer(
    const struct plumb_history_field *f, const char *what, int64_t *value,
    struct plumb_error *err)
{
    const enum plumb_history_number kind =
        plumb_history_read_integer(f->text, f->length, value);
    if (kind == PLUMB_NUMBER)
        return PLUMB_OK;
    return fail_number(err, f, what, kind == PLUMB_NUMBER_TOO_LARGE);
}

enum plumb_status plumb_history_field_time(const struct plumb_history_field *f,
                                           const char *what, uint64_t *value,
                                           struct plumb_error *err)
{
    const enum plumb_history_number kind =
        read_digits(f->text, f->length, value);
    if (kind == PLUMB_NUMBER && *value < UINT64_MAX) /* which means never */
        return PLUMB_OK;
    return fail_number(err, f, what, kind != PLUMB_NO_NUMBER);
}

enum plumb_status plumb_history_field_value(const struct plumb_history_field *f,
                                            struct plumb_builder *b,
                                            struct plumb_value *value,
                                            struct plumb_error *err)
{
    int64_t number = 0;
    const enum plumb_history_number kind =
        plumb_history_read_integer(f->text, f->length, &number);
    if (kind == PLUMB_NUMBER_TOO_LARGE)
        return fail_number(err, f, "expected a value", true);
    if (kind == PLUMB_NUMBER) {
        *value = plumb_int(number);
        return PLUMB_OK;
    }
    if (plumb_history_field_is(f, "true") ||
        plumb_history_field_is(f, "false")) {
        *value = plumb_bool(f->length == 4);
        return PLUMB_OK;
    }
    if (plumb_history_field_is(f, "nil")) {
        *value = plumb_nil();
        return PLUMB_OK;
    }
    const uint32_t symbol = plumb_builder_symbol(b, f->text, f->length);
    *value = plumb_str(symbol);
    return symbol == UINT32_MAX ? plumb_base_fail_memory(err) : PLUMB_OK;
}
