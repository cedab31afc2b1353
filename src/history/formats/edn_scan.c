/* edn_scan.c - EDN as tokens, and its forms as values. */
#include "edn_scan.h"

#include "base/fail.h"
#include "base/spelling.h"
#include "base/text.h"
#include "lines.h"
#include <string.h>

enum { DEEPEST = 200 };

static bool is_space(char c)
{
    return c == '\n' || c == ',' || plumb_history_is_blank(c);
}

static bool ends_word(char c)
{
    return is_space(c) || (c && strchr("()[]{}\";", c));
}

static struct plumb_origin origin_of(const struct plumb_history_edn *e,
                                     const char *at)
{
    const size_t column = e->before + (size_t)(at - e->line_start) + 1;
    return (struct plumb_origin){ e->line, column < UINT32_MAX
                                               ? (uint32_t)column
                                               : UINT32_MAX };
}

static enum plumb_status fail_at(struct plumb_error *err,
                                 struct plumb_origin at, const char *message)
{
    return plumb_base_fail(err, PLUMB_EINPUT, at.line, at.column, "%s",
                           message);
}

static void step_over(struct plumb_history_edn *e)
{
    if (*e->at++ != '\n')
        return;
    e->line++;
    e->line_start = e->at;
    e->before = 0;
}

static void skip_space(struct plumb_history_edn *e)
{
    while (e->at < e->end) {
        if (*e->at == ';')
            while (e->at < e->end && *e->at != '\n')
                e->at++;
        else if (is_space(*e->at))
            step_over(e);
        else
            return;
    }
}

static enum plumb_status scan_string(struct plumb_history_edn *e,
                                     struct plumb_history_edn_token *t,
                                     struct plumb_error *err)
{
    t->kind = PLUMB_EDN_STRING;
    t->text = ++e->at;
    while (e->at < e->end && *e->at != '"') {
        if (*e->at == '\\') {
            t->escaped = true;
            e->at++;
            if (e->at == e->end)
                break;
        }
        step_over(e);
    }
    if (e->at == e->end)
        return fail_at(err, t->origin, "unterminated string");
    t->length = (size_t)(e->at++ - t->text);
    return PLUMB_OK;
}

static void scan_word(struct plumb_history_edn *e,
                      struct plumb_history_edn_token *t,
                      enum plumb_history_edn_kind kind)
{
    t->kind = kind;
    t->text = e->at;
    if (*e->at == '\\' && e->at + 1 < e->end) { /* a character: \( is one */
        e->at++;
        step_over(e);
    }
    while (e->at < e->end && !ends_word(*e->at))
        e->at++;
    t->length = (size_t)(e->at - t->text);
}

static void scan_bracket(struct plumb_history_edn *e,
                         struct plumb_history_edn_token *t)
{
    t->bracket = *e->at++;
    t->kind = strchr("([{", t->bracket) ? PLUMB_EDN_OPEN : PLUMB_EDN_CLOSE;
}

/* What begins with #: a set, a regular expression, ##Inf, or a tag. */
static enum plumb_status scan_hash(struct plumb_history_edn *e,
                                   struct plumb_history_edn_token *t,
                                   struct plumb_error *err)
{
    const char next = e->at + 1 < e->end ? e->at[1] : '\0';
    if (next == '{') {
        *t = (struct plumb_history_edn_token){ .kind = PLUMB_EDN_OPEN,
                                               .bracket = '#',
                                               .begin = t->begin,
                                               .origin = t->origin };
        e->at += 2;
        return PLUMB_OK;
    }
    if (next == '#') {
        scan_word(e, t, PLUMB_EDN_WORD);
        return PLUMB_OK;
    }
    e->at++;
    if (next == '"')
        return scan_string(e, t, err);
    if (!next || ends_word(next))
        return fail_at(err, t->origin, "# without a tag");
    scan_word(e, t, PLUMB_EDN_TAG);
    return PLUMB_OK;
}

