/* native_scan.c - the words, strings and numbers of native text. */
#include "native_scan.h"

#include "base/spelling.h"
#include "lines.h"

enum { UNSET = -1 };

const unsigned char plumb_history_native_kind[256] = {
    [' '] = PLUMB_NATIVE_BLANK,       ['\t'] = PLUMB_NATIVE_BLANK,
    ['\r'] = PLUMB_NATIVE_BLANK,      ['\v'] = PLUMB_NATIVE_BLANK,
    ['\f'] = PLUMB_NATIVE_BLANK,      ['\n'] = PLUMB_NATIVE_NEWLINE,
    ['('] = PLUMB_NATIVE_PUNCTUATION, [')'] = PLUMB_NATIVE_PUNCTUATION,
    [','] = PLUMB_NATIVE_PUNCTUATION, ['"'] = PLUMB_NATIVE_QUOTE,
    ['/'] = PLUMB_NATIVE_SLASH,
};

struct plumb_origin plumb_history_scan_origin(
    const struct plumb_history_scan *s, const char *at)
{
    return plumb_history_origin(s->line, (size_t)(at - s->line_start) + 1);
}

bool plumb_history_scan_fail(struct plumb_history_scan *s, const char *at,
                             const char *message)
{
    return plumb_history_fail(s->err, plumb_history_scan_origin(s, at), "%s",
                              message);
}

const char *plumb_history_comment_end(const char *at, const char *end)
{
    for (at += 2; at < end; at++) {
        at = memchr(at, '*', (size_t)(end - at));
        if (!at)
            return NULL;
        if (at + 1 < end && at[1] == '/')
            return at + 2;
    }
    return NULL;
}

void plumb_history_scan_forward(struct plumb_history_scan *s, const char *to)
{
    const char *at = s->at;
    while ((at = memchr(at, '\n', (size_t)(to - at)))) {
        s->line_start = ++at;
        s->line++;
    }
    s->at = to;
}

bool plumb_history_scan_comment(struct plumb_history_scan *s)
{
    const char *const behind = plumb_history_comment_end(s->at, s->end);
    s->endless = !behind;
    if (s->endless)
        return plumb_history_scan_fail(s, s->at, "unterminated comment");
    s->comment = true;
    plumb_history_scan_forward(s, behind);
    return true;
}

bool plumb_history_scan_intern(struct plumb_history_scan *s, const char *text,
                               size_t length, uint32_t *symbol)
{
    return plumb_history_intern(s->builder, text, length, symbol, s->err);
}

static bool word_symbol(struct plumb_history_scan *s, const char *text,
                        size_t length, uint32_t *symbol)
{
    if (length > PLUMB_KEY_MAX)
        return plumb_history_scan_intern(s, text, length, symbol);
    const struct plumb_history_key key =
        plumb_history_word_key(text, length, s->end);
    struct plumb_history_scan_id *const id =
        s->id + plumb_history_key_hash(key) % PLUMB_SCAN_IDS;
    if (plumb_history_key_equal(id->key, key)) {
        *symbol = id->symbol;
        return true;
    }
    if (!plumb_history_scan_intern(s, text, length, symbol))
        return false;
    *id = (struct plumb_history_scan_id){ key, *symbol };
    return true;
}

/* ---- quoted strings ---- */

/* The character that the escape at `at` (behind the backslash) stands for. */
static int unescape(const char *at, const char *end, size_t *length)
{
    *length = 1;
    if (at == end)
        return UNSET;
    switch (*at) {
    case '"':
    case '\\':
        return *at;
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case 'x':
        *length = 3;
        if (end - at < 3 || plumb_base_hex_digit(at[1]) < 0 ||
            plumb_base_hex_digit(at[2]) < 0)
            return UNSET;
        return plumb_base_hex_digit(at[1]) * 16 + plumb_base_hex_digit(at[2]);
    default:
        return UNSET;
    }
}

