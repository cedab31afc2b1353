/* json_scan.c - the pieces of JSON text, on one line. */
#include "json_scan.h"

#include "base/spelling.h"
#include "lines.h"
#include <assert.h>
#include <string.h>

enum { DEEPEST = 64 };

struct plumb_origin plumb_history_json_origin(
    const struct plumb_history_json *j, const char *at)
{
    return plumb_history_origin(j->line, (size_t)(at - j->line_start) + 1);
}

bool plumb_history_json_fail(struct plumb_history_json *j, const char *at,
                             const char *message)
{
    return plumb_history_fail(j->err, plumb_history_json_origin(j, at), "%s",
                              message);
}

char plumb_history_json_peek(struct plumb_history_json *j)
{
    assert(j->at <= j->end);
    while (j->at < j->end &&
           (*j->at == ' ' || *j->at == '\t' || *j->at == '\r'))
        j->at++;
    return j->at < j->end ? *j->at : '\0';
}

/* A NUL byte in the text is not the end of the line. */
bool plumb_history_json_eat(struct plumb_history_json *j, char c)
{
    if (plumb_history_json_peek(j) != c || j->at == j->end)
        return false;
    j->at++;
    return true;
}

bool plumb_history_json_expect(struct plumb_history_json *j, char c,
                               const char *missing)
{
    return plumb_history_json_eat(j, c) ||
           plumb_history_json_fail(j, j->at, missing);
}

bool plumb_history_json_word(struct plumb_history_json *j, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(j->end - j->at) < length || memcmp(j->at, word, length) != 0)
        return false;
    j->at += length;
    return true;
}

/* ---- strings ---- */

bool plumb_history_read_hex4(const char *at, const char *end, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        const int digit = at + i < end ? plumb_base_hex_digit(at[i]) : -1;
        if (digit < 0)
            return false;
        *code = *code << 4 | (uint32_t)digit;
    }
    return true;
}

/* The first byte says how many follow, with six bits each. */
void plumb_history_add_utf8(struct plumb_base_text *t, uint32_t code)
{
    const int more = code < 0x80      ? 0
                     : code < 0x800   ? 1
                     : code < 0x10000 ? 2
                                      : 3;
    static const unsigned char first[] = { 0, 0xc0, 0xe0, 0xf0 };
    plumb_base_text_fill(t, (char)(first[more] | code >> 6 * more), 1);
    for (int i = more - 1; i >= 0; i--)
        plumb_base_text_fill(t, (char)(0x80 | (code >> 6 * i & 0x3f)), 1);
}

/* \uXXXX at j->at, behind the u; a high surrogate takes the low one along. */
static bool read_unicode(struct plumb_history_json *j)
{
    const char *const escape = j->at - 2;
    uint32_t code, low;
    if (!plumb_history_read_hex4(j->at, j->end, &code))
        return plumb_history_json_fail(j, escape,
                                       "\\u needs four hexadecimal digits");
    j->at += 4;
    if (code >= 0xdc80 && code <= 0xdcff) {
        plumb_base_text_fill(&j->scratch, (char)(code & 0xff), 1);
        return true;
    }
    if (code >= 0xd800 && code <= 0xdbff) {
        if (!plumb_history_json_word(j, "\\u") ||
            !plumb_history_read_hex4(j->at, j->end, &low) || low < 0xdc00 ||
            low > 0xdfff)
            return plumb_history_json_fail(j, escape, "lone surrogate");
        j->at += 4;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code <= 0xdfff) {
        return plumb_history_json_fail(j, escape, "lone surrogate");
    }
    plumb_history_add_utf8(&j->scratch, code);
    return true;
}

/* The escape at j->at, behind the backslash. */
static bool read_escape(struct plumb_history_json *j)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char c = j->at < j->end ? *j->at++ : '\0';
    if (c == 'u')
        return read_unicode(j);
    const char *const known = c ? strchr(from, c) : NULL;
    if (!known)
        return plumb_history_json_fail(j, j->at - 1,
                                       "unknown escape in a string");
    plumb_base_text_fill(&j->scratch, to[known - from], 1);
    return true;
}

static const char *plain_end(const char *at, const char *end)
{
    while (at < end && *at != '"' && *at != '\\' && (unsigned char)*at >= ' ')
        at++;
    return at;
}

