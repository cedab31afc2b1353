/* lines.c - a text as lines, a line as fields. */
#include "lines.h"

#include "base/fail.h"
#include "base/spelling.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
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
    assert(l->next <= l->end);
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
    return plumb_history_origin(l->line, (size_t)(at - l->start) + 1);
}

bool plumb_history_lines_field(const struct plumb_history_lines *l,
                               const char **at, struct plumb_history_field *f)
{
    const char *p = *at;
    assert(p >= l->start && p <= l->stop);
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

bool plumb_history_fail_memory(struct plumb_error *err)
{
    plumb_base_fail_memory(err);
    return false;
}

bool plumb_history_fail(struct plumb_error *err, struct plumb_origin at,
                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    plumb_base_vfail(err, PLUMB_EINPUT, at.line, at.column, format, args);
    va_end(args);
    return false;
}

bool plumb_history_fail_large(struct plumb_error *err, struct plumb_origin at,
                              const char *text, size_t length)
{
    return plumb_history_fail(err, at, "number %.*s%s does not fit in 64 bits",
                              length > 40 ? 40 : (int)length, text,
                              length > 40 ? "..." : "");
}

bool plumb_history_intern(struct plumb_builder *b, const char *text,
                          size_t length, uint32_t *symbol,
                          struct plumb_error *err)
{
    *symbol = plumb_builder_symbol(b, text, length);
    return *symbol != UINT32_MAX || plumb_history_fail_memory(err);
}

bool plumb_history_intern_value(struct plumb_builder *b, const char *text,
                                size_t length, struct plumb_value *value,
                                struct plumb_error *err)
{
    uint32_t symbol;
    const bool good = plumb_history_intern(b, text, length, &symbol, err);
    *value = plumb_str(symbol);
    return good;
}

bool plumb_history_field_fail(struct plumb_error *err,
                              const struct plumb_history_field *f,
                              const char *message)
{
    const struct plumb_history_quote name =
        plumb_history_quote(f->text, f->length);
    const char *const hole = strstr(message, "%s");
    const int before = hole ? (int)(hole - message) : (int)strlen(message);
    return plumb_history_fail(err, f->origin, "%.*s%s%s", before, message,
                              hole ? name.text : "", hole ? hole + 2 : "");
}

static bool fail_number(struct plumb_error *err,
                        const struct plumb_history_field *f, const char *what,
                        bool too_large)
{
    return plumb_history_fail(err, f->origin, "bad number %s: %s%s",
                              plumb_history_quote(f->text, f->length).text,
                              what, too_large ? " that fits in 64 bits" : "");
}

bool plumb_history_field_integer(const struct plumb_history_field *f,
                                 const char *what, int64_t *value,
                                 struct plumb_error *err)
{
    const enum plumb_history_number kind =
        plumb_history_read_integer(f->text, f->length, value);
    return kind == PLUMB_NUMBER ||
           fail_number(err, f, what, kind == PLUMB_NUMBER_TOO_LARGE);
}

bool plumb_history_field_time(const struct plumb_history_field *f,
                              const char *what, uint64_t *value,
                              struct plumb_error *err)
{
    const enum plumb_history_number kind =
        plumb_history_read_digits(f->text, f->length, value);
    return (kind == PLUMB_NUMBER && *value < UINT64_MAX) || /* that is never */
           fail_number(err, f, what, kind != PLUMB_NO_NUMBER);
}

bool plumb_history_field_value(const struct plumb_history_field *f,
                               struct plumb_builder *b,
                               struct plumb_value *value,
                               struct plumb_error *err)
{
    int64_t number = 0;
    const enum plumb_history_number kind =
        plumb_history_read_integer(f->text, f->length, &number);
    if (kind == PLUMB_NUMBER_TOO_LARGE)
        return fail_number(err, f, "expected a value", true);
    *value = plumb_int(number);
    return kind == PLUMB_NUMBER ||
           plumb_history_scalar_word(f->text, f->length, value) ||
           plumb_history_intern_value(b, f->text, f->length, value, err);
}