static enum plumb_status scan(struct plumb_history_edn *e,
                              struct plumb_history_edn_token *t,
                              struct plumb_error *err)
{
    *t = (struct plumb_history_edn_token){ .kind = PLUMB_EDN_END,
                                           .text = e->at,
                                           .begin = e->at,
                                           .origin = origin_of(e, e->at) };
    if (e->at == e->end)
        return PLUMB_OK;
    switch (*e->at) {
    case '"':
        return scan_string(e, t, err);
    case '#':
        return scan_hash(e, t, err);
    case '(':
    case '[':
    case '{':
    case ')':
    case ']':
    case '}':
        scan_bracket(e, t);
        return PLUMB_OK;
    case ':':
        e->at++;
        if (e->at == e->end || ends_word(*e->at))
            return fail_at(err, t->origin, ": without a keyword");
        scan_word(e, t, PLUMB_EDN_KEYWORD);
        return PLUMB_OK;
    default:
        scan_word(e, t, PLUMB_EDN_WORD);
        return PLUMB_OK;
    }
}

static enum plumb_status enter(struct plumb_history_edn *e,
                               const struct plumb_history_edn_token *t,
                               struct plumb_error *err)
{
    if (e->depth == DEEPEST)
        return fail_at(err, t->origin, "forms are nested too deeply");
    e->depth++;
    return PLUMB_OK;
}

static enum plumb_status discard(struct plumb_history_edn *e,
                                 struct plumb_origin origin,
                                 struct plumb_error *err)
{
    struct plumb_history_edn_token t;
    enum plumb_status status = plumb_history_edn_next(e, &t, err);
    if (status == PLUMB_OK &&
        (t.kind == PLUMB_EDN_END || t.kind == PLUMB_EDN_CLOSE))
        status = fail_at(err, origin, "#_ has nothing to discard");
    return status == PLUMB_OK ? plumb_history_edn_skip(e, &t, err) : status;
}

enum plumb_status plumb_history_edn_next(struct plumb_history_edn *e,
                                         struct plumb_history_edn_token *t,
                                         struct plumb_error *err)
{
    for (;;) {
        skip_space(e);
        if (e->end - e->at < 2 || e->at[0] != '#' || e->at[1] != '_')
            return scan(e, t, err);
        const struct plumb_history_edn_token mark = { .origin =
                                                          origin_of(e, e->at) };
        e->at += 2;
        enum plumb_status status = enter(e, &mark, err);
        if (status == PLUMB_OK)
            status = discard(e, mark.origin, err);
        if (status != PLUMB_OK)
            return status;
        e->depth--;
    }
}

static bool closes(char open, char close)
{
    return close == (open == '(' ? ')' : open == '[' ? ']' : '}');
}

static enum plumb_status fail_unclosed(
    struct plumb_error *err, const struct plumb_history_edn_token *open)
{
    return plumb_base_fail(err, PLUMB_EINPUT, open->origin.line,
                           open->origin.column, "%.*s is never closed",
                           open->bracket == '#' ? 2 : 1, open->begin);
}

enum plumb_status plumb_history_edn_unexpected(
    const struct plumb_history_edn_token *t, const char *wanted,
    struct plumb_error *err)
{
    static const char *const kinds[] = {
        "the end of the text", "", "",        "the string ",
        "the keyword ",        "", "the tag "
    };
    const size_t length = t->bracket ? 1 : t->length;
    const char *const text = t->bracket ? t->begin : t->text;
    return plumb_base_fail(err, PLUMB_EINPUT, t->origin.line, t->origin.column,
                           "expected %s, found %s%s", wanted, kinds[t->kind],
                           plumb_history_quote(text, length).text);
}

/* Read the next element of the collection that `open` began; *more is false
 * once it is closed. */
static enum plumb_status next_element(
    struct plumb_history_edn *e, const struct plumb_history_edn_token *open,
    struct plumb_history_edn_token *t, bool *more, struct plumb_error *err)
{
    const enum plumb_status status = plumb_history_edn_next(e, t, err);
    *more = false;
    if (status != PLUMB_OK)
        return status;
    if (t->kind == PLUMB_EDN_END)
        return fail_unclosed(err, open);
    if (t->kind == PLUMB_EDN_CLOSE)
        return closes(open->bracket, t->bracket)
                   ? PLUMB_OK
                   : plumb_base_fail(
                         err, PLUMB_EINPUT, t->origin.line, t->origin.column,
                         "%c does not close the %c of line %u", t->bracket,
                         *open->begin, (unsigned)open->origin.line);
    *more = true;
    return PLUMB_OK;
}