/* The rest of a string that has escapes: its beginning is [text, j->at). */
static bool read_escaped(struct plumb_history_json *j, const char *text,
                         const char *open)
{
    plumb_base_text_clear(&j->scratch);
    for (;;) {
        plumb_base_text_bytes(&j->scratch, text, (size_t)(j->at - text));
        if (j->at == j->end)
            return plumb_history_json_fail(j, open, "unterminated string");
        const char c = *j->at++;
        if (c == '"')
            break;
        if (c != '\\')
            return plumb_history_json_fail(j, j->at - 1,
                                           "control character in a string");
        if (!read_escape(j))
            return false;
        text = j->at;
        j->at = plain_end(text, j->end);
    }
    return !j->scratch.broken || plumb_history_fail_memory(j->err);
}

bool plumb_history_json_scan_string(struct plumb_history_json *j,
                                    const char **text, size_t *length)
{
    if (plumb_history_json_peek(j) != '"')
        return plumb_history_json_fail(j, j->at, "string expected");
    const char *const open = j->at++;
    const char *const from = j->at;
    j->at = plain_end(from, j->end);
    if (j->at < j->end && *j->at == '"') {
        *text = from;
        *length = (size_t)(j->at++ - from);
        return true;
    }
    if (!read_escaped(j, from, open))
        return false;
    *text = j->scratch.data;
    *length = j->scratch.size;
    return true;
}

/* ---- numbers ---- */

static const char *number_end(const char *at, const char *end)
{
    while (at < end && *at && strchr("+-.0123456789Ee", *at))
        at++;
    return at;
}

bool plumb_history_json_integer(struct plumb_history_json *j, int64_t *number)
{
    plumb_history_json_peek(j);
    const char *const text = j->at, *const end = number_end(text, j->end);
    const bool minus = text < end && *text == '-';
    const uint64_t limit = (uint64_t)INT64_MAX + minus;
    const char *at = text + minus;
    uint64_t n = 0;
    if (at == end ||
        (*at == '0' && at + 1 < end && at[1] >= '0' && at[1] <= '9'))
        return plumb_history_json_fail(j, text, "bad number");
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (n > (limit - digit) / 10)
            return plumb_history_fail_large(j->err,
                                            plumb_history_json_origin(j, text),
                                            text, (size_t)(end - text));
        n = n * 10 + digit;
    }
    if (at < end)
        return plumb_history_json_fail(j, text, "number is not an integer");
    j->at = at;
    *number = minus ? (int64_t)(0 - n) : (int64_t)n;
    return true;
}

/* ---- what nobody wants to see ---- */

static bool skip_value(struct plumb_history_json *j, int depth);

static bool skip_members(struct plumb_history_json *j, bool object, int depth)
{
    const char close = object ? '}' : ']';
    const char *text;
    size_t length;
    if (plumb_history_json_eat(j, close))
        return true;
    do {
        if (object && (!plumb_history_json_scan_string(j, &text, &length) ||
                       !plumb_history_json_expect(j, ':', "':' expected")))
            return false;
        if (!skip_value(j, depth + 1))
            return false;
    } while (plumb_history_json_eat(j, ','));
    return plumb_history_json_expect(
        j, close, object ? "',' or '}' expected" : "',' or ']' expected");
}

static bool skip_value(struct plumb_history_json *j, int depth)
{
    const char *text;
    size_t length;
    const char c = plumb_history_json_peek(j);
    if (c == '"')
        return plumb_history_json_scan_string(j, &text, &length);
    if (c == '{' || c == '[') {
        if (depth == DEEPEST)
            return plumb_history_json_fail(j, j->at, "nested too deeply");
        j->at++;
        return skip_members(j, c == '{', depth);
    }
    if (plumb_history_json_word(j, "true") ||
        plumb_history_json_word(j, "false") ||
        plumb_history_json_word(j, "null"))
        return true;
    const char *const end = number_end(j->at, j->end);
    if (end == j->at)
        return plumb_history_json_fail(j, j->at, "value expected");
    j->at = end;
    return true;
}

bool plumb_history_json_skip(struct plumb_history_json *j)
{
    return skip_value(j, 0);
}