/* Read the quoted string at s->at into the scratch text. */
static bool read_quoted(struct plumb_history_scan *s)
{
    const char *const open = s->at;
    const char *at = open + 1;
    plumb_base_text_clear(&s->scratch);
    for (;;) {
        const char *const from = at;
        while (at < s->end && *at != '"' && *at != '\\' && *at != '\n')
            at++;
        plumb_base_text_bytes(&s->scratch, from, (size_t)(at - from));
        if (at == s->end || *at == '\n')
            return plumb_history_scan_fail(s, open, "unterminated string");
        if (*at == '"')
            break;
        size_t length;
        const int c = unescape(at + 1, s->end, &length);
        if (c == UNSET)
            return plumb_history_scan_fail(
                s, at,
                "unknown escape: only \\\" \\\\ \\n \\t \\r \\xHH "
                "are known");
        plumb_base_text_fill(&s->scratch, (char)c, 1);
        at += 1 + length;
    }
    s->at = at + 1;
    return !s->scratch.broken || plumb_history_fail_memory(s->err);
}

bool plumb_history_scan_string(struct plumb_history_scan *s, uint32_t *symbol)
{
    return read_quoted(s) && plumb_history_scan_intern(s, s->scratch.data,
                                                       s->scratch.size, symbol);
}

/* The name of an object or a process. */
bool plumb_history_scan_id(struct plumb_history_scan *s, const char *missing,
                           uint32_t *symbol)
{
    const char *const text = s->at;
    if (text < s->end && *text == '"')
        return plumb_history_scan_string(s, symbol);
    s->at = plumb_history_word_end(text, s->end);
    if (s->at == text)
        return plumb_history_scan_fail(s, text, missing);
    return word_symbol(s, text, (size_t)(s->at - text), symbol);
}

/* ---- values ---- */

/* The digits at `at`; where they end, NULL if the number is out of range. */
static inline const char *read_digits(const char *at, const char *end,
                                      uint64_t limit, uint64_t *number)
{
    uint64_t n = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (n > (limit - digit) / 10)
            return NULL;
        n = n * 10 + digit;
    }
    *number = n;
    return at;
}

static inline bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

/* Is the word an integer: digits, perhaps a minus before them? */
static inline bool is_number(const char *text, const char *end)
{
    text += *text == '-';
    if (text == end)
        return false;
    while (is_digit(text, end))
        text++;
    return text == end;
}

static bool read_word_value(struct plumb_history_scan *s, struct plumb_value *v)
{
    const char *const text = s->at;
    uint32_t symbol;
    s->at = plumb_history_word_end(text, s->end);
    const size_t length = (size_t)(s->at - text);
    if (length == 0)
        return plumb_history_scan_fail(s, text, "value expected");
    if (is_number(text, s->at)) /* or read_value() had taken it */
        return plumb_history_fail_large(
            s->err, plumb_history_scan_origin(s, text), text, length);
    if (plumb_history_scalar_word(text, length, v))
        return true;
    if (!word_symbol(s, text, length, &symbol))
        return false;
    *v = plumb_str(symbol);
    return true;
}

static inline bool read_value(struct plumb_history_scan *s,
                              struct plumb_value *v)
{
    const char *const text = s->at;
    uint32_t symbol;
    if (text < s->end && *text == '"') {
        if (!plumb_history_scan_string(s, &symbol))
            return false;
        *v = plumb_str(symbol);
        return true;
    }
    const bool minus = text < s->end && *text == '-';
    if (!is_digit(text + minus, s->end))
        return read_word_value(s, v);
    uint64_t n;
    const uint64_t limit = (uint64_t)INT64_MAX + minus;
    const char *const behind = read_digits(text + minus, s->end, limit, &n);
    if (!behind || behind != plumb_history_word_end(behind, s->end))
        return read_word_value(s, v); /* too large, or a word like 7up */
    s->at = behind;
    *v = (struct plumb_value){ minus ? 0 - n : n, PLUMB_INT, 0 };
    return true;
}

bool plumb_history_scan_values(struct plumb_history_scan *s,
                               struct plumb_value *value, size_t *count)
{
    size_t n = 0;
    s->at++;
    if (!plumb_history_scan_blanks(s))
        return false;
    if (s->at < s->end && *s->at == ')') {
        s->at++;
        *count = 0;
        return true;
    }
    for (;;) {
        if (n == UINT8_MAX)
            return plumb_history_scan_fail(s, s->at, "more than 255 values");
        if (!read_value(s, value + n++) || !plumb_history_scan_blanks(s))
            return false;
        const char c = s->at < s->end ? *s->at : '\n';
        if (c != ',' && c != ')')
            return plumb_history_scan_fail(s, s->at,
                                           "',' or ')' expected after a value");
        s->at++;
        if (c == ')')
            break;
        if (!plumb_history_scan_blanks(s))
            return false;
    }
    *count = n;
    return true;
}