static enum plumb_status skip_collection(
    struct plumb_history_edn *e, const struct plumb_history_edn_token *open,
    struct plumb_error *err)
{
    struct plumb_history_edn_token t;
    bool more;
    enum plumb_status status = enter(e, open, err);
    if (status != PLUMB_OK)
        return status;
    do {
        status = next_element(e, open, &t, &more, err);
        if (status == PLUMB_OK && more)
            status = plumb_history_edn_skip(e, &t, err);
    } while (status == PLUMB_OK && more);
    e->depth--;
    return status;
}

enum plumb_status plumb_history_edn_untag(struct plumb_history_edn *e,
                                          struct plumb_history_edn_token *t,
                                          struct plumb_error *err)
{
    const struct plumb_history_edn_token tag = *t;
    enum plumb_status status = PLUMB_OK;
    while (status == PLUMB_OK && t->kind == PLUMB_EDN_TAG)
        status = plumb_history_edn_next(e, t, err);
    if (status == PLUMB_OK && tag.kind == PLUMB_EDN_TAG &&
        (t->kind == PLUMB_EDN_END || t->kind == PLUMB_EDN_CLOSE))
        return plumb_base_fail(err, PLUMB_EINPUT, tag.origin.line,
                               tag.origin.column, "the tag #%s has no form",
                               plumb_history_quote(tag.text, tag.length).text);
    return status;
}

enum plumb_status plumb_history_edn_skip(
    struct plumb_history_edn *e, const struct plumb_history_edn_token *t,
    struct plumb_error *err)
{
    struct plumb_history_edn_token form = *t;
    const enum plumb_status status = plumb_history_edn_untag(e, &form, err);
    if (status != PLUMB_OK)
        return status;
    if (form.kind == PLUMB_EDN_CLOSE || form.kind == PLUMB_EDN_END)
        return plumb_history_edn_unexpected(&form, "a value", err);
    return form.kind == PLUMB_EDN_OPEN ? skip_collection(e, &form, err)
                                       : PLUMB_OK;
}

/* ---- values ---- */

static void add_utf8(struct plumb_base_text *text, unsigned code)
{
    char bytes[3];
    size_t n = 0;
    if (code < 0x80) {
        bytes[n++] = (char)code;
    } else if (code < 0x800) {
        bytes[n++] = (char)(0xc0 | code >> 6);
        bytes[n++] = (char)(0x80 | (code & 0x3f));
    } else {
        bytes[n++] = (char)(0xe0 | code >> 12);
        bytes[n++] = (char)(0x80 | (code >> 6 & 0x3f));
        bytes[n++] = (char)(0x80 | (code & 0x3f));
    }
    plumb_base_text_bytes(text, bytes, n);
}

/* The escape behind the backslash at *at, which moves behind it. */
static bool add_escape(struct plumb_base_text *text, const char **at,
                       const char *end)
{
    static const char from[] = "ntrbf\"\\/", to[] = "\n\t\r\b\f\"\\/";
    const char c = *(*at)++;
    const char *const plain = c ? strchr(from, c) : NULL;
    unsigned code = 0;
    if (plain) {
        plumb_base_text_bytes(text, to + (plain - from), 1);
        return true;
    }
    if (c != 'u' || end - *at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        const int digit = plumb_base_hex_digit(*(*at)++);
        if (digit < 0)
            return false;
        code = code << 4 | (unsigned)digit;
    }
    add_utf8(text, code);
    return true;
}

static enum plumb_status text_value(struct plumb_builder *b, const char *text,
                                    size_t length, struct plumb_value *value,
                                    struct plumb_error *err)
{
    const uint32_t symbol = plumb_builder_symbol(b, text, length);
    *value = plumb_str(symbol);
    return symbol == UINT32_MAX ? plumb_base_fail_memory(err) : PLUMB_OK;
}

static enum plumb_status string_value(const struct plumb_history_edn_token *t,
                                      struct plumb_builder *b,
                                      struct plumb_budget *budget,
                                      struct plumb_value *value,
                                      struct plumb_error *err)
{
    if (!t->escaped)
        return text_value(b, t->text, t->length, value, err);
    struct plumb_base_text text;
    enum plumb_status status = PLUMB_OK;
    const char *const end = t->text + t->length;
    plumb_base_text_init(&text, budget);
    for (const char *at = t->text; status == PLUMB_OK && at < end;) {
        if (*at++ != '\\')
            plumb_base_text_bytes(&text, at - 1, 1);
        else if (!add_escape(&text, &at, end))
            status = fail_at(err, t->origin, "unknown escape in a string");
    }
    if (status == PLUMB_OK && text.broken)
        status = plumb_base_fail_memory(err);
    if (status == PLUMB_OK)
        status =
            text_value(b, plumb_base_text_string(&text), text.size, value, err);
    plumb_base_text_release(&text);
    return status;
}

static enum plumb_status word_value(const struct plumb_history_edn_token *t,
                                    struct plumb_builder *b,
                                    struct plumb_value *value,
                                    struct plumb_error *err)
{
    int64_t number;
    struct plumb_history_field f = { t->text, t->length, t->origin };
    /* 12N is Clojure's arbitrary precision; the N says nothing here */
    if (f.length > 1 && f.text[f.length - 1] == 'N' &&
        plumb_history_read_integer(f.text, f.length - 1, &number) !=
            PLUMB_NO_NUMBER)
        f.length--;
    return plumb_history_field_value(&f, b, value, err);
}

enum plumb_status plumb_history_edn_value(
    struct plumb_history_edn *e, const struct plumb_history_edn_token *t,
    struct plumb_builder *b, struct plumb_budget *budget,
    struct plumb_value *value, struct plumb_error *err)
{
    struct plumb_history_edn_token form = *t;
    enum plumb_status status = plumb_history_edn_untag(e, &form, err);
    if (status != PLUMB_OK)
        return status;
    switch (form.kind) {
    case PLUMB_EDN_STRING:
        return string_value(&form, b, budget, value, err);
    case PLUMB_EDN_KEYWORD:
        return text_value(b, form.text, form.length, value, err);
    case PLUMB_EDN_WORD:
        return word_value(&form, b, value, err);
    case PLUMB_EDN_OPEN:
        status = skip_collection(e, &form, err);
        return status == PLUMB_OK
                   ? text_value(b, form.begin, (size_t)(e->at - form.begin),
                                value, err)
                   : status;
    default:
        return plumb_history_edn_unexpected(&form, "a value", err);
    }
}

static enum plumb_status list_values(struct plumb_history_edn *e,
                                     const struct plumb_history_edn_token *open,
                                     struct plumb_builder *b,
                                     struct plumb_budget *budget,
                                     struct plumb_history_edn_values *values,
                                     struct plumb_error *err)
{
    enum { ROOM = sizeof values->v / sizeof *values->v };
    struct plumb_history_edn_token t;
    bool more;
    for (;;) {
        enum plumb_status status = next_element(e, open, &t, &more, err);
        if (status != PLUMB_OK || !more)
            return status;
        struct plumb_value v;
        status = plumb_history_edn_value(e, &t, b, budget, &v, err);
        if (status != PLUMB_OK)
            return status;
        if (values->count < ROOM)
            values->v[values->count++] = v;
    }
}

enum plumb_status plumb_history_edn_list(
    struct plumb_history_edn *e, const struct plumb_history_edn_token *t,
    struct plumb_builder *b, struct plumb_budget *budget,
    struct plumb_history_edn_values *values, struct plumb_error *err)
{
    struct plumb_history_edn_token form = *t;
    const enum plumb_status status = plumb_history_edn_untag(e, &form, err);
    if (status != PLUMB_OK)
        return status;
    values->count = 0;
    if (form.bracket == '[' || form.bracket == '(')
        return list_values(e, &form, b, budget, values, err);
    values->count = 1;
    return plumb_history_edn_value(e, &form, b, budget, values->v, err);
}
